"""PNG files written from pixels, and checked without decoding: signature, size, checksums, end mark."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass

__all__ = ["MAX_PIXELS", "PngSize", "check_png", "encode_rgb", "encode_rgba"]

MAX_PIXELS = 50_000_000
"""Largest picture accepted, width times height; a header that claims more is refused before decoding."""

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_CHUNK_OVERHEAD = 12
_INCH_M = 0.0254
_RGB, _RGBA = 2, 6
# Line drawings compress best unfiltered; level 1 takes half the time of 3 for a twentieth more bytes.
_LEVEL = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class PngSize:
    """Width and height in pixels."""

    width: int
    height: int


def encode_rgba(pixels: bytes, size: PngSize, *, dpi: float) -> bytes:
    """Return a PNG file of 8-bit RGBA pixels, rows from the top; it holds size, resolution and pixels only."""
    per_metre = round(dpi / _INCH_M)
    resolution = _chunk(b"pHYs", struct.pack(">IIB", per_metre, per_metre, 1))
    return _file(pixels, size, _RGBA, level=_LEVEL, before=resolution)


def encode_rgb(pixels: bytes, size: PngSize, *, level: int = _LEVEL) -> bytes:
    """Return a PNG file of 8-bit RGB pixels, rows from the top; it holds size and pixels only.

    `level` is zlib's, from 0 to 9.
    """
    return _file(pixels, size, _RGB, level=level)


def _file(pixels: bytes, size: PngSize, colour_type: int, *, level: int, before: bytes = b"") -> bytes:
    """Return signature, header, the chunks `before` the pixels, pixels and end."""
    header = struct.pack(">IIBBBBB", size.width, size.height, 8, colour_type, 0, 0, 0)
    stride = size.width * (4 if colour_type == _RGBA else 3)
    rows = b"".join(b"\0" + pixels[at : at + stride] for at in range(0, len(pixels), stride))
    data = _chunk(b"IDAT", zlib.compress(rows, level))
    return b"".join((_SIGNATURE, _chunk(b"IHDR", header), before, data, _chunk(b"IEND", b"")))


def _chunk(kind: bytes, content: bytes) -> bytes:
    body = kind + content
    return struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body))


def check_png(data: bytes) -> PngSize:
    """Check that the bytes are one whole PNG file of acceptable size, and return its size.

    Pixel data are not decompressed.

    Raises:
        ValueError: not a PNG, too many pixels, damaged or cut short; the message says which.
    """
    if not data.startswith(_SIGNATURE):
        raise ValueError(f"expected a PNG file, got bytes that begin with {data[:8]!r}")
    size = _header_size(data)
    _check_chunks(data)
    return size


def _header_size(data: bytes) -> PngSize:
    if len(data) < len(_SIGNATURE) + _CHUNK_OVERHEAD + 13 or data[12:16] != b"IHDR":
        raise ValueError("expected a PNG header, got a file that ends or goes on without one")
    width, height = struct.unpack(">II", data[16:24])
    if not 0 < width * height <= MAX_PIXELS:
        raise ValueError(f"expected 1 to {MAX_PIXELS} pixels, got a header of {width} x {height}")
    return PngSize(width=width, height=height)


def _check_chunks(data: bytes) -> None:
    at = len(_SIGNATURE)
    kind = b""
    while kind != b"IEND":
        if at + _CHUNK_OVERHEAD > len(data):
            raise ValueError(f"expected a whole PNG file, got one cut short after {len(data)} bytes")
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        end = at + 8 + length
        if zlib.crc32(data[at + 4 : end]).to_bytes(4, "big") != data[end : end + 4]:
            raise ValueError(f"expected a whole PNG file, got a damaged or cut chunk {kind!r}")
        at = end + 4
