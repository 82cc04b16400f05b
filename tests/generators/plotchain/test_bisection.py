"""A change of sign, found by halving."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from generators.plotchain.bisection import bisect


@given(st.floats(1e-3, 1e6), st.floats(1e-3, 1e6), st.floats(1e-3, 1e6), st.sampled_from([-1.0, 1.0]))
def test_a_crossing_is_found_to_the_last_bit(place: float, left: float, right: float, slope: float) -> None:
    found = bisect(lambda x: slope * (x - place), place - left, place + right)

    assert abs(found - place) <= math.ulp(place)


def test_near_zero_the_distance_of_the_points_sets_the_limit() -> None:
    assert 0.0 < bisect(lambda x: x, -1.0, 2.0) <= 3.0 * 2.0**-200
