"""The pictures show exactly what the manifest says, as measured without knowing it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pytest

from generators.geometry import GeometrySource, list_images
from tests.generators.geometry.measuring import measure

if TYPE_CHECKING:
    from generators.items import Item

IDS = [ref.id for ref in list_images()]
CENTRE_PX, DIAMETER_PX = 0.5, 1.0


def assert_shows_its_truth(item: Item) -> None:
    """Pair every measured dot with the nearest true one; both sides must be used up."""
    scale = item.truth["um_per_px"]
    dots: Any = item.truth["dots"]
    assert isinstance(scale, float)
    seen = measure(item.picture.png())
    left = [(dot["x_um"] / scale, dot["y_um"] / scale, dot["diameter_um"] / scale) for dot in dots]
    assert len(seen) == len(left) == item.truth["count"], item.id
    for dot in seen:
        nearest = min(left, key=lambda true: math.hypot(true[0] - dot.x_px, true[1] - dot.y_px))
        assert math.hypot(nearest[0] - dot.x_px, nearest[1] - dot.y_px) <= CENTRE_PX, (item.id, dot)
        assert abs(nearest[2] - dot.diameter_px) <= DIAMETER_PX, (item.id, dot)
        left.remove(nearest)


def test_every_dot_of_the_standard_suite_is_found_where_and_as_large_as_stated(items: tuple[Item, ...]) -> None:
    for item in items:
        assert_shows_its_truth(item)


@pytest.mark.sweep
def test_pictures_of_other_seeds_show_their_truth() -> None:
    for seed in range(1, 31):
        assert_shows_its_truth(GeometrySource(seed=seed).item(IDS[seed * 37 % len(IDS)]))


@pytest.mark.slow
def test_five_hundred_pictures_of_other_seeds_show_their_truth() -> None:
    for number in range(500):
        assert_shows_its_truth(GeometrySource(seed=1000 + number).item(IDS[number % len(IDS)]))
