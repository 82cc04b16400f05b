"""How often the gate is wrong, and how often it decides: simulated runs with known differences.

`pytest tests/performance/test_gate_errors.py -s`. Suites are of the benchmark's sizes: 450 single cases in 15
families, 400 cases about 92 pictures in 6 families (differences correlate by about .1 within a picture), 300
single cases in 24 families. `psi` is the share of cases in which the models differ, `delta` new - old.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np
import pytest

from bench.leaderboard.gate.comparisons import ALPHA_SUITES
from bench.leaderboard.gate.families import ALPHA_FAMILIES
from bench.leaderboard.statistics.exact_tests import holm, sign_flip_mid_p
from bench.leaderboard.statistics.overall import overall_limits, overall_regression_p
from bench.leaderboard.statistics.paired import ALPHA_UPGRADE, CasePair, Paired, paired

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

pytestmark = pytest.mark.performance

LATENT_CORRELATION = 0.165
"""Of what decides a case, within a picture; differences of -1, 0 and 1 then correlate by about .1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """A simulated suite: family and cluster of each case."""

    families: NDArray[np.int64]
    clusters: NDArray[np.int64]

    @property
    def clustered(self) -> bool:
        return len(set(self.clusters.tolist())) < len(self.clusters)


def single(n: int, families: int) -> Suite:
    places = np.arange(n)
    return Suite(families=places % families, clusters=places)


def pictures(n: int, images: int, families: int) -> Suite:
    clusters = np.arange(n) % images
    return Suite(families=clusters % families, clusters=clusters)


PLOTS, DOTS, SOLIDS = single(450, 15), pictures(400, 92, 6), single(300, 24)


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulated:
    """One gate: lower limits (overall first, then suites) and whether anything regressed."""

    lows: tuple[float, ...]
    regressed: bool

    def upgrades(self, overall: float, suite: float) -> bool:
        return not self.regressed and self.lows[0] > -overall and all(low > -suite for low in self.lows[1:])


