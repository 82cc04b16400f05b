"""Pictures: constructions red on the same raster, the same bytes everywhere, and what a returned drawing did."""

from __future__ import annotations

import hashlib
import io
import json
import subprocess
import sys
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from PIL import Image, ImageDraw

from generators.auxsolidmath.drawing.labels import _font, _font_folder
from generators.auxsolidmath.drawing.pictures import RED, diagnose
from generators.auxsolidmath.source import AuxSolidMathSource, auxiliary_picture
from generators.errors import PictureError
from generators.png import check_png
from tests.conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable

SOURCE = AuxSolidMathSource()

FIRST_OF_EACH = [ref for ref in SOURCE.cases if ref.index == 0]

ITEM = SOURCE.item(SOURCE.case("auxsolidmath_hard-G09-001"))


@cache
def drawn(*, auxiliary: bool) -> bytes:
    return (auxiliary_picture(ITEM) if auxiliary else ITEM.picture).png()


def gold() -> Image.Image:
    return Image.open(io.BytesIO(drawn(auxiliary=True)))


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


def pixels(png: bytes) -> Any:
    with Image.open(io.BytesIO(png)) as image:
        assert image.mode == "RGB"
        return np.asarray(image).astype(int)


@pytest.mark.parametrize(
    "ref",
    [
        pytest.param(ref, marks=() if at % 9 == 0 else pytest.mark.sweep, id=ref.family)
        for at, ref in enumerate(FIRST_OF_EACH)
    ],
)
def test_constructions_are_red_on_the_same_raster(ref: Any) -> None:
    item = SOURCE.item(ref)
    original, auxiliary = pixels(item.picture.png()), pixels(auxiliary_picture(item).png())
    changed = (original != auxiliary).any(axis=2)
    added = auxiliary[changed]
    assert original.shape == auxiliary.shape
    assert 480 <= original.shape[1] <= 640
    assert changed.sum() > 100
    assert (added[:, 0] >= added[:, 1]).all()
    assert (added == RED).all(axis=1).sum() > 50
    assert (original == original[:, :, :1]).all()


def test_another_process_draws_the_same_bytes() -> None:
    refs = FIRST_OF_EACH[::10]
    code = (
        "import hashlib, json\n"
        "from generators.auxsolidmath.source import AuxSolidMathSource, auxiliary_picture\n"
        "source = AuxSolidMathSource()\n"
        f"items = [source.item(source.case(item_id)) for item_id in {[ref.id for ref in reversed(refs)]!r}]\n"
        "pictures = {item.id: [item.picture, auxiliary_picture(item)] for item in items}\n"
        "print(json.dumps({name: [[p.key, hashlib.sha256(p.png()).hexdigest()] for p in pair]"
        " for name, pair in pictures.items()}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    here = {}
    for ref in refs:
        item = SOURCE.item(ref)
        pair = (item.picture, auxiliary_picture(item))
        here[ref.id] = [[picture.key, hashlib.sha256(picture.png()).hexdigest()] for picture in pair]
    assert json.loads(done.stdout) == here


def test_pictures_hold_size_and_pixels_only() -> None:
    data = SOURCE.item(FIRST_OF_EACH[0]).picture.png()
    assert check_png(data).width >= 480
    assert [kind in data for kind in (b"pHYs", b"tEXt", b"tIME")] == [False, False, False]


def test_a_picture_without_fonts_is_an_error_of_that_item(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = SOURCE.item(FIRST_OF_EACH[0]).picture
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    _font.cache_clear()
    _font_folder.cache_clear()
    with pytest.raises(PictureError, match=r"auxsolidmath_easy-G01-000: cannot draw the picture: .*matplotlib"):
        picture.png()
    _font.cache_clear()
    _font_folder.cache_clear()


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda image: image, id="same"),
        pytest.param(moved, id="moved"),
        pytest.param(padded, id="padded", marks=pytest.mark.sweep),
        pytest.param(lambda image: image.resize((1024, 1024)), id="stretched", marks=pytest.mark.sweep),
    ],
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
    found = diagnose(ITEM, drawn(auxiliary=False))
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
    image = Image.open(io.BytesIO(drawn(auxiliary=False)))
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
    monkeypatch.setattr("generators.auxsolidmath.drawing.pictures.MAX_PIXELS", 1_000_000)
    with pytest.raises(PictureError, match="expected a drawing of at most 1000000 pixels, got 1001 x 1000"):
        diagnose(ITEM, drawing)


def test_an_item_without_points_is_refused() -> None:
    item = replace(ITEM, id="row-1", extra={})
    with pytest.raises(ValueError, match="row-1: expected an item with points and projection"):
        diagnose(item, b"")
