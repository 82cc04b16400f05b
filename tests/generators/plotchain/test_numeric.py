"""Rounding, tick steps, draws, bisection."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generators.plotchain.family import PlotDraws
from generators.plotchain.numeric import bisect, nice_step, round_half_even
from generators.plotchain.source import difficulty_plan


@given(st.floats(-1e6, 1e6), st.integers(0, 4))
def test_rounding_is_numpys(value: float, decimals: int) -> None:
    assert round_half_even(value, decimals) == float(np.round(value, decimals))


@pytest.mark.parametrize(
    ("value", "decimals", "rounded"), [(0.0125, 3, 0.012), (24.25, 1, 24.2), (-45.0, 1, -45.0)]
)
def test_ties_go_to_the_even_digit(value: float, decimals: int, rounded: float) -> None:
    assert round_half_even(value, decimals) == rounded


@given(st.floats(1e-6, 1e6), st.integers(1, 10))
def test_a_tick_step_is_the_smallest_nice_one_that_suffices(extent: float, intervals: int) -> None:
    step = nice_step(extent, intervals)

    digits = f"{step:.6e}"
    assert digits[0] in "125"
    assert set(digits[2:8]) == {"0"}
    assert step * intervals >= extent * (1 - 1e-9)
    assert step * intervals <= 2.5 * extent * (1 + 1e-9)


def _draws() -> PlotDraws:
    return PlotDraws(rng=np.random.default_rng(1), difficulty="clean")


def test_picks_use_the_stream_as_choice_does() -> None:
    options = [10.0, 20.0, 30.0, 40.0, 50.0]
    ours, rng = _draws(), np.random.default_rng(1)

    for _ in range(50):
        assert ours.pick(options) == float(rng.choice(options))
        assert ours.pick_two(options) == tuple(rng.choice(options, size=2, replace=False))
        assert ours.uniform(2.0, 3.0) == float(rng.uniform(2.0, 3.0))


@pytest.mark.parametrize(("count", "shares"), [(1, (0, 0, 1)), (2, (1, 1, 0)), (10, (4, 3, 3)), (30, (12, 9, 9))])
def test_a_plan_is_forty_thirty_and_the_rest(count: int, shares: tuple[int, int, int]) -> None:
    plan = difficulty_plan(0, "any", count)

    assert tuple(plan.count(name) for name in ("clean", "moderate", "edge")) == shares


@given(st.floats(1e-3, 1e6), st.floats(1e-3, 1e6), st.floats(1e-3, 1e6), st.sampled_from([-1.0, 1.0]))
def test_a_crossing_is_found_to_the_last_bit(place: float, left: float, right: float, slope: float) -> None:
    found = bisect(lambda x: slope * (x - place), place - left, place + right)

    assert abs(found - place) <= math.ulp(place)


def test_near_zero_the_distance_of_the_points_sets_the_limit() -> None:
    assert 0.0 < bisect(lambda x: x, -1.0, 2.0) <= 3.0 * 2.0**-200
