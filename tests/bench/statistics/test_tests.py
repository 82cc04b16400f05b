"""Tests of paired runs, against SciPy and statsmodels: exact ones, clustered ones, run noise."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from bench.statistics.intervals import quantile, wilson_interval
from bench.statistics.levels import ALPHA_TWO_SIDED, ALPHA_UPGRADE
from bench.statistics.tests import (
    CasePair,
    Paired,
    drift_p,
    holm,
    noise_floor,
    overall_delta,
    overall_limits,
    overall_regression_p,
    paired,
    repeat_noise,
    sign_flip_mid_p,
    sign_flip_two_sided_p,
    these_items_limits,
    weights,
)
from tests.bench.statistics.pairs import case_pairs, from_clusters, from_counts, from_passes, swapped

if TYPE_CHECKING:
    import random


FAMILIES = ((12, 1), (12, 1), (10, 1), (8, 2), (9, 3), (6, 4), (3, 1), (4, 9), (2, 9), (2, 3), (0, 2))
COUNTS = st.tuples(st.integers(0, 60), st.integers(0, 60))
P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=20)


def mcnemar_mid_p(losses: int, gains: int) -> float:
    return sign_flip_mid_p([-1] * losses + [1] * gains)


def exact_mcnemar_p(losses: int, gains: int) -> float:
    return sign_flip_two_sided_p([-1] * losses + [1] * gains)


def test_mid_p_of_a_suite_worked_example() -> None:
    assert mcnemar_mid_p(29, 45) == pytest.approx(0.9680, abs=5e-5)


def test_families_worked_example() -> None:
    p_values = [mcnemar_mid_p(*counts) for counts in (*FAMILIES, *[(0, 0)] * 4)]
    adjusted = holm(p_values)
    assert p_values[:3] == pytest.approx((0.0009, 0.0009, 0.0032), abs=5e-5)
    assert adjusted[:3] == pytest.approx((0.0137, 0.0137, 0.0413), abs=5e-5)
    assert sum(p <= 0.02 for p in adjusted) == 2


def test_nine_straight_losses_are_the_least_that_fifteen_families_reject() -> None:
    def rejected(losses: int) -> bool:
        return holm([mcnemar_mid_p(losses, 0), *[mcnemar_mid_p(0, 0)] * 14])[0] <= 0.02

    assert [rejected(losses) for losses in (8, 9)] == [False, True]


def test_sign_flips_worked_example() -> None:
    differences = [new - old for old, new in zip((3, 3, 3, 2, 3, 0, 3, 1, 3, 3), (0, 3, 2, 2, 1, 1, 3, 0, 3, 0),
                                                 strict=True)]  # fmt: skip
    assert sign_flip_mid_p(differences) == pytest.approx(0.0391, abs=5e-5)
    at_or_below = stats.permutation_test(
        (np.array(differences),), np.sum, permutation_type="samples", alternative="less", n_resamples=np.inf
    )
    assert at_or_below.pvalue == pytest.approx(0.0625, abs=5e-5)


@settings(max_examples=40, deadline=None)
@given(COUNTS)
def test_mid_p_is_scipys_binomial(counts: tuple[int, int]) -> None:
    losses, gains = counts
    binomial = stats.binom(losses + gains, 0.5)
    expected = float(binomial.sf(losses - 1) - binomial.pmf(losses) / 2)
    assert mcnemar_mid_p(losses, gains) == pytest.approx(expected, abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(COUNTS)
def test_two_sided_p_is_scipys_binomial_test(counts: tuple[int, int]) -> None:
    losses, gains = counts
    expected = stats.binomtest(losses, losses + gains).pvalue if losses + gains else 1.0
    assert exact_mcnemar_p(losses, gains) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("counts", [(7, 1), (29, 45), (0, 3), (5, 5)])
def test_two_sided_p_is_statsmodels(counts: tuple[int, int]) -> None:
    tables = pytest.importorskip("statsmodels.stats.contingency_tables")
    losses, gains = counts
    assert exact_mcnemar_p(losses, gains) == pytest.approx(tables.mcnemar([[9, losses], [gains, 9]]).pvalue)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(-3, 3), max_size=9))
def test_the_sign_flip_distribution_is_that_of_all_patterns(differences: list[int]) -> None:
    totals = [
        sum(sign * abs(difference) for sign, difference in zip(signs, differences, strict=True))
        for signs in itertools.product((-1, 1), repeat=len(differences))
    ]
    observed = sum(differences)
    below, at = sum(t < observed for t in totals), sum(t == observed for t in totals)
    assert sign_flip_mid_p(differences) == pytest.approx((below + at / 2) / len(totals), abs=1e-12)
    tail = min(below + at, len(totals) - below)
    assert sign_flip_two_sided_p(differences) == pytest.approx(min(1.0, 2 * tail / len(totals)), abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(-4, 4), max_size=30))
def test_mid_p_of_better_and_of_worse_add_up_to_one(differences: list[int]) -> None:
    mirrored = [-difference for difference in differences]
    assert sign_flip_mid_p(differences) + sign_flip_mid_p(mirrored) == pytest.approx(1.0)
    assert sign_flip_two_sided_p(differences) == pytest.approx(sign_flip_two_sided_p(mirrored))


@settings(max_examples=40, deadline=None)
@given(COUNTS)
def test_a_further_loss_lowers_p(counts: tuple[int, int]) -> None:
    losses, gains = counts
    assert mcnemar_mid_p(losses + 1, gains) <= mcnemar_mid_p(losses, gains)


@settings(max_examples=40, deadline=None)
@given(P_VALUES)
def test_holm_is_statsmodels(p_values: list[float]) -> None:
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    assert holm(p_values) == pytest.approx(list(multitest.multipletests(p_values, method="holm")[1]))


@settings(max_examples=40, deadline=None)
@given(P_VALUES)
def test_holm_lies_between_the_single_test_and_bonferroni_and_keeps_the_order(p_values: list[float]) -> None:
    adjusted = holm(p_values)
    for one, corrected in zip(p_values, adjusted, strict=True):
        assert one <= corrected <= min(1.0, len(p_values) * one)
    by_p = [corrected for _, corrected in sorted(zip(p_values, adjusted, strict=True))]
    assert by_p == sorted(by_p)


def test_no_hypothesis_at_all() -> None:
    assert holm([]) == []
    assert (mcnemar_mid_p(0, 0), exact_mcnemar_p(0, 0)) == (0.5, 1.0)


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
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_exchanging_the_models_mirrors_everything(data: st.DataObject, repeats: int) -> None:
    cases = data.draw(case_pairs(repeats=repeats))
    here, there = paired(cases, repeats=repeats), paired(swapped(cases), repeats=repeats)
    assert (here.losses, here.gains, here.deff) == pytest.approx((there.gains, there.losses, there.deff))
    ours, theirs = here.limits(ALPHA_UPGRADE), there.limits(ALPHA_UPGRADE)
    assert (ours.low, ours.high) == pytest.approx((-theirs.high, -theirs.low), abs=1e-9)
    if here.losses + here.gains and here.degrees != 0:
        assert here.regression_p() == pytest.approx(1 - there.regression_p(), abs=1e-9)


@settings(max_examples=25, deadline=None)
@given(case_pairs(repeats=3), st.randoms(use_true_random=False))
def test_the_order_of_cases_changes_nothing(cases: list[CasePair], order: random.Random) -> None:
    mixed = order.sample(cases, len(cases))
    here, there = paired(cases, repeats=3), paired(mixed, repeats=3)
    assert (here.delta, here.deff) == pytest.approx((there.delta, there.deff), abs=1e-9)


@settings(max_examples=25, deadline=None)
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


@settings(max_examples=25, deadline=None)
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


@settings(max_examples=30, deadline=None)
@given(case_pairs(repeats=3))
def test_these_very_items_hold_their_difference(cases: list[CasePair]) -> None:
    limits = these_items_limits(cases, repeats=3)
    delta = sum(case.gained for case in cases) / (3 * len(cases))
    assert limits.low - 1e-12 <= delta <= limits.high + 1e-12
