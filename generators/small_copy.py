"""A picture's small copy: a palette instead of all colours, for people to look at, not to measure on."""

from __future__ import annotations

import hashlib
import io

from generators.errors import PictureError

__all__ = ["COLOURS", "copy_key", "small_copy"]

COLOURS = 32


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
