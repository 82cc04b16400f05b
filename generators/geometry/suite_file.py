"""Files of a suite's folder: never outside it, never endless."""

from __future__ import annotations

import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING

from generators.errors import PictureError
from generators.png import check_png

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["MAX_BYTES", "SuitePicture", "read_inside"]

MAX_BYTES = 50_000_000
"""Largest file read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SuitePicture:
    """A picture file of a suite's folder."""

    item_id: str
    folder: Path
    relative_path: str

    @property
    def key(self) -> None:
        """None: a file on disk needs no cache."""
        return

    def png(self) -> bytes:
        """Read the file.

        Raises:
            PictureError: it is gone, or no whole PNG any more.
        """
        try:
            data = read_inside(self.folder, self.relative_path)
            check_png(data)
        except ValueError as error:
            raise PictureError(f"{self.item_id}: picture {self.relative_path!r}: {error}; replace it") from error
        return data


def read_inside(folder: Path, relative_path: str) -> bytes:
    """Read a file that lies inside the folder.

    Raises:
        PictureError: missing, unreadable, no plain file, too large, or a link that leaves the folder.
    """
    try:
        path = (folder / relative_path).resolve(strict=True)
        about = path.stat()
        plain = path.is_relative_to(folder.resolve()) and stat.S_ISREG(about.st_mode)
        data = path.read_bytes() if plain and about.st_size <= MAX_BYTES else None
    except OSError as error:
        raise PictureError(f"file {relative_path!r}: {error.strerror or error}; put it there") from error
    if data is None:
        raise PictureError(
            f"file {relative_path!r}: expected a plain file inside the folder of at most {MAX_BYTES} bytes; "
            "put it there"
        )
    return data
