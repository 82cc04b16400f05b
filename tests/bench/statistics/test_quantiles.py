"""Student's t without a numerical library is SciPy's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from bench.statistics.intervals import cdf, quantile, t_cdf, t_quantile


@pytest.mark.parametrize("degrees", [1, 2, 3, 4, 9, 29, 30, 91, 449, 999, 1000, 1001, 5000, 10**6])
@pytest.mark.parametrize("probability", [0.025, 0.5, 0.955, 0.975])
def test_t_quantile_is_scipys(probability: float, degrees: int) -> None:
    assert t_quantile(probability, degrees) == pytest.approx(float(stats.t.ppf(probability, degrees)), abs=1e-8)


@given(st.floats(-60, 60), st.integers(1, 1500))
def test_t_cdf_is_scipys(t: float, degrees: int) -> None:
    assert t_cdf(t, degrees) == pytest.approx(float(stats.t.cdf(t, degrees)), abs=1e-10)


def test_without_degrees_the_distribution_is_normal() -> None:
    assert quantile(0.955, None) == pytest.approx(1.6954, abs=5e-5)
    assert cdf(1.6953977, None) == pytest.approx(0.955, abs=1e-7)
    assert (quantile(0.975, 10**7), cdf(1.0, 900)) == pytest.approx((1.959964, stats.t.cdf(1.0, 900)), abs=1e-6)
