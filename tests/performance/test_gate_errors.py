"""How often the gate is wrong, and how often it decides: simulated runs with known differences.

`pytest tests/performance/test_gate_errors.py -s`. Expected percentages are those of an independent simulation of
the same design, of which it is not known how cases about one picture correlate. One suite agrees with it within
1.1 points. Three suites lie up to 1.8 below it, and would lie up to 5.5 above it without that correlation.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from bench.gate.decision import decide
from bench.options import Margins
from bench.statistics.levels import ALPHA_UPGRADE
from bench.statistics.tests import Paired
from tests.bench.gate.sides import case, run
from tests.performance.simulated_gates import (
    CORRELATION,
    DOTS,
    OBSERVED,
    PLOTS,
    SOLIDS,
    Simulated,
    Suite,
    differences,
    gates,
    judged,
    laid_out,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from bench.results.comparability import RunOutcomes

pytestmark = pytest.mark.performance

SUITES = {"auxsolidmath": SOLIDS, "geometry": DOTS, "plotchain": PLOTS}
MARGINS = ((1, 1), (2, 2), (3, 3), (5, 5), (3, 6), (4, 8))
GATES = 10_000  # the standard error is at most half a point, 0.22 at an error of 5 %


@cache
def one_suite(psi: float, delta: float) -> tuple[Simulated, ...]:
    return gates([PLOTS], psi, [delta], n=GATES)


@cache
def three_suites(psi: float, deltas: tuple[float, float, float], n: int = GATES) -> tuple[Simulated, ...]:
    return gates(list(SUITES.values()), psi, deltas, n=n)


def upgrades(simulated: Sequence[Simulated], overall: float, suite: float) -> float:
    """Percent of upgrades at margins in points."""
    return 100 * sum(one.upgrades(overall / 100, suite / 100) for one in simulated) / len(simulated)


def regressions(simulated: Sequence[Simulated]) -> float:
    """Percent of regressions."""
    return 100 * sum(one.regressed for one in simulated) / len(simulated)


def percents(found: Mapping[Any, float]) -> str:
    return ", ".join(f"{margin}: {percent:.1f}" for margin, percent in found.items())


def test_the_pairs_of_published_models_differ_in_a_fifth_of_the_plots() -> None:
    shares = [100 * sum(pair) / 450 for pair in OBSERVED.values()]
    assert shares == pytest.approx([16.4, 21.8, 23.1], abs=0.05)


@pytest.mark.parametrize(("psi", "delta"), [(0.05, 0.0), (0.08, -0.05), (0.20, 0.0), (0.20, -0.05)])
def test_differences_have_their_rates_and_correlate_by_a_tenth_within_a_picture(psi: float, delta: float) -> None:
    found = differences(laid_out(800_000, items=400_000, families=1), psi, delta, np.random.default_rng(1))
    assert float(np.abs(found).mean()) == pytest.approx(psi, abs=0.002)
    assert float(found.mean()) == pytest.approx(delta, abs=0.002)
    first, second = (found - delta).reshape(-1, 2).T
    correlation = float((first * second).mean() / ((found - delta) ** 2).mean())
    assert correlation == pytest.approx(CORRELATION, abs=0.01)


def test_plot_families_differ_as_observed() -> None:
    rng = np.random.default_rng(1)
    differing = np.zeros(15)
    for _ in range(4000):
        differing += np.abs(differences(PLOTS, 0.2, -0.05, rng)).reshape(15, 30).sum(axis=1)
    pooled = np.array(list(OBSERVED.values())).sum(axis=0)
    assert differing / differing.sum() == pytest.approx(pooled / pooled.sum(), abs=0.001)


def outcomes(drawn: Sequence[NDArray[np.int64]]) -> tuple[RunOutcomes, RunOutcomes]:
    """Old and new run with these differences."""
    sides = [
        [
            case(
                f"{name}_{item:03d}",
                "failed" if difference == failing else "passed",
                suite=name,
                family=f"{name}{family_of(suite, item)}",
                task=f"T{place}" if suite.clustered else None,
            )
            for (name, suite), found in zip(SUITES.items(), drawn, strict=True)
            for place, (item, difference) in enumerate(zip(suite.items.tolist(), found.tolist(), strict=True))
        ]
        for failing in (1, -1)
    ]
    return run(sides[0], label="OLD"), run(sides[1], label="NEW")


def family_of(suite: Suite, item: int) -> int:
    return sum(item >= bound for bound in suite.bounds[1:])


def test_what_is_simulated_decides_as_the_gate_itself() -> None:
    rng, verdicts = np.random.default_rng(2), []
    for delta in (-0.04, -0.02, 0.0, 0.02) * 5:
        drawn = [differences(suite, 0.2, delta, rng) for suite in SUITES.values()]
        ours, real = judged(list(SUITES.values()), drawn), decide(*outcomes(drawn))
        verdict = "regression" if ours.regressed else "upgrade" if ours.upgrades(0.04, 0.08) else "inconclusive"
        assert real.verdict == verdict
        assert real.overall is not None
        assert ours.lows == pytest.approx([one.worst_low for one in (real.overall, *real.suites)])
        verdicts.append(verdict)
    assert set(verdicts) == {"regression", "upgrade", "inconclusive"}


@pytest.mark.parametrize("psi", [0.05, 0.08, 0.20, 0.30])
def test_an_unchanged_model_is_seldom_called_worse(psi: float) -> None:
    alone, three = regressions(one_suite(psi, 0.0)), regressions(three_suites(psi, (0.0, 0.0, 0.0)))
    print(f"\nfalse regressions at psi {psi}: one suite {alone:.1f} %, three suites {three:.1f} %")
    assert alone <= 5.0
    assert three <= 5.0


@pytest.mark.parametrize("psi", [0.08, 0.20])
@pytest.mark.parametrize("margin", [2, 3, 5, 6])
def test_a_model_worse_by_the_margin_is_seldom_called_an_upgrade(psi: float, margin: int) -> None:
    found = upgrades(one_suite(psi, -margin / 100), margin, margin)
    print(f"\nfalse upgrades at psi {psi}, margin {margin}: {found:.1f} %")
    assert found <= 5.0


@pytest.mark.parametrize("deltas", [(-0.08, 0.05, 0.05), (0.05, -0.08, 0.05), (0.05, 0.05, -0.08)])
def test_one_suite_worse_by_its_margin_is_seldom_hidden_by_better_ones(deltas: tuple[float, float, float]) -> None:
    found = upgrades(three_suites(0.2, deltas), 4, 8)
    print(f"\nfalse upgrades with one suite at its margin {deltas}: {found:.1f} %")
    assert found <= 5.0


def test_all_suites_worse_by_the_overall_margin() -> None:
    found = upgrades(three_suites(0.2, (-0.04, -0.04, -0.04)), 4, 8)
    print(f"\nfalse upgrades with all suites at the overall margin: {found:.1f} %")
    assert found <= 5.0


@pytest.mark.parametrize(
    ("psi", "delta", "expected", "regression"),
    [
        (0.20, -0.05, {1: 0, 2: 0, 3: 0, 5: 4}, 70),
        (0.20, -0.02, {1: 2, 2: 5, 3: 11, 5: 39}, 18),
        (0.20, 0.0, {1: 11, 2: 23, 3: 38, 5: 74, 6: 87}, 4),
        (0.20, 0.02, {1: 40, 2: 58, 3: 75, 5: 94}, 0),
        (0.20, 0.05, {1: 89, 2: 95, 3: 98, 5: 100}, 0),
        (0.08, 0.0, {1: 16, 2: 41, 3: 69, 5: 96}, 3),
    ],
)
def test_power_of_one_suite(psi: float, delta: float, expected: dict[int, float], regression: float) -> None:
    simulated = one_suite(psi, delta)
    found = {margin: upgrades(simulated, margin, margin) for margin in expected}
    print(f"\npsi {psi}, delta {delta}: {percents(found)}, regression {regressions(simulated):.1f}")
    assert found == pytest.approx(expected, abs=2.0)
    assert regressions(simulated) == pytest.approx(regression, abs=2.0)


@pytest.mark.parametrize(
    ("psi", "delta", "n", "expected", "regression"),
    [
        (0.20, -0.05, GATES, (0, 0, 0, 0, 0, 0), 92),
        (0.20, -0.02, GATES, (0, 0, 0, 3, 7, 30), 24),
        (0.20, 0.0, GATES, (0, 1, 4, 26, 44, 78), 3),
        (0.20, 0.02, 3 * GATES, (3, 11, 27, 68, 83, 97), 0),  # 66.2 at 5/5 in 120,000 gates: close to the limit
        (0.20, 0.05, GATES, (49, 69, 84, 97, 99, 100), 0),
        (0.08, 0.0, GATES, (0, 4, 20, 77, 90, 98), 2),
    ],
)
def test_power_of_three_suites(
    psi: float, delta: float, n: int, expected: Sequence[float], regression: float
) -> None:
    simulated = three_suites(psi, (delta, delta, delta), n)
    margins = [Margins(overall=overall, suite=suite) for overall, suite in MARGINS]
    found = {str(one): upgrades(simulated, one.overall, one.suite) for one in margins}
    print(f"\npsi {psi}, delta {delta}: {percents(found)}, regression {regressions(simulated):.1f}")
    assert found == pytest.approx(dict(zip(found, expected, strict=True)), abs=2.0)
    assert regressions(simulated) == pytest.approx(regression, abs=2.0)


@pytest.mark.parametrize(("missing_n", "power"), [(0, 75), (4, 67), (9, 56), (22, 30)])
def test_missing_replies_cost_power(missing_n: int, power: float) -> None:
    """0, 1, 2 and 5 % of the new model's replies are missing, half of them to cases that the old one passed."""
    rng = np.random.default_rng([3, missing_n])
    losses, gains, _ = rng.multinomial(450 - missing_n, (0.1, 0.1, 0.8), GATES).T
    filled = losses + rng.binomial(missing_n, 0.5, GATES)
    found = 100 * np.mean([low(int(lost), int(won), 450) > -0.05 for lost, won in zip(filled, gains, strict=True)])
    print(f"\n{missing_n} of 450 missing: upgrade {found:.1f} %")
    assert found == pytest.approx(power, abs=2.0)


@pytest.mark.parametrize("psi", [0.08, 0.20])
def test_looking_again_after_adding_as_many_cases_makes_false_upgrades_likelier(psi: float) -> None:
    rng = np.random.default_rng([4, round(100 * psi)])
    shares = ((psi + 0.05) / 2, (psi - 0.05) / 2, 1 - psi)
    first, added = (rng.multinomial(450, shares, GATES)[:, :2] for _ in range(2))
    once = [low(int(lost), int(won), 450) > -0.05 for lost, won in first]
    again = [low(int(lost), int(won), 900) > -0.05 for lost, won in first + added]
    found = 100 * np.mean(once), 100 * np.mean(np.logical_or(once, again))
    print(f"\nfalse upgrades at psi {psi}: {found[0]:.1f} % at one look, {found[1]:.1f} % at two")
    assert found[0] <= 5.0
    assert 6.0 <= found[1] <= 8.0


@cache
def low(losses: int, gains: int, n: int) -> float:
    return Paired(losses=losses, gains=gains, n=n).limits(ALPHA_UPGRADE).low
