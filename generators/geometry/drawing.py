"""White dots on black, drawn with the standard library alone.

A pixel's grey is 255 times the part of it that the dot covers, taken as radius + 1/2 - distance from the dot's
centre to the pixel's centre, clipped to 0..1. Only IEEE sums, products and square roots occur, which every
machine computes alike: the pixels depend on no library. The file's bytes depend on zlib's version besides.
"""

from __future__ import annotations

import hashlib
import math
import struct
import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generators.geometry.arrangement import Dot
    from generators.geometry.canvas import Canvas

__all__ = ["DRAWING_VERSION", "draw_grey", "encode_png", "pixels_sha256", "rgb_rows"]

DRAWING_VERSION = 1
"""Number of the drawing rule above; frozen picture hashes name it."""

_WHITE = 255
_COMPRESSION = 6


def draw_grey(dots: Sequence[Dot], canvas: Canvas) -> list[bytearray]:
    """Draw dots onto black; one grey byte for each pixel, row by row from the top."""
    rows = [bytearray(canvas.width_px) for _ in range(canvas.height_px)]
    for dot in dots:
        _draw_disc(
            rows,
            dot.x_um / canvas.um_per_px,
            dot.y_um / canvas.um_per_px,
            dot.diameter_um / 2 / canvas.um_per_px,
        )
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
    header = struct.pack(">IIBBBBB", len(rows[0]) // 3, len(rows), 8, 2, 0, 0, 0)
    data = zlib.compress(b"".join(b"\0" + row for row in rows), _COMPRESSION)
    chunks = ((b"IHDR", header), (b"IDAT", data), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, body) for kind, body in chunks)


def pixels_sha256(rows: Sequence[bytes]) -> str:
    """Return the SHA-256 of the decoded picture: RGB bytes, row by row from the top."""
    return hashlib.sha256(b"".join(rows)).hexdigest()


def _chunk(kind: bytes, body: bytes) -> bytes:
    checksum = zlib.crc32(kind + body)
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", checksum)
