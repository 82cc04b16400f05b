"""Tango's interval: worked examples, inversion of the constrained likelihood, and its symmetries."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize

from bench.statistics.intervals import constrained_variance, normal_quantile, tango_limits, tango_score

Z_UPGRADE = normal_quantile(0.955)
Z_95 = normal_quantile(0.975)

COUNTS = st.integers(1, 400).flatmap(
    lambda n: st.integers(0, n).flatmap(lambda b: st.tuples(st.just(b), st.integers(0, n - b), st.just(n)))
)


@pytest.mark.parametrize(
    ("counts", "z", "low", "high"),
    [
        ((29, 45, 450), Z_UPGRADE, 0.0032, 0.0686),
        ((29, 45, 450), Z_95, -0.0020, 0.0739),
        ((68, 36, 450), Z_UPGRADE, -0.1097, -0.0331),
        ((7, 1, 21), Z_95, -0.5172, -0.0260),
        ((0, 0, 300), Z_UPGRADE, -0.0095, 0.0095),
        ((32, 45, 450), Z_UPGRADE, -0.0042, 0.0625),
        ((29, 46, 450), Z_UPGRADE, 0.0052, 0.0710),
    ],
)
def test_worked_examples(counts: tuple[int, int, int], z: float, low: float, high: float) -> None:
    limits = tango_limits(*counts, z)
    assert (limits.low, limits.high) == pytest.approx((low, high), abs=5e-5)


@given(COUNTS, st.sampled_from([Z_UPGRADE, Z_95]))
def test_exchanging_the_models_mirrors_the_interval(counts: tuple[int, int, int], z: float) -> None:
    losses, gains, n = counts
    here, there = tango_limits(losses, gains, n, z), tango_limits(gains, losses, n, z)
    assert (here.low, here.high) == pytest.approx((-there.high, -there.low), abs=1e-9)


@given(COUNTS)
def test_the_interval_holds_its_difference_and_lies_within_bounds(counts: tuple[int, int, int]) -> None:
    losses, gains, n = counts
    limits = tango_limits(losses, gains, n, Z_95)
    assert -1.0 <= limits.low <= (gains - losses) / n <= limits.high <= 1.0


@given(COUNTS.filter(lambda counts: sum(counts[:2]) < counts[2]))
def test_a_further_loss_lowers_both_limits(counts: tuple[int, int, int]) -> None:
    losses, gains, n = counts
    before, after = tango_limits(losses, gains, n, Z_95), tango_limits(losses + 1, gains, n, Z_95)
    assert after.low <= before.low + 1e-12
    assert after.high <= before.high + 1e-12


@given(COUNTS, st.floats(1.2, 8))
def test_more_cases_of_the_same_kind_narrow_the_interval(counts: tuple[int, int, int], factor: float) -> None:
    losses, gains, n = counts
    few, many = (
        tango_limits(losses, gains, n, Z_95),
        tango_limits(losses * factor, gains * factor, n * factor, Z_95),
    )
    assert many.low >= few.low - 1e-12
    assert many.high <= few.high + 1e-12


@given(st.integers(1, 5000), st.floats(0.5, 4))
def test_without_a_discordant_case_the_limits_have_a_closed_form(n: int, z: float) -> None:
    limits = tango_limits(0, 0, n, z)
    assert (limits.low, limits.high) == pytest.approx((-z * z / (n + z * z), z * z / (n + z * z)), abs=1e-9)


@pytest.mark.parametrize("counts", [(29, 45, 450), (7, 1, 21), (3, 9, 30), (1, 0, 12), (68, 36, 450)])
@pytest.mark.parametrize("difference", [-0.4, -0.1, -0.02, 0.0, 0.05, 0.3])
def test_the_variance_is_that_of_the_constrained_likelihood(
    counts: tuple[int, int, int], difference: float
) -> None:
    losses, gains, n = counts

    def negative_log_likelihood(lost: float) -> float:
        same = 1 - 2 * lost - difference
        parts = ((losses, lost), (gains, lost + difference), (n - losses - gains, same))
        return -sum(count * math.log(max(part, 1e-300)) for count, part in parts if count)

    found = optimize.minimize_scalar(
        negative_log_likelihood,
        bounds=(max(0.0, -difference), (1 - difference) / 2),
        method="bounded",
        options={"xatol": 1e-12},
    )
    expected = 2 * found.x + difference * (1 - difference)
    assert constrained_variance(losses, gains, n, difference) == pytest.approx(expected, abs=2e-6)


def test_the_score_is_zero_at_the_estimate_and_infinite_where_nothing_varies() -> None:
    assert tango_score(3, 9, 30, 0.2) == 0.0
    assert tango_score(0, 0, 30, 0.0) == 0.0
    assert tango_score(0, 30, 30, -1.0) == math.inf


@pytest.mark.parametrize("counts", [(1, 1, 0), (-1, 0, 5), (3, 3, 5)])
def test_impossible_counts_are_refused(counts: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="expected n > 0, losses and gains from 0 to n together"):
        tango_limits(*counts, Z_95)
