"""White dots on black, drawn with the standard library alone.

A pixel's grey is 255 times the part of it that the dot covers, taken as radius + 1/2 - distance from the dot's
centre to the pixel's centre, clipped to 0..1. Only IEEE sums, products and square roots occur, which every
machine computes alike: the pixels depend on no library. The file's bytes depend on zlib's version besides.
"""

from __future__ import annotations

import hashlib
import math
import zlib
from dataclasses import astuple, dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from generators import png
from generators.items import canonical_json
from generators.png import PngSize, encode_rgb

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generators.geometry.layout import Canvas, Dot

__all__ = ["DRAWING_VERSION", "DotPicture", "draw_grey", "encode_png", "rgb_rows"]


DRAWING_VERSION = 1
"""Number of the drawing rule above; frozen picture hashes name it."""

_WHITE = 255
_COMPRESSION = 6


def draw_grey(dots: Sequence[Dot], canvas: Canvas) -> list[bytearray]:
    """Draw dots onto black; one grey byte for each pixel, row by row from the top."""
    rows = [bytearray(canvas.width_px) for _ in range(canvas.height_px)]
    scale = canvas.um_per_px
    for dot in dots:
        _draw_disc(rows, dot.x_um / scale, dot.y_um / scale, dot.diameter_um / 2 / scale)
    return rows


def _draw_disc(rows: list[bytearray], x: float, y: float, radius: float) -> None:
    outer = radius + 0.5
    first, last = max(0, math.floor(y - outer)), min(len(rows) - 1, math.ceil(y + outer))
    for place in range(first, last + 1):
        dy = place + 0.5 - y
        if abs(dy) < outer:
            _draw_row(rows[place], x, dy, radius)


def _draw_row(row: bytearray, x: float, dy: float, radius: float) -> None:
    """Compute the rim's pixels; fill the run between them, where the dot covers whole pixels."""
    reach = math.sqrt((radius + 0.5) ** 2 - dy * dy)
    first, last = max(0, math.floor(x - reach)), min(len(row) - 1, math.ceil(x + reach))
    full = math.sqrt(max(0.0, (radius - 0.5) ** 2 - dy * dy)) if abs(dy) < radius - 0.5 else -1.0
    fill_from, fill_to = math.ceil(x - full - 0.5), math.floor(x + full - 0.5)
    if full >= 0:
        start = min(max(0, fill_from), len(row))
        stop = max(start, min(len(row), fill_to + 1))
        row[start:stop] = b"\xff" * (stop - start)
    for column in range(first, last + 1):
        if full < 0 or not fill_from <= column <= fill_to:
            dx = column + 0.5 - x
            covered = radius + 0.5 - math.sqrt(dx * dx + dy * dy)
            row[column] = max(row[column], int(_WHITE * min(1.0, max(0.0, covered)) + 0.5))


def rgb_rows(rows: Sequence[bytearray]) -> list[bytes]:
    """Return the rows as RGB bytes: some models' servers refuse greyscale files."""
    widened = []
    for row in rows:
        colours = bytearray(3 * len(row))
        colours[0::3] = colours[1::3] = colours[2::3] = row
        widened.append(bytes(colours))
    return widened


def encode_png(rows: Sequence[bytes]) -> bytes:
    """Write RGB rows as an 8-bit PNG file without metadata."""
    size = PngSize(width=len(rows[0]) // 3, height=len(rows))
    return encode_rgb(b"".join(rows), size, level=_COMPRESSION)


@dataclass(frozen=True, kw_only=True)
class DotPicture:
    """A picture given by its dots, drawn when its bytes are asked for; equal content has an equal key."""

    dots: tuple[Dot, ...]
    canvas: Canvas

    @cached_property
    def key(self) -> str:
        """SHA-256 over dots, canvas, drawing sources and zlib's version, as 64 hex digits."""
        content = {
            "dots": [list(astuple(dot)) for dot in self.dots],
            "canvas": list(astuple(self.canvas)),
            "source": _source_digest(),
            "zlib": zlib.ZLIB_RUNTIME_VERSION,
        }
        return hashlib.sha256(canonical_json(content).encode()).hexdigest()

    def rows(self) -> list[bytes]:
        """Draw the picture and return its RGB rows from the top."""
        return rgb_rows(draw_grey(self.dots, self.canvas))

    def png(self) -> bytes:
        """Draw the picture and return the PNG file's bytes."""
        return encode_png(self.rows())

    def pixels_sha256(self) -> str:
        """Draw the picture and return the SHA-256 of its pixels (RGB, row by row)."""
        return hashlib.sha256(b"".join(self.rows())).hexdigest()


@cache
def _source_digest() -> str:
    sources = (Path(__file__), Path(png.__file__))
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()
