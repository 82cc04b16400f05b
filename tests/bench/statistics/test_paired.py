"""Design effects of clusters and repeats, overall limits: worked examples and properties."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.statistics.intervals import overall_delta, overall_limits, overall_regression_p, quantile, weights
from bench.statistics.tests import ALPHA_TWO_SIDED, ALPHA_UPGRADE, CasePair, Paired, paired
from tests.bench.statistics.pairs import case_pairs, from_clusters, from_counts, from_passes, swapped

if TYPE_CHECKING:
    import random

CLUSTERED = from_clusters(
    (4, 4, 5, 4, 5, 4, 4, 5, 4, 5), (0, 2, 0, 0, 3, 0, 1, 0, 0, 0), (1, 0, 0, 0, 0, 0, 0, 1, 0, 1)
)
REPEATED = from_passes((3, 3, 3, 2, 3, 0, 3, 1, 3, 3), (0, 3, 2, 2, 1, 1, 3, 0, 3, 0))
SUITES = [
    Paired(losses=29, gains=45, n=450),
    Paired(losses=26, gains=32, n=400, cluster_effect=1.3, degrees=91),
    Paired(losses=18, gains=16, n=300),
]


def test_single_cases_asked_once_have_no_design_effect() -> None:
    found = paired(from_counts(29, 45, 450), repeats=1)
    assert found == Paired(losses=29, gains=45, n=450)
    limits = found.limits(ALPHA_UPGRADE)
    assert (found.delta, limits.low, limits.high) == pytest.approx((0.0356, 0.0032, 0.0686), abs=5e-5)


def test_a_regression_worked_example() -> None:
    found = paired(from_counts(68, 36, 450), repeats=1)
    assert (found.delta, found.regression_p()) == pytest.approx((-0.0711, 0.0009), abs=5e-5)


def test_clusters_worked_example() -> None:
    found = paired(CLUSTERED, repeats=1)
    limits = found.limits(ALPHA_UPGRADE)
    assert (found.delta, found.deff, found.n / found.deff) == pytest.approx((-0.0682, 2.0387, 21.5820), abs=5e-5)
    assert quantile(1 - ALPHA_UPGRADE, found.degrees) == pytest.approx(1.8992, abs=5e-5)
    assert (limits.low, limits.high, found.regression_p()) == pytest.approx((-0.2805, 0.1423, 0.2507), abs=5e-5)


def test_repeats_worked_example() -> None:
    found = paired(REPEATED, repeats=3)
    limits = found.limits(ALPHA_UPGRADE)
    assert (found.delta, found.repeat_effect) == pytest.approx((-0.3, 0.7541), abs=5e-5)
    assert (found.n / found.deff, limits.low, limits.high) == pytest.approx((13.2604, -0.5714, 0.0202), abs=5e-5)


def test_overall_worked_example() -> None:
    lows = [suite.limits(ALPHA_UPGRADE).low for suite in SUITES]
    limits = overall_limits(SUITES, ALPHA_UPGRADE)
    assert lows == pytest.approx((0.0032, -0.0228, -0.0408), abs=5e-5)
    assert overall_delta(SUITES) == pytest.approx(0.0174, abs=5e-5)
    assert (limits.low, limits.high) == pytest.approx((-0.0029, 0.0379), abs=5e-5)
    assert overall_regression_p(SUITES) == pytest.approx(0.9301, abs=5e-5)


def test_missing_runs_filled_worked_example() -> None:
    worst = paired(from_counts(32, 45, 450), repeats=1).limits(ALPHA_UPGRADE)
    best = paired(from_counts(29, 46, 450), repeats=1).limits(ALPHA_UPGRADE)
    assert (worst.low, best.low) == pytest.approx((-0.0042, 0.0052), abs=5e-5)


def test_the_overall_difference_of_one_suite_is_the_suites() -> None:
    alone = SUITES[:1]
    assert weights(alone) == [1.0]
    own, overall = alone[0].limits(ALPHA_TWO_SIDED), overall_limits(alone, ALPHA_TWO_SIDED)
    assert (overall.low, overall.high) == pytest.approx((own.low, own.high), abs=1e-12)
    assert overall_regression_p(alone) == alone[0].regression_p()


def test_nothing_differs() -> None:
    same = paired(from_counts(0, 0, 300), repeats=1)
    assert (same.deff, same.regression_p()) == (1.0, 1.0)
    assert overall_regression_p([same, same]) == 1.0
    assert paired(from_passes((3, 0, 3), (3, 0, 3)), repeats=3).deff == 1.0


def test_all_repeats_of_all_cases_differ_alike() -> None:
    found = paired(from_passes((2, 2, 2), (1, 1, 1)), repeats=2)
    assert found.repeat_effect == 0.5
    assert paired(from_passes((1, 1, 1), (0, 0, 0)), repeats=1).deff == 1.0


def test_one_cluster_decides_nothing() -> None:
    found = paired([CasePair(old_passes=1, new_passes=0, cluster="a")] * 9, repeats=1)
    limits = found.limits(ALPHA_UPGRADE)
    assert (limits.low, limits.high, found.regression_p()) == (-1.0, 1.0, 1.0)


@pytest.mark.parametrize("repeats", [1, 3])
@given(data=st.data())
def test_exchanging_the_models_mirrors_everything(data: st.DataObject, repeats: int) -> None:
    cases = data.draw(case_pairs(repeats=repeats))
    here, there = paired(cases, repeats=repeats), paired(swapped(cases), repeats=repeats)
    assert (here.losses, here.gains, here.deff) == pytest.approx((there.gains, there.losses, there.deff))
    ours, theirs = here.limits(ALPHA_UPGRADE), there.limits(ALPHA_UPGRADE)
    assert (ours.low, ours.high) == pytest.approx((-theirs.high, -theirs.low), abs=1e-9)
    if here.losses + here.gains and here.degrees != 0:
        assert here.regression_p() == pytest.approx(1 - there.regression_p(), abs=1e-9)


@given(case_pairs(repeats=3), st.randoms(use_true_random=False))
def test_the_order_of_cases_changes_nothing(cases: list[CasePair], order: random.Random) -> None:
    mixed = order.sample(cases, len(cases))
    here, there = paired(cases, repeats=3), paired(mixed, repeats=3)
    assert (here.delta, here.deff) == pytest.approx((there.delta, there.deff), abs=1e-9)


@given(case_pairs(repeats=1, clustered=False))
def test_answers_given_k_times_alike_are_no_more_evidence_than_one(cases: list[CasePair]) -> None:
    once = paired(cases, repeats=1)
    copies = [
        CasePair(old_passes=3 * case.old_passes, new_passes=3 * case.new_passes, cluster=case.cluster)
        for case in cases
    ]
    thrice = paired(copies, repeats=3)
    assert (thrice.losses, thrice.gains) == pytest.approx((once.losses, once.gains))
    assert thrice.deff >= once.deff - 1e-9


@given(case_pairs(repeats=1))
def test_clusters_never_widen_the_evidence(cases: list[CasePair]) -> None:
    assert paired(cases, repeats=1).deff >= 1.0


def test_the_cluster_variance_is_that_of_cluster_robust_least_squares() -> None:
    statsmodels = pytest.importorskip("statsmodels.api")
    differences = [float(case.gained) for case in CLUSTERED]
    groups = [int(case.cluster) for case in CLUSTERED]
    fit = statsmodels.OLS(differences, [1.0] * len(differences)).fit(
        cov_type="cluster", cov_kwds={"groups": groups, "use_correction": False}
    )
    found = paired(CLUSTERED, repeats=1)
    binary = (found.discordance - found.delta**2) / found.n
    clusters = len(set(groups))
    expected = float(fit.bse[0]) ** 2 * clusters / (clusters - 1)
    assert found.cluster_effect * binary == pytest.approx(expected, rel=1e-9)


def test_more_passes_than_repeats_are_refused() -> None:
    with pytest.raises(ValueError, match="expected from 0 to 1 passes for each case"):
        paired([CasePair(old_passes=2, new_passes=0, cluster="a")], repeats=1)


def test_no_case_at_all_is_refused() -> None:
    with pytest.raises(ValueError, match="expected at least one case to compare, got 0"):
        paired([], repeats=1)


def test_variance_is_of_effective_counts() -> None:
    assert SUITES[1].variance == pytest.approx(58 / 1.3 / (400 / 1.3) ** 2)
    assert math.isclose(SUITES[0].variance, 74 / 450**2)
