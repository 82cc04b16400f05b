"""Intervals against worked examples, SciPy, and their own invariants."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from bench.statistics.intervals import Cluster, Interval, clustered_interval, design_effect, wilson_interval

FIELDS = [
    Cluster(passed=passed, n=n)
    for passed, n in zip((5, 4, 0, 3, 4, 2, 3, 1, 5, 0), (5, 4, 3, 5, 4, 2, 3, 4, 5, 5), strict=True)
]


def test_wilson_of_the_published_item_rate() -> None:
    found = wilson_interval(308, 450)
    assert (found.low, found.high) == pytest.approx((0.6401, 0.7257), abs=5e-5)


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


@given(CLUSTERS)
def test_an_interval_holds_its_rate(clusters: list[Cluster]) -> None:
    found = clustered_interval(clusters)
    if found.rate is None:
        assert sum(cluster.n for cluster in clusters) == 0
        return
    assert found.low is not None
    assert found.high is not None
    assert 0.0 <= found.low <= found.rate <= found.high <= 1.0


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
