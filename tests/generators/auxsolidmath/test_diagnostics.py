"""What is measured of a returned drawing: kept ink, covered constructions, stray ink, whatever its size."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image, ImageDraw

from generators.auxsolidmath import AuxSolidMathSource, auxiliary_picture
from generators.auxsolidmath.diagnostics import diagnose
from generators.errors import PictureError
from generators.items import Item

if TYPE_CHECKING:
    from collections.abc import Callable

SOURCE = AuxSolidMathSource()
ITEM = SOURCE.item(SOURCE.case("auxsolidmath_hard-G09-001"))


def gold() -> Image.Image:
    return Image.open(io.BytesIO(auxiliary_picture(ITEM).png()))


def encoded(image: Image.Image, kind: str = "PNG") -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, format=kind)
    return buffer.getvalue()


def padded(image: Image.Image) -> Image.Image:
    """The drawing as a square of 1024 pixels with white borders, as image models return it."""
    scale = 1024 / max(image.size)
    inner = image.resize((round(image.width * scale), round(image.height * scale)))
    square = Image.new("RGB", (1024, 1024), "white")
    square.paste(inner, ((1024 - inner.width) // 2, (1024 - inner.height) // 2))
    return square


def moved(image: Image.Image) -> Image.Image:
    canvas = Image.new("RGB", image.size, "white")
    canvas.paste(image, (4, -2))
    return canvas


def transparent(image: Image.Image) -> Image.Image:
    colours = np.asarray(image.convert("RGBA")).copy()
    colours[(colours == 255).all(axis=2)] = 0
    return Image.fromarray(colours)


@pytest.mark.sweep
@pytest.mark.parametrize(
    "change",
    [lambda image: image, padded, moved, lambda image: image.resize((1024, 1024))],
    ids=["same", "padded", "moved", "stretched"],
)
def test_the_gold_drawing_keeps_all_ink_and_covers_all(change: Callable[[Image.Image], Image.Image]) -> None:
    found = diagnose(ITEM, encoded(change(gold())))
    assert found.ink_kept > 0.97
    assert found.gold_covered > 0.95
    assert found.stray_ink < 0.02
    assert all(share is None or share > 0.9 for share in found.segments.values())


def test_transparent_paper_is_white() -> None:
    assert diagnose(ITEM, encoded(transparent(gold()))).ink_kept > 0.97


def test_the_original_itself_covers_nothing() -> None:
    found = diagnose(ITEM, ITEM.picture.png())
    assert (found.ink_kept, found.gold_covered, found.stray_ink) == (1.0, 0.0, 0.0)


def test_a_blank_sheet_keeps_nothing() -> None:
    found = diagnose(ITEM, encoded(Image.new("RGB", gold().size, "white")))
    assert (found.ink_kept, found.gold_covered, found.stray_ink) == (0.0, 0.0, 0.0)


def test_scribbles_are_stray_ink() -> None:
    image = gold()
    ImageDraw.Draw(image).rectangle((4, 4, 60, 60), fill="blue")
    found = diagnose(ITEM, encoded(image))
    assert found.gold_covered > 0.95
    assert found.stray_ink > 0.3


def test_lines_that_are_missing_are_told_apart() -> None:
    image = Image.open(io.BytesIO(ITEM.picture.png()))
    full = diagnose(ITEM, encoded(gold()))
    half = gold()
    ImageDraw.Draw(half).rectangle((0, 0, half.width // 2, half.height), fill="white")
    half.paste(image.crop((0, 0, half.width // 2, half.height)), (0, 0))
    found = diagnose(ITEM, encoded(half))
    assert found.ink_kept > 0.99
    assert 0.1 < found.gold_covered < 0.9 * full.gold_covered


@pytest.mark.parametrize("data", [b"", b"no picture", encoded(Image.new("RGB", (4, 4)))[:40]])
def test_what_is_no_picture_is_refused(data: bytes) -> None:
    with pytest.raises(PictureError, match="auxsolidmath_hard-G09-001: expected a picture as drawing, got"):
        diagnose(ITEM, data)


def test_too_many_pixels_are_refused_before_decoding(monkeypatch: pytest.MonkeyPatch) -> None:
    drawing = encoded(Image.new("RGB", (1001, 1000)))
    monkeypatch.setattr("generators.auxsolidmath.diagnostics.MAX_PIXELS", 1_000_000)
    with pytest.raises(PictureError, match="expected a drawing of at most 1000000 pixels, got 1001 x 1000"):
        diagnose(ITEM, drawing)


def test_an_item_without_points_is_refused() -> None:
    item = Item(
        id="row-1",
        suite="auxsolidmath",
        family="data",
        index=0,
        difficulty="easy",
        prompt="",
        truth={},
        final_fields=(),
        checkpoint_fields=(),
        params={},
        picture=ITEM.picture,
    )
    with pytest.raises(ValueError, match="row-1: expected an item with points and projection"):
        diagnose(item, b"")
