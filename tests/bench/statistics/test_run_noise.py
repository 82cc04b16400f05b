"""Noise floor, drift, and the interval for these very items."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest
from hypothesis import given

from bench.statistics.intervals import wilson_interval
from bench.statistics.tests import drift_p, noise_floor, repeat_noise, these_items_limits
from tests.bench.statistics.pairs import case_pairs, from_counts, from_passes

if TYPE_CHECKING:
    from bench.statistics.tests import CasePair


def test_the_band_is_made_from_wilsons_upper_limit() -> None:
    floor = noise_floor(18, 450, repeats=1)
    upper = wilson_interval(18, 450, 1.6448536).high
    assert upper is not None
    assert (floor.rate, floor.upper) == pytest.approx((0.04, upper))
    assert floor.band == pytest.approx(1.959964 * math.sqrt(upper / 450))


def test_repeats_narrow_the_band() -> None:
    assert noise_floor(18, 450, repeats=4).band == pytest.approx(noise_floor(18, 450, repeats=1).band / 2)


def test_a_model_that_repeats_itself_still_has_a_band() -> None:
    assert noise_floor(0, 450, repeats=1).band == pytest.approx(0.0072, abs=5e-4)


def test_noise_from_repeats_counts_differing_pairs() -> None:
    assert repeat_noise([0, 3, 1, 2], repeats=3) == pytest.approx(4 / 3)
    assert repeat_noise([1, 2, 0], repeats=2) == 1.0


@pytest.mark.parametrize(
    ("losses", "gains", "drifts"), [(9, 9, False), (12, 2, True), (0, 6, True), (0, 5, False)]
)
def test_one_sided_change_between_two_runs_of_one_model_is_drift(losses: int, gains: int, *, drifts: bool) -> None:
    assert (drift_p(from_counts(losses, gains, 450)) < 0.05) is drifts


def test_these_very_items_worked_by_hand() -> None:
    limits = these_items_limits(from_passes((3, 2, 0, 3), (3, 3, 1, 1)), repeats=3)
    half = 1.6448536 * math.sqrt((2 / 9 + 2 / 9 + 2 / 9) / 2) / 4
    assert (limits.low, limits.high) == pytest.approx((-half, half), abs=1e-6)


@given(case_pairs(repeats=3))
def test_these_very_items_hold_their_difference(cases: list[CasePair]) -> None:
    limits = these_items_limits(cases, repeats=3)
    delta = sum(case.gained for case in cases) / (3 * len(cases))
    assert limits.low - 1e-12 <= delta <= limits.high + 1e-12
