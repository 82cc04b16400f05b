"""Drawing: the stated rule for grey, whole dots or cut ones, frozen pixels, whole files."""

from __future__ import annotations

import io
import json
import math
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from generators.geometry import GeometrySource, list_images
from generators.geometry.drawing import DRAWING_VERSION, DotPicture, draw_grey, encode_png, rgb_rows
from generators.geometry.layout import STANDARD_CANVAS, Canvas, Dot
from generators.png import check_png

if TYPE_CHECKING:
    from generators.items import Item

FROZEN = Path(__file__).parents[3] / "fixtures" / "geometry_pixels.json"
SMALL = Canvas(width_px=40, height_px=30, um_per_px=1.0)


def _dot(x: float, y: float, diameter: float) -> Dot:
    return Dot(x_um=x, y_um=y, diameter_um=diameter, role="spot")


def test_pixels_of_the_standard_suite_are_frozen(items: tuple[Item, ...]) -> None:
    frozen = json.loads(FROZEN.read_text(encoding="utf-8"))

    assert frozen["drawing_version"] == DRAWING_VERSION
    assert list(frozen["pixels_sha256"]) == [ref.id for ref in list_images()]
    assert [_pixels(item.picture) for item in items] == [frozen["pixels_sha256"][item.id] for item in items]


def _pixels(picture: object) -> str:
    assert isinstance(picture, DotPicture)
    return picture.pixels_sha256()


@pytest.mark.parametrize(("x", "y"), [(20.0, 15.0), (20.37, 14.81), (0.5, 0.5), (39.9, 29.9), (-3.0, 15.0)])
@pytest.mark.parametrize("diameter", [0.6, 1.0, 3.0, 14.3])
def test_grey_is_the_covered_part_also_where_the_border_cuts(x: float, y: float, diameter: float) -> None:
    rows = draw_grey([_dot(x, y, diameter)], SMALL)

    for row in range(SMALL.height_px):
        for column in range(SMALL.width_px):
            distance = math.sqrt((column + 0.5 - x) ** 2 + (row + 0.5 - y) ** 2)
            expected = 255 * min(1.0, max(0.0, diameter / 2 + 0.5 - distance))
            assert abs(rows[row][column] - expected) <= 0.51, (row, column)


def test_a_dot_outside_draws_nothing() -> None:
    assert not any(any(row) for row in draw_grey([_dot(-50, -50, 5), _dot(500, 10, 5)], SMALL))


def test_overlapping_dots_keep_the_brighter_pixel() -> None:
    one, both = draw_grey([_dot(20, 15, 9)], SMALL), draw_grey([_dot(20, 15, 9), _dot(26.3, 15, 9)], SMALL)

    assert all(after >= before for a, b in zip(one, both, strict=True) for before, after in zip(a, b, strict=True))


def test_the_file_is_a_whole_rgb_png_without_metadata() -> None:
    data = GeometrySource().item("USSS_s3_d50_wb").picture.png()

    size = check_png(data)
    with Image.open(io.BytesIO(data)) as picture:
        assert (picture.mode, picture.info) == ("RGB", {})
        decoded = picture.tobytes()

    assert (size.width, size.height) == (STANDARD_CANVAS.width_px, STANDARD_CANVAS.height_px)
    assert decoded == b"".join(rgb_rows(draw_grey(_dots("USSS_s3_d50_wb"), STANDARD_CANVAS)))
    assert data == encode_png(rgb_rows(draw_grey(_dots("USSS_s3_d50_wb"), STANDARD_CANVAS)))


def _dots(image_id: str) -> tuple[Dot, ...]:
    return GeometrySource().record(image_id).dots


def test_the_cache_key_follows_the_content() -> None:
    picture = DotPicture(dots=(_dot(1, 2, 3),), canvas=SMALL)

    assert picture.key == DotPicture(dots=(_dot(1, 2, 3),), canvas=SMALL).key
    assert picture.key != DotPicture(dots=(_dot(1, 2, 4),), canvas=SMALL).key
    assert picture.key != DotPicture(dots=(_dot(1, 2, 3),), canvas=STANDARD_CANVAS).key
    assert picture.key.isalnum()
