"""PNG files: written so that a decoder gives the pixels back, refused when they are anything else."""

from __future__ import annotations

import io
import struct
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from generators.png import MAX_PIXELS, PngSize, check_png, encode_rgba


def _png(width: int = 3, height: int = 2) -> bytes:
    return encode_rgba(bytes(range(4 * width * height)), PngSize(width=width, height=height), dpi=160)


@settings(max_examples=30)
@given(st.integers(1, 12), st.integers(1, 12), st.randoms(use_true_random=False))
def test_a_decoder_gives_the_pixels_back(width: int, height: int, random: object) -> None:
    pixels = random.randbytes(4 * width * height)  # type: ignore[attr-defined]

    data = encode_rgba(pixels, PngSize(width=width, height=height), dpi=160)

    with Image.open(io.BytesIO(data)) as image:
        assert (image.mode, image.size, image.tobytes()) == ("RGBA", (width, height), pixels)
        assert image.info.keys() == {"dpi"}
        assert image.info["dpi"] == pytest.approx((160, 160), abs=0.01)
    assert check_png(data) == PngSize(width=width, height=height)


def test_files_of_another_writer_are_accepted() -> None:
    buffer = io.BytesIO()
    Image.new("L", (5, 4)).save(buffer, "PNG")

    assert check_png(buffer.getvalue()) == PngSize(width=5, height=4)


@pytest.mark.parametrize("kind", ["JPEG", "GIF", "BMP"])
def test_another_format_is_refused(kind: str) -> None:
    buffer = io.BytesIO()
    Image.new("RGB", (4, 4)).save(buffer, kind)

    with pytest.raises(ValueError, match="expected a PNG file, got bytes that begin with"):
        check_png(buffer.getvalue())


@pytest.mark.parametrize("data", [b"", b"hello", b"\x89PNG"])
def test_what_is_no_picture_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="expected a PNG file"):
        check_png(data)


@given(st.integers(8, len(_png()) - 1))
def test_every_cut_is_refused(length: int) -> None:
    with pytest.raises(ValueError, match=r"expected a (whole PNG file|PNG header)"):
        check_png(_png()[:length])


@given(st.integers(8, len(_png()) - 1), st.integers(1, 255))
def test_every_flipped_byte_is_refused(position: int, change: int) -> None:
    data = bytearray(_png())
    data[position] ^= change

    with pytest.raises(ValueError, match="expected"):
        check_png(bytes(data))


def _with_header(width: int, height: int) -> bytes:
    data = bytearray(_png())
    data[16:24] = struct.pack(">II", width, height)
    data[29:33] = zlib.crc32(data[12:29]).to_bytes(4, "big")
    return bytes(data)


@pytest.mark.parametrize(("width", "height"), [(0, 1), (1, 0), (MAX_PIXELS + 1, 1), (100_000, 100_000)])
def test_a_header_of_unreasonable_size_is_refused_before_decoding(width: int, height: int) -> None:
    with pytest.raises(ValueError, match=f"expected 1 to {MAX_PIXELS} pixels, got a header of {width} x {height}"):
        check_png(_with_header(width, height))


def test_the_largest_size_is_accepted() -> None:
    assert check_png(_with_header(MAX_PIXELS, 1)).width == MAX_PIXELS
