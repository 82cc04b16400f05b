"""Exact tests against SciPy and statsmodels, worked examples, and properties."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from bench.statistics.tests import exact_mcnemar_p, holm, mcnemar_mid_p, sign_flip_mid_p, sign_flip_two_sided_p

FAMILIES = ((12, 1), (12, 1), (10, 1), (8, 2), (9, 3), (6, 4), (3, 1), (4, 9), (2, 9), (2, 3), (0, 2))
COUNTS = st.tuples(st.integers(0, 60), st.integers(0, 60))
P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=20)


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


@given(COUNTS)
def test_mid_p_is_scipys_binomial(counts: tuple[int, int]) -> None:
    losses, gains = counts
    binomial = stats.binom(losses + gains, 0.5)
    expected = float(binomial.sf(losses - 1) - binomial.pmf(losses) / 2)
    assert mcnemar_mid_p(losses, gains) == pytest.approx(expected, abs=1e-12)


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


@given(st.lists(st.integers(-4, 4), max_size=30))
def test_mid_p_of_better_and_of_worse_add_up_to_one(differences: list[int]) -> None:
    mirrored = [-difference for difference in differences]
    assert sign_flip_mid_p(differences) + sign_flip_mid_p(mirrored) == pytest.approx(1.0)
    assert sign_flip_two_sided_p(differences) == pytest.approx(sign_flip_two_sided_p(mirrored))


@given(COUNTS)
def test_a_further_loss_lowers_p(counts: tuple[int, int]) -> None:
    losses, gains = counts
    assert mcnemar_mid_p(losses + 1, gains) <= mcnemar_mid_p(losses, gains)


@given(P_VALUES)
def test_holm_is_statsmodels(p_values: list[float]) -> None:
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    assert holm(p_values) == pytest.approx(list(multitest.multipletests(p_values, method="holm")[1]))


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
