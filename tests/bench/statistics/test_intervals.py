"""Intervals: Wilson's, clustered ones, Tango's, and Student's t; against SciPy where it has them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

from bench.statistics.intervals import (
    Cluster,
    Interval,
    cdf,
    clustered_interval,
    constrained_variance,
    design_effect,
    normal_quantile,
    quantile,
    t_cdf,
    t_quantile,
    tango_limits,
    tango_score,
    wilson_interval,
)

FIELDS = [
    Cluster(passed=passed, n=n)
    for passed, n in zip((5, 4, 0, 3, 4, 2, 3, 1, 5, 0), (5, 4, 3, 5, 4, 2, 3, 4, 5, 5), strict=True)
]


def test_wilson_of_the_published_item_rate() -> None:
    found = wilson_interval(308, 450)
    assert (found.low, found.high) == pytest.approx((0.6401, 0.7257), abs=5e-5)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 2000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_is_scipys(counts: tuple[int, int]) -> None:
    passed, n = counts
    theirs = stats.binomtest(passed, n).proportion_ci(method="wilson")
    ours = wilson_interval(passed, n)
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


def test_clustered_fields_worked_example() -> None:
    assert design_effect(FIELDS) == pytest.approx(3.6159, abs=5e-5)
    found = clustered_interval(FIELDS)
    assert (found.rate, found.low, found.high) == pytest.approx((0.6750, 0.3505, 0.8888), abs=5e-5)


CLUSTERS = st.lists(
    st.integers(0, 5).flatmap(lambda n: st.builds(Cluster, n=st.just(n), passed=st.integers(0, n))), max_size=30
)


@settings(max_examples=40, deadline=None)
@given(CLUSTERS)
def test_an_interval_holds_its_rate(clusters: list[Cluster]) -> None:
    found = clustered_interval(clusters)
    if found.rate is None:
        assert sum(cluster.n for cluster in clusters) == 0
        return
    assert found.low is not None
    assert found.high is not None
    assert 0.0 <= found.low <= found.rate <= found.high <= 1.0


@settings(max_examples=40, deadline=None)
@given(CLUSTERS.filter(lambda clusters: sum(cluster.n > 0 for cluster in clusters) > 1))
def test_clusters_never_narrow_the_interval(clusters: list[Cluster]) -> None:
    clustered = _ends(clustered_interval(clusters))
    plain = _ends(
        wilson_interval(sum(cluster.passed for cluster in clusters), sum(cluster.n for cluster in clusters))
    )
    assert clustered[0] <= plain[0] + 1e-9
    assert clustered[1] >= plain[1] - 1e-9


def _ends(interval: Interval) -> tuple[float, float]:
    assert interval.low is not None
    assert interval.high is not None
    return interval.low, interval.high


def test_nothing_seen_gives_no_interval() -> None:
    nothing = Interval(rate=None, low=None, high=None)
    assert clustered_interval([]) == nothing
    assert clustered_interval([Cluster(passed=0, n=0)]) == nothing
    assert wilson_interval(0, 0) == nothing


def test_one_cluster_says_nothing_about_the_spread() -> None:
    assert clustered_interval([Cluster(passed=3, n=4)]) == Interval(rate=0.75, low=0.0, high=1.0)


@pytest.mark.parametrize(("passed", "end"), [(0, 0.0), (3, 1.0)])
def test_no_variance_between_clusters(passed: int, end: float) -> None:
    clusters = [Cluster(passed=passed, n=3)] * 20
    found = clustered_interval(clusters)
    assert design_effect(clusters) == 1.0
    assert end in {found.low, found.high}


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


@settings(max_examples=40, deadline=None)
@given(COUNTS, st.sampled_from([Z_UPGRADE, Z_95]))
def test_exchanging_the_models_mirrors_the_interval(counts: tuple[int, int, int], z: float) -> None:
    losses, gains, n = counts
    here, there = tango_limits(losses, gains, n, z), tango_limits(gains, losses, n, z)
    assert (here.low, here.high) == pytest.approx((-there.high, -there.low), abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(COUNTS)
def test_the_interval_holds_its_difference_and_lies_within_bounds(counts: tuple[int, int, int]) -> None:
    losses, gains, n = counts
    limits = tango_limits(losses, gains, n, Z_95)
    assert -1.0 <= limits.low <= (gains - losses) / n <= limits.high <= 1.0


@settings(max_examples=40, deadline=None)
@given(COUNTS.filter(lambda counts: sum(counts[:2]) < counts[2]))
def test_a_further_loss_lowers_both_limits(counts: tuple[int, int, int]) -> None:
    losses, gains, n = counts
    before, after = tango_limits(losses, gains, n, Z_95), tango_limits(losses + 1, gains, n, Z_95)
    assert after.low <= before.low + 1e-12
    assert after.high <= before.high + 1e-12


@settings(max_examples=40, deadline=None)
@given(COUNTS, st.floats(1.2, 8))
def test_more_cases_of_the_same_kind_narrow_the_interval(counts: tuple[int, int, int], factor: float) -> None:
    losses, gains, n = counts
    few, many = (
        tango_limits(losses, gains, n, Z_95),
        tango_limits(losses * factor, gains * factor, n * factor, Z_95),
    )
    assert many.low >= few.low - 1e-12
    assert many.high <= few.high + 1e-12


@settings(max_examples=40, deadline=None)
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


@pytest.mark.parametrize("degrees", [1, 2, 3, 4, 9, 29, 30, 91, 449, 999, 1000, 1001, 5000, 10**6])
@pytest.mark.parametrize("probability", [0.025, 0.5, 0.955, 0.975])
def test_t_quantile_is_scipys(probability: float, degrees: int) -> None:
    assert t_quantile(probability, degrees) == pytest.approx(float(stats.t.ppf(probability, degrees)), abs=1e-8)


@settings(max_examples=40, deadline=None)
@given(st.floats(-60, 60), st.integers(1, 1500))
def test_t_cdf_is_scipys(t: float, degrees: int) -> None:
    # SciPy returns 0.5 for t = 1e-9 and one degree, 3e-10 too little.
    assert t_cdf(t, degrees) == pytest.approx(float(stats.t.cdf(t, degrees)), abs=1e-9)


def test_without_degrees_the_distribution_is_normal() -> None:
    assert quantile(0.955, None) == pytest.approx(1.6954, abs=5e-5)
    assert cdf(1.6953977, None) == pytest.approx(0.955, abs=1e-7)
    assert (quantile(0.975, 10**7), cdf(1.0, 900)) == pytest.approx((1.959964, stats.t.cdf(1.0, 900)), abs=1e-6)
