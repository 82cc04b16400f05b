"""Spots are found one by one, to a fraction of a pixel, touching or not, in files of any kind."""

from __future__ import annotations

import io
import math
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from bench.models.reader.dots.answer import answer_dots
from bench.models.reader.dots.spots import find_spots, spot_coverage
from tests.bench.models.reader.dots.drawing import ASKED, dots_png, lattice_um, pixels_of, png, saved
from tests.bench.models.reader.sweep import sweep

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

SCALE = 0.14
HEXAGONAL = dots_png(lattice_um(12, 7))
COUNT = len(lattice_um(12, 7))


@given(
    cells=st.sets(st.tuples(st.integers(0, 8), st.integers(0, 5)), max_size=54),
    shift=st.tuples(st.floats(-1, 1), st.floats(-1, 1)),
    diameter_um=st.floats(1.2, 7),
)
@settings(max_examples=10, deadline=None)
def test_separate_spots_are_counted_placed_and_measured(
    cells: set[tuple[int, int]], shift: tuple[float, float], diameter_um: float
) -> None:
    def row_and_x(at: tuple[float, float]) -> tuple[int, float]:
        return round((at[1] - 8 - shift[1]) / 10), at[0]

    places = sorted(
        ((9 + 10 * column + shift[0], 8 + 10 * row + shift[1]) for column, row in cells), key=row_and_x
    )
    spots = find_spots(spot_coverage(dots_png(places, diameter_um)))

    assert len(spots) == len(places)
    found = sorted(zip(spots.x_px * SCALE, spots.y_px * SCALE, strict=True), key=row_and_x)
    for one, other in zip(found, places, strict=True):
        assert math.dist(one, other) <= 0.05 * SCALE
    assert spots.diameter_px * SCALE == pytest.approx(np.full(len(places), diameter_um), rel=0.01)


PAIRS = list(product([1.5, 2.0, 3.0, 5.0, 9.0], [1.0, 0.9, 0.75, 0.6], [0, 20, 53]))


@pytest.mark.parametrize(("diameter_um", "apart", "turn_deg"), sweep(PAIRS, default=PAIRS[::11]))
def test_two_spots_in_touch_are_two(diameter_um: float, apart: float, turn_deg: int) -> None:
    step = diameter_um * apart
    other = (40 + step * math.cos(math.radians(turn_deg)), 30 + step * math.sin(math.radians(turn_deg)))
    spots = find_spots(spot_coverage(dots_png([(40, 30), other], diameter_um)))

    assert len(spots) == 2
    assert spots.diameter_px * SCALE == pytest.approx([diameter_um] * 2, rel=0.05)
    for place in ((40.0, 30.0), other):
        gaps = np.hypot(spots.x_px * SCALE - place[0], spots.y_px * SCALE - place[1])
        assert gaps.min() <= 0.5 * SCALE


def test_a_chain_of_spots_in_touch_is_taken_apart() -> None:
    places = [(20 + 2.8 * place, 30 + 2 * (place % 2)) for place in range(12)]
    assert len(find_spots(spot_coverage(dots_png(places)))) == 12


def test_spots_that_the_border_cuts_count_and_are_not_measured() -> None:
    cut = dots_png([(0.5, 30), (97.8, 30), (50, 0.4), (50, 71.2), (50, 35), (20, 20)])

    assert answer_dots(cut, ASKED["COUNT"]) == "COUNT: 6"
    assert answer_dots(cut, ASKED["SIZE RANGE"]) == "SMALLEST: 3 µm\nLARGEST: 3 µm"
    assert "nothing to measure" in answer_dots(dots_png([(0.5, 30)]), ASKED["SIZE"])


def test_specks_are_no_spots() -> None:
    pixels = pixels_of(dots_png([(30, 30)])).copy()
    pixels[::50, ::70] = 255
    assert answer_dots(png(pixels), ASKED["COUNT"]) == "COUNT: 1"


PIXELS = pixels_of(HEXAGONAL)
GREY = np.ascontiguousarray(PIXELS[..., 0])
IMAGE = Image.fromarray(PIXELS)


def _noisy() -> bytes:
    noise = np.random.default_rng(3).normal(0, 10, PIXELS.shape)
    return png(np.clip(PIXELS * 0.7 + 40 + noise, 0, 255).astype(np.uint8))


def _on_transparent_ground() -> bytes:
    clear = Image.new("RGBA", IMAGE.size, (0, 0, 0, 0))
    clear.paste((0, 0, 0, 255), mask=IMAGE.convert("L"))
    return saved(clear)


CHANGED: Mapping[str, Callable[[], bytes]] = {
    "black on white": lambda: png(255 - PIXELS),
    "grey on grey": lambda: png((PIXELS * 0.4 + 70).astype(np.uint8)),
    "red on blue": lambda: png(np.stack([GREY, GREY * 0, 255 - GREY], axis=-1)),
    "noisy": _noisy,
    "once a JPEG": lambda: saved(Image.open(io.BytesIO(saved(IMAGE, "JPEG")))),
    "palette": lambda: saved(IMAGE.convert("P")),
    "one bit": lambda: saved(IMAGE.convert("1", dither=Image.Dither.NONE)),
    "sixteen bits": lambda: png(GREY.astype(np.uint16) * 257),
    "alpha": lambda: saved(IMAGE.convert("RGBA")),
    "grey and alpha": lambda: saved(IMAGE.convert("LA")),
    "transparent ground": _on_transparent_ground,
}


@pytest.mark.parametrize("kind", sweep(CHANGED, default=list(CHANGED)[::3]))
def test_files_of_any_kind_are_read(kind: str) -> None:
    picture = CHANGED[kind]()
    assert answer_dots(picture, ASKED["COUNT"]) == f"COUNT: {COUNT}"
    assert answer_dots(picture, ASKED["SPACING"]) == "SPACING: 12 µm"
    assert answer_dots(picture, ASKED["REGULARITY"]) == "REGULARITY: REGULAR"
    said = answer_dots(picture, ASKED["SIZE"])
    assert float(said.split()[1]) == pytest.approx(3.0, rel=0.03)
