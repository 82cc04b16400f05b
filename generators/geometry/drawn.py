"""A picture that is drawn when its bytes are asked for, and the key under which it may be cached."""

from __future__ import annotations

import hashlib
import zlib
from dataclasses import astuple, dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from generators.geometry.drawing import draw_grey, encode_png, pixels_sha256, rgb_rows
from generators.items import canonical_json

if TYPE_CHECKING:
    from generators.geometry.arrangement import Dot
    from generators.geometry.canvas import Canvas

__all__ = ["DrawnPicture"]


@dataclass(frozen=True, kw_only=True)
class DrawnPicture:
    """A picture given by its dots; equal content has the equal key in every process."""

    dots: tuple[Dot, ...]
    canvas: Canvas

    @cached_property
    def key(self) -> str:
        """SHA-256 over dots, canvas, drawing source and zlib's version, as 64 hex digits."""
        content = {
            "dots": [list(astuple(dot)) for dot in self.dots],
            "canvas": list(astuple(self.canvas)),
            "source": _source_digest(),
            "zlib": zlib.ZLIB_RUNTIME_VERSION,
        }
        return hashlib.sha256(canonical_json(content).encode()).hexdigest()

    def png(self) -> bytes:
        """Draw the picture and return the PNG file's bytes."""
        return encode_png(rgb_rows(draw_grey(self.dots, self.canvas)))

    def pixels_sha256(self) -> str:
        """Draw the picture and return the SHA-256 of its pixels (RGB, row by row)."""
        return pixels_sha256(rgb_rows(draw_grey(self.dots, self.canvas)))


@cache
def _source_digest() -> str:
    return hashlib.sha256(Path(__file__).with_name("drawing.py").read_bytes()).hexdigest()
