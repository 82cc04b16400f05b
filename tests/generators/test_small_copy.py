"""Small copies: fewer bytes, the same look, a clear error for what is no picture."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from generators.errors import PictureError
from generators.plotchain import PlotChainSource
from generators.small_copy import COLOURS, copy_key, small_copy


def pixels(png: bytes) -> np.ndarray:
    with Image.open(io.BytesIO(png)) as opened:
        return np.asarray(opened.convert("RGB"), dtype=int)


def test_a_copy_looks_the_same_in_fewer_bytes() -> None:
    source = PlotChainSource()
    png = source.item(source.case("step_response_000")).picture.png()

    copy = small_copy(png)

    assert len(copy) < len(png) / 2
    difference = np.abs(pixels(copy) - pixels(png))
    assert difference.mean() < 2
    with Image.open(io.BytesIO(copy)) as opened:
        assert opened.mode == "P"
        assert len(opened.getcolors() or ()) <= COLOURS


def test_equal_pictures_have_equal_copies() -> None:
    out = io.BytesIO()
    Image.new("RGBA", (30, 20), (200, 10, 10, 255)).save(out, "PNG")

    assert small_copy(out.getvalue()) == small_copy(out.getvalue())


@pytest.mark.parametrize("content", [b"", b"no picture", b"\x89PNG\r\n\x1a\n and then nothing"])
def test_what_is_no_picture_is_said_to_be_none(content: bytes) -> None:
    with pytest.raises(PictureError, match=f"expected a picture to copy, got {len(content)} bytes that are none"):
        small_copy(content)


def test_a_copy_has_a_name_of_its_own() -> None:
    assert copy_key("0a") != "0a"
    assert copy_key("0a").isalnum()
