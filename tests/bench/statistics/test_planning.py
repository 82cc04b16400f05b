"""How many more: worked examples, round trips between size, margin and discordance, monotonicity."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.statistics.planning import (
    cases_for_regression,
    cases_for_upgrade,
    margin_variance,
    repeats_for,
    required_discordance,
    resolvable_margin,
    upgrade_size,
)

DISCORDANCES = st.floats(0.01, 0.6)
MARGINS = st.floats(0.01, 0.2)
EFFECTS = st.floats(0.4, 3)


def test_upgrade_worked_examples() -> None:
    assert margin_variance(0.2, 0.02) == pytest.approx(0.2012, abs=5e-5)
    assert cases_for_upgrade(0.2, 0.02) == 3231
    assert cases_for_upgrade(0.05, 0.02) == 872
    assert cases_for_upgrade(0.2, 0.02, power=1 - 0.2 / 3) == 5125


def test_regression_worked_example() -> None:
    assert cases_for_regression(0.2, -0.05, alpha=0.0075) == 855


def test_repeats_worked_examples() -> None:
    required = required_discordance(450, 0.05)
    assert required == pytest.approx(0.1688, abs=5e-5)
    assert repeats_for(0.2, 0.04, required) == 5
    assert repeats_for(0.2, 0.04, required_discordance(450, 0.02)) is None


def test_resolvable_margins_of_the_default_suites() -> None:
    found = (resolvable_margin(0.2, 450), resolvable_margin(0.2, 400, deff=1.3), resolvable_margin(0.2, 300))
    assert found == pytest.approx((0.054, 0.066, 0.067), abs=5e-4)


@given(DISCORDANCES, st.integers(30, 3000), EFFECTS)
def test_a_resolvable_margin_needs_just_these_cases(discordance: float, n: int, deff: float) -> None:
    margin = resolvable_margin(discordance, n, deff=deff)
    assert upgrade_size(discordance, margin, deff=deff) == pytest.approx(n, rel=1e-6)


@given(st.integers(100, 3000), st.floats(0.03, 0.2))
def test_a_required_discordance_is_just_enough(n: int, margin: float) -> None:
    required = required_discordance(n, margin)
    if 0 < required < 1:
        assert upgrade_size(required, margin) == pytest.approx(n, rel=1e-6)


@given(DISCORDANCES, MARGINS, EFFECTS)
def test_a_smaller_margin_more_discordance_more_power_all_need_more(
    psi: float, margin: float, deff: float
) -> None:
    base = upgrade_size(psi, margin, deff=deff)
    assert upgrade_size(psi, margin * 0.9, deff=deff) > base
    assert upgrade_size(psi * 1.1, margin, deff=deff) > base
    assert upgrade_size(psi, margin, deff=deff * 1.1) > base
    assert upgrade_size(psi, margin, deff=deff, power=0.9) > base


@given(DISCORDANCES, st.floats(-0.3, -0.01), st.floats(0.005, 0.03))
def test_a_smaller_regression_and_a_stricter_level_need_more(psi: float, delta: float, alpha: float) -> None:
    base = cases_for_regression(psi, delta, alpha=alpha)
    assert cases_for_regression(psi, delta * 0.8, alpha=alpha) >= base
    assert cases_for_regression(psi, delta, alpha=alpha / 2) >= base


@given(DISCORDANCES, st.floats(0.0, 0.3), st.floats(0.01, 0.6))
def test_the_repeats_found_are_the_fewest_that_suffice(psi: float, noise: float, required: float) -> None:
    found = repeats_for(psi, noise, required)
    true_change = max(psi - noise, 0.0)

    def reached(repeats: int) -> bool:
        return true_change + min(noise, psi) / repeats <= required + 1e-9

    if found is None:
        assert true_change >= required - 1e-9
    elif noise <= psi:
        assert reached(found)
        assert found == 1 or not reached(found - 1) or true_change + noise / (found - 1) > required - 1e-9


def test_a_model_that_never_changes_its_answer_needs_no_repeats_or_gains_nothing_by_them() -> None:
    assert repeats_for(0.1, 0.0, 0.2) == 1
    assert repeats_for(0.2, 0.0, 0.1) is None
