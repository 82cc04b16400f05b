"""A folder of drawn pictures, shared by processes: whole files or none; and their small copies."""

from __future__ import annotations

import hashlib
import io
from typing import TYPE_CHECKING

from generators.errors import PictureError
from generators.files import write_atomically
from generators.png import check_png

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["COLOURS", "PictureCache", "copy_key", "small_copy"]


COLOURS = 32
"""Colours of a small copy's palette; copies are for people to look at, not to measure on."""

_SUFFIX = ".png"


class PictureCache:
    """Pictures by content key, one file `<key>.png` each.

    Several processes may read and write the same folder: equal keys mean equal bytes, and a file appears
    under its name only when whole. A damaged file counts as absent and is written anew.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, key: str) -> Path:
        """Return the file of a key.

        Raises:
            ValueError: the key is not plain letters and digits.
        """
        if not (key.isascii() and key.isalnum()):
            raise ValueError(f"a picture key must be letters and digits, got {key!r}")
        return self.folder / f"{key}{_SUFFIX}"

    def holds(self, key: str) -> bool:
        """Whether there is a file of that key, whole or not."""
        return self.path(key).is_file()

    def keys(self) -> frozenset[str]:
        """Return the keys whose names lie in the folder, whatever is behind them."""
        return frozenset(path.stem for path in self.folder.glob(f"*{_SUFFIX}"))

    def read(self, key: str) -> bytes | None:
        """Return a picture's bytes, or None when there is no whole file of that key."""
        path = self.path(key)
        try:
            data = path.read_bytes()
            check_png(data)
        except (OSError, ValueError):
            return None
        return data

    def write(self, key: str, data: bytes) -> None:
        """Store a picture; another process storing the same key at the same time is no error.

        Raises:
            OSError: the folder cannot be made or written.
        """
        try:
            write_atomically(self.path(key), data)
        except PermissionError:
            # Windows refuses to replace a file that another process holds open; its content is the same.
            if self.read(key) is None:
                raise


def copy_key(key: str) -> str:
    """Return the cache name of the copy of a picture with this cache name."""
    return hashlib.sha256(f"{COLOURS} colours of {key}".encode()).hexdigest()


def small_copy(png: bytes) -> bytes:
    """Return the picture as a PNG with a palette, a quarter of the bytes; takes 10 ms.

    Raises:
        PictureError: the bytes are no picture, or one too large to be decoded.
    """
    from PIL import Image  # noqa: PLC0415 - only where a picture has no copy yet

    out = io.BytesIO()
    try:
        with Image.open(io.BytesIO(png)) as opened:
            opaque = opened.convert("RGB")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise PictureError(f"expected a picture to copy, got {len(png)} bytes that are none: {error}") from error
    small = opaque.quantize(COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    small.save(out, "PNG")
    return out.getvalue()
