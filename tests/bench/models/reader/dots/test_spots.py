"""Spots are found one by one, to a fraction of a pixel, touching or not, in files of any kind."""

from __future__ import annotations

import io
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from bench.models.reader.dots import answer_dots
from bench.models.reader.dots.picture import spot_coverage
from bench.models.reader.dots.spots import find_spots
from tests.bench.models.reader.dots.drawing import ASKED, dots_png, lattice_um, pixels_of, png, saved

SCALE = 0.14
HEXAGONAL = dots_png(lattice_um(12, 7))
COUNT = len(lattice_um(12, 7))


@given(
    cells=st.sets(st.tuples(st.integers(0, 8), st.integers(0, 5)), max_size=54),
    shift=st.tuples(st.floats(-1, 1), st.floats(-1, 1)),
    diameter_um=st.floats(1.2, 7),
)
@settings(max_examples=30, deadline=None)
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


@pytest.mark.parametrize("diameter_um", [1.5, 2.0, 3.0, 5.0, 9.0])
@pytest.mark.parametrize("apart", [1.0, 0.9, 0.75, 0.6])
@pytest.mark.parametrize("turn_deg", [0, 20, 53])
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


def _changed() -> dict[str, bytes]:
    pixels = pixels_of(HEXAGONAL)
    image = Image.fromarray(pixels)
    grey = np.ascontiguousarray(pixels[..., 0])
    noise = np.random.default_rng(3).normal(0, 10, pixels.shape)
    clear = Image.new("RGBA", image.size, (0, 0, 0, 0))
    clear.paste((0, 0, 0, 255), mask=image.convert("L"))
    jpeg = Image.open(io.BytesIO(saved(image, "JPEG")))
    return {
        "black on white": png(255 - pixels),
        "grey on grey": png((pixels * 0.4 + 70).astype(np.uint8)),
        "red on blue": png(np.stack([grey, grey * 0, 255 - grey], axis=-1)),
        "noisy": png(np.clip(pixels * 0.7 + 40 + noise, 0, 255).astype(np.uint8)),
        "once a JPEG": saved(jpeg),
        "palette": saved(image.convert("P")),
        "one bit": saved(image.convert("1", dither=Image.Dither.NONE)),
        "sixteen bits": png(grey.astype(np.uint16) * 257),
        "alpha": saved(image.convert("RGBA")),
        "grey and alpha": saved(image.convert("LA")),
        "transparent ground": saved(clear),
    }


CHANGED = _changed()


@pytest.mark.parametrize("kind", CHANGED)
def test_files_of_any_kind_are_read(kind: str) -> None:
    assert answer_dots(CHANGED[kind], ASKED["COUNT"]) == f"COUNT: {COUNT}"
    assert answer_dots(CHANGED[kind], ASKED["SPACING"]) == "SPACING: 12 µm"
    assert answer_dots(CHANGED[kind], ASKED["REGULARITY"]) == "REGULARITY: REGULAR"
    said = answer_dots(CHANGED[kind], ASKED["SIZE"])
    assert float(said.split()[1]) == pytest.approx(3.0, rel=0.03)
