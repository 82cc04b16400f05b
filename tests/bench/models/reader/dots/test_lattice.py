"""Arrangements are told apart at any spacing and turn; defects are counted by what surrounds them."""

from __future__ import annotations

import random
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.models.reader.dots.answer import answer_dots
from bench.models.reader.dots.lattice import surrounded_gaps
from generators.geometry import GeometrySource
from tests.bench.models.reader.dots.drawing import ASKED, dots_png, lattice_um
from tests.bench.models.reader.sweep import sweep

SPACINGS_UM = [6.0, 9.5, 13.0, 17.0]
SITES = [(first, second) for second in range(8) for first in range(-second // 2, 9 - second // 2)]


@pytest.mark.parametrize(
    ("spacing_um", "turn_deg"), sweep(product(SPACINGS_UM, [0, 11, 30, 49]), default=[(9.5, 11), (17.0, 49)])
)
def test_hexagonal_grids_of_any_turn_are_hexagonal(spacing_um: float, turn_deg: float) -> None:
    picture = dots_png(lattice_um(spacing_um, turn_deg))

    assert answer_dots(picture, ASKED["PATTERN"]) == "PATTERN: HEXAGONAL"
    assert answer_dots(picture, ASKED["SPACING"]) == f"SPACING: {spacing_um:.3g} µm"
    assert answer_dots(picture, ASKED["REGULARITY"]) == "REGULARITY: REGULAR"
    assert answer_dots(picture, ASKED["DEFECT"]) == "DEFECTS: NO\nMISSING: 0\nEXTRA: 0"


@pytest.mark.parametrize(
    ("spacing_um", "turn_deg", "moved_um"),
    sweep(product(SPACINGS_UM, [0, 11, 45, 80], [0.0, 0.6]), default=[(9.5, 80, 0.6), (17.0, 11, 0.0)]),
)
def test_square_grids_of_any_turn_are_grids_and_have_no_hexagonal_spacing(
    spacing_um: float, turn_deg: float, moved_um: float
) -> None:
    picture = dots_png(lattice_um(spacing_um, turn_deg, square=True, moved_um=moved_um))

    assert answer_dots(picture, ASKED["PATTERN"]) == "PATTERN: GRID"
    assert answer_dots(picture, ASKED["SPACING"]).startswith("I cannot read this picture: its spots show no hexag")


@pytest.mark.parametrize("moved_um", sweep([0.3, 0.8, 1.5], default=[1.5]))
def test_displaced_spots_are_perturbed_and_no_defects(moved_um: float) -> None:
    picture = dots_png(lattice_um(10, 20, moved_um=moved_um))

    assert answer_dots(picture, ASKED["REGULARITY"]) == "REGULARITY: PERTURBED"
    assert answer_dots(picture, ASKED["DEFECT"]) == "DEFECTS: NO\nMISSING: 0\nEXTRA: 0"


@pytest.mark.parametrize("count", sweep([11, 20, 60, 150], default=[11, 60]))
def test_spots_at_random_are_random(count: int) -> None:
    rng = random.Random(count)
    spots: list[tuple[float, float]] = []
    while len(spots) < count:
        at = (rng.uniform(2, 96), rng.uniform(2, 69))
        if all(abs(at[0] - x) + abs(at[1] - y) > 3 for x, y in spots):
            spots.append(at)
    picture = dots_png(spots, 1.5)

    assert answer_dots(picture, ASKED["PATTERN"]) == "PATTERN: RANDOM"
    assert "no hexagonal grid" in answer_dots(picture, ASKED["DEFECT"])


def test_few_spots_tell_no_arrangement() -> None:
    assert "too few spots" in answer_dots(dots_png([(20, 20), (40, 30), (60, 20)]), ASKED["PATTERN"])


@pytest.mark.sweep
def test_many_spots_are_judged_by_those_in_the_middle() -> None:
    picture = dots_png(lattice_um(3.2, 5), 1.4)

    assert answer_dots(picture, ASKED["PATTERN"]) == "PATTERN: HEXAGONAL"
    assert answer_dots(picture, ASKED["SPACING"]) == "SPACING: 3.2 µm"


def test_neighbouring_gaps_are_all_counted() -> None:
    sites = lattice_um(9, 0)
    inner = [at for at in sites if 35 < at[0] < 60 and 25 < at[1] < 45][:4]
    left = [at for at in sites if at not in inner]

    assert answer_dots(dots_png(left), ASKED["DEFECT"]) == "DEFECTS: YES\nMISSING: 4\nEXTRA: 0"


def test_spots_between_sites_are_extra() -> None:
    sites = lattice_um(9, 0)
    between = [(x + 4.5, y + 2.6) for x, y in sites[20:23]]

    assert answer_dots(dots_png([*sites, *between]), ASKED["DEFECT"]) == "DEFECTS: YES\nMISSING: 0\nEXTRA: 3"


@given(gaps=st.sets(st.sampled_from(SITES)))
@settings(max_examples=60)
def test_gaps_are_sites_with_taken_ones_on_both_sides_three_ways(gaps: set[tuple[int, int]]) -> None:
    taken = set(SITES) - gaps
    found = surrounded_gaps(taken)

    assert found <= gaps
    directions = ((1, 0), (0, 1), (1, -1))
    for first, second in gaps:
        ways = all(
            any((first + sign * step * i, second + sign * step * j) in taken for step in range(1, 40))
            for i, j in directions
            for sign in (1, -1)
        )
        assert ((first, second) in found) == ways


def test_the_whole_interior_may_be_missing() -> None:
    interior = {
        (first, second) for first, second in SITES if 0 < second < 7 and -second // 2 < first < 8 - second // 2
    }
    assert surrounded_gaps(set(SITES) - interior) == interior


def test_an_empty_set_has_no_gaps() -> None:
    assert surrounded_gaps([]) == set()


def test_no_answer_depends_on_the_name_of_the_picture() -> None:
    source = GeometrySource(seed=4)
    pictures = {
        image_id: source.item(image_id).picture.png() for image_id in ("HSFR_sp8_wb", "HSDN_sp8_d20_n10_wb")
    }
    answers = {image_id: answer_dots(picture, ASKED["DEFECT"]) for image_id, picture in pictures.items()}
    assert answers["HSFR_sp8_wb"] != answers["HSDN_sp8_d20_n10_wb"]