def differences(suite: Suite, psi: float, delta: float, rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw -1, 0 or 1 for each case."""
    own = rng.standard_normal(len(suite.clusters))
    if suite.clustered:
        shared = rng.standard_normal(int(suite.clusters.max()) + 1)[suite.clusters]
        own = np.sqrt(LATENT_CORRELATION) * shared + np.sqrt(1 - LATENT_CORRELATION) * own
    normal = NormalDist()
    lost, won = normal.inv_cdf((psi - delta) / 2), normal.inv_cdf(1 - (psi + delta) / 2)
    return (own > won).astype(np.int64) - (own < lost).astype(np.int64)


def gate(suites: Sequence[Suite], psi: float, deltas: Sequence[float], rng: np.random.Generator) -> Simulated:
    drawn = [differences(suite, psi, delta, rng) for suite, delta in zip(suites, deltas, strict=True)]
    counts = [_counted(suite, found) for suite, found in zip(suites, drawn, strict=True)]
    tests = [overall_regression_p(counts), *(count.regression_p() for count in counts)]
    families = [
        sign_flip_mid_p(_sums(suite.clusters[suite.families == family], found[suite.families == family]))
        for suite, found in zip(suites, drawn, strict=True)
        for family in range(int(suite.families.max()) + 1)
    ]
    worse = min(tests[:1] if len(suites) == 1 else holm(tests)) <= ALPHA_SUITES
    return Simulated(
        lows=(
            overall_limits(counts, ALPHA_UPGRADE).low,
            *(count.limits(ALPHA_UPGRADE).low for count in counts),
        ),
        regressed=worse or min(holm(families)) <= ALPHA_FAMILIES,
    )


def _counted(suite: Suite, found: NDArray[np.int64]) -> Paired:
    if not suite.clustered:
        return Paired(losses=int((found < 0).sum()), gains=int((found > 0).sum()), n=len(found))
    pairs = [
        CasePair(old_passes=int(one < 0), new_passes=int(one > 0), cluster=str(cluster))
        for one, cluster in zip(found.tolist(), suite.clusters.tolist(), strict=True)
    ]
    return paired(pairs, repeats=1)


def _sums(clusters: NDArray[np.int64], found: NDArray[np.int64]) -> list[int]:
    return [int(total) for total in np.bincount(clusters, weights=found) if total]


@cache
def one_suite(psi: float, delta: float, gates: int = 4000) -> tuple[Simulated, ...]:
    rng = np.random.default_rng(20260104)
    return tuple(gate([PLOTS], psi, [delta], rng) for _ in range(gates))


@cache
def three_suites(psi: float, deltas: tuple[float, float, float], gates: int = 2000) -> tuple[Simulated, ...]:
    rng = np.random.default_rng(20260105)
    return tuple(gate([PLOTS, DOTS, SOLIDS], psi, deltas, rng) for _ in range(gates))


def rates(simulated: Sequence[Simulated], overall: float, suite: float) -> tuple[float, float]:
    """Percent of upgrades and of regressions."""
    upgrades = sum(one.upgrades(overall / 100, suite / 100) for one in simulated)
    regressions = sum(one.regressed for one in simulated)
    return 100 * upgrades / len(simulated), 100 * regressions / len(simulated)


def test_simulated_differences_correlate_by_a_tenth_within_a_picture() -> None:
    rng = np.random.default_rng(1)
    pairs = [differences(pictures(2, 1, 1), 0.2, 0.0, rng) for _ in range(40_000)]
    first, second = np.array(pairs).T.astype(float)
    correlation = float((first * second).mean() / np.sqrt((first**2).mean() * (second**2).mean()))
    assert correlation == pytest.approx(0.1, abs=0.02)


@pytest.mark.parametrize("psi", [0.05, 0.08, 0.20, 0.30])
def test_an_unchanged_model_is_seldom_called_worse(psi: float) -> None:
    alone, three = rates(one_suite(psi, 0.0), 6, 6)[1], rates(three_suites(psi, (0.0, 0.0, 0.0)), 4, 8)[1]
    print(f"\nfalse regressions at psi {psi}: one suite {alone:.1f} %, three suites {three:.1f} %")
    assert alone <= 5.0
    assert three <= 5.0


@pytest.mark.parametrize("psi", [0.08, 0.20])
@pytest.mark.parametrize("margin", [2, 3, 5, 6])
def test_a_model_worse_by_the_margin_is_seldom_called_an_upgrade(psi: float, margin: int) -> None:
    found = rates(one_suite(psi, -margin / 100), margin, margin)[0]
    print(f"\nfalse upgrades at psi {psi}, margin {margin}: {found:.1f} %")
    assert found <= 5.0 + 0.7  # two standard errors of 4,000 gates


@pytest.mark.parametrize("deltas", [(-0.08, 0.05, 0.05), (0.05, -0.08, 0.05), (0.05, 0.05, -0.08)])
def test_one_suite_worse_by_its_margin_is_seldom_hidden_by_better_ones(deltas: tuple[float, float, float]) -> None:
    found = rates(three_suites(0.2, deltas), 4, 8)[0]
    print(f"\nfalse upgrades with one suite at its margin {deltas}: {found:.1f} %")
    assert found <= 5.0 + 1.0  # two standard errors of 2,000 gates


def test_all_suites_worse_by_the_overall_margin() -> None:
    found = rates(three_suites(0.2, (-0.04, -0.04, -0.04)), 4, 8)[0]
    print(f"\nfalse upgrades with all suites at the overall margin: {found:.1f} %")
    assert found <= 5.0


@pytest.mark.parametrize(
    ("psi", "delta", "margin", "upgrade", "regression"),
    [
        (0.20, -0.05, 5, 4, 70),
        (0.20, -0.02, 2, 5, 18),
        (0.20, 0.0, 2, 23, 4),
        (0.20, 0.0, 5, 74, 4),
        (0.20, 0.0, 6, 87, 4),
        (0.20, 0.02, 2, 58, 0),
        (0.20, 0.05, 1, 89, 0),
        (0.08, 0.0, 2, 41, 3),
        (0.08, 0.0, 5, 96, 3),
    ],
)
def test_power_of_one_suite(psi: float, delta: float, margin: float, upgrade: float, regression: float) -> None:
    found = rates(one_suite(psi, delta), margin, margin)
    print(f"\npsi {psi}, delta {delta}, margin {margin}: upgrade/regression {found[0]:.1f}/{found[1]:.1f} %")
    assert found == pytest.approx((upgrade, regression), abs=2.0)


@pytest.mark.parametrize(
    ("psi", "delta", "margins", "upgrade", "regression"),
    [
        (0.20, -0.05, (4, 8), 0, 92),
        (0.20, -0.02, (4, 8), 30, 24),
        (0.20, 0.0, (2, 2), 1, 3),
        (0.20, 0.0, (3, 6), 44, 3),
        (0.20, 0.0, (4, 8), 78, 3),
        (0.20, 0.02, (4, 8), 97, 0),
        (0.08, 0.0, (4, 8), 98, 2),
    ],
)
def test_power_of_three_suites(
    psi: float, delta: float, margins: tuple[float, float], upgrade: float, regression: float
) -> None:
    found = rates(three_suites(psi, (delta, delta, delta)), *margins)
    print(f"\npsi {psi}, delta {delta}, margins {margins}: upgrade/regression {found[0]:.1f}/{found[1]:.1f} %")
    assert found[0] == pytest.approx(upgrade, abs=2.0)
    assert found[1] == pytest.approx(regression, abs=3.0)  # families differ alike here, more than in real suites
