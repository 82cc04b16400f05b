"""Means and percentiles, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.results.aggregate import mean, percentile, rate, total

VALUES = st.lists(st.floats(-1e9, 1e9) | st.none(), min_size=1).filter(
    lambda values: any(value is not None for value in values)
)


@given(VALUES, st.floats(0, 100))
def test_mean_and_percentile_are_numpys_over_what_is_there(values: list[float | None], percent: float) -> None:
    present = np.array([value for value in values if value is not None])
    assert mean(values) == pytest.approx(float(present.mean()), rel=1e-9, abs=1e-5)
    assert percentile(values, percent) == pytest.approx(float(np.percentile(present, percent)), abs=1e-5)


def test_nothing_there_gives_nothing() -> None:
    assert (mean([None]), percentile([], 50.0), rate([]), total([None])) == (None, None, None, None)


def test_a_mean_of_huge_values_does_not_overflow() -> None:
    assert mean([1.7e308, 1.7e308, 1.7e308]) == pytest.approx(1.7e308)


def test_rate_and_total() -> None:
    assert rate([True, False, True, True]) == 0.75
    assert total([1, None, 2]) == 3
