"""Pictures of a data set's local copy: any common format in, PNG on white out."""

from __future__ import annotations

import io
import struct
import zlib
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

from generators.auxsolidmath.dataset.files import ImportedPicture, as_png
from generators.errors import PictureError
from generators.png import PngSize, encode_rgba

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PNG = encode_rgba(b"\0\1\2\xff", PngSize(width=1, height=1), dpi=72)


def _encoded(picture: Image.Image, kind: str = "PNG", **options: Any) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, kind, **options)
    return buffer.getvalue()


def _palette_with_transparency() -> bytes:
    picture = Image.new("P", (2, 1))
    picture.putpalette([0, 0, 0, 255, 0, 0])
    picture.putdata([0, 1])
    return _encoded(picture, transparency=0)


@pytest.mark.parametrize("mode", ["RGB", "L", "1", "P", "RGBA", "LA"])
def test_an_opaque_png_is_passed_through_byte_for_byte(mode: str) -> None:
    data = _encoded(Image.new("RGBA", (3, 2), (10, 20, 30, 255)).convert(mode))

    assert as_png(data) is data


def test_transparent_places_become_white_and_half_transparent_ones_a_mixture() -> None:
    picture = Image.new("RGBA", (3, 1), (0, 0, 0, 0))
    picture.putpixel((1, 0), (0, 0, 0, 255))
    picture.putpixel((2, 0), (0, 0, 0, 128))

    shown = Image.open(io.BytesIO(as_png(_encoded(picture))))

    assert shown.mode == "RGB"
    assert [shown.getpixel((x, 0)) for x in range(3)] == [(255, 255, 255), (0, 0, 0), (127, 127, 127)]


def test_a_transparent_palette_entry_becomes_white() -> None:
    shown = Image.open(io.BytesIO(as_png(_palette_with_transparency())))

    assert [shown.getpixel((x, 0)) for x in range(2)] == [(255, 255, 255), (255, 0, 0)]


@pytest.mark.parametrize("kind", ["JPEG", "WEBP", "BMP", "GIF"])
def test_other_formats_become_png(kind: str) -> None:
    shown = Image.open(io.BytesIO(as_png(_encoded(Image.new("RGB", (8, 4), (200, 0, 0)), kind))))

    assert (shown.format, shown.size) == ("PNG", (8, 4))


def _bomb() -> bytes:
    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    header = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")


def _large_bitmap() -> bytes:
    small = _encoded(Image.new("RGB", (8, 8)), "BMP")
    return small[:18] + struct.pack("<ii", 9_500, 9_500) + small[26:]


def _huge_bitmap() -> bytes:
    small = _encoded(Image.new("RGB", (8, 8)), "BMP")
    return small[:18] + struct.pack("<ii", 90_000, 90_000) + small[26:]


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: b"", "expected a picture"),
        (lambda: b"<svg></svg>", "expected a picture"),
        (lambda: b"%PDF-1.4", "expected a picture"),
        (lambda: PNG[:-5], "expected a whole PNG file"),
        (_bomb, "expected 1 to 50000000 pixels, got a header of 60000 x 60000"),
        (_large_bitmap, "expected 1 to 50000000 pixels, got 9500 x 9500"),
        (_huge_bitmap, "expected a whole picture, got a damaged one"),
        (lambda: _encoded(Image.effect_noise((64, 64), 90), "JPEG")[:600], "expected a whole picture"),
    ],
)
def test_what_is_no_picture_is_refused_in_one_line(make: Callable[[], bytes], reason: str, tmp_path: Path) -> None:
    picture = ImportedPicture(item_id="a-001", where="f, row 1, original_image", folder=tmp_path, content=make())

    with pytest.raises(PictureError) as caught:
        picture.png()
    message = str(caught.value)
    assert message.startswith("a-001: f, row 1, original_image: ")
    assert reason in message
    assert message.endswith("; replace it")
    assert "\n" not in message
