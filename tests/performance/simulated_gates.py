"""Simulated runs with a known difference, judged as the gate judges them.

Suites have 450 single cases in 15 families, 400 cases about 92 pictures in 6 families, and 300 single cases in 24
families. `psi` is the share of a suite's cases in which the models differ, `delta` new - old; both as proportions.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from bench.statistics.levels import ALPHA_FAMILIES, ALPHA_SUITES, ALPHA_UPGRADE
from bench.statistics.tests import (
    CasePair,
    Paired,
    holm,
    overall_limits,
    overall_regression_p,
    paired,
    sign_flip_mid_p,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = [
    "CORRELATION",
    "DOTS",
    "OBSERVED",
    "PLOTS",
    "SOLIDS",
    "Simulated",
    "Suite",
    "differences",
    "gates",
    "judged",
    "laid_out",
]

SEED = 20260105
MOST_KEPT = 50_000

CORRELATION = 0.1
"""Between the differences of two cases about one picture."""

OBSERVED = {
    "gpt-4.1, gemini-2.5-pro": (0, 7, 6, 2, 3, 0, 9, 1, 5, 12, 5, 2, 12, 3, 7),
    "claude-sonnet-4.5, gemini-2.5-pro": (0, 14, 11, 5, 5, 0, 9, 1, 3, 15, 14, 8, 1, 3, 9),
    "gpt-4.1, claude-sonnet-4.5": (0, 13, 11, 5, 4, 0, 12, 0, 2, 13, 13, 10, 11, 0, 10),
}
"""Of 30 plots in each family, by name, those that one model of a pair passed and the other did not.

Counted from the column `all_final_pass` of the `item_level.csv` that PlotChain publishes for each model
(repository mayankgowda/plotchain, folder `results`: gpt41_plotread_20260104_temp0,
gemini25pro_plotread_temp0_8192tokens, claudesonnet45_plotread__temp0).
"""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Suite:
    """Cases in the order of their items, items in the order of their families.

    `items` is the item of each case; family f has the items `bounds[f]` up to, without, `bounds[f + 1]`;
    `discordance` is how often each case differs, 1 on average.
    """

    items: NDArray[np.int64]
    bounds: tuple[int, ...]
    discordance: NDArray[np.float64]

    @property
    def items_n(self) -> int:
        return self.bounds[-1]

    @property
    def clustered(self) -> bool:
        return self.items_n < len(self.items)


def laid_out(n: int, *, items: int, families: int, shares: Sequence[float] | None = None) -> Suite:
    """Spread n cases evenly over items, items over families; `shares` are the families' parts of what differs."""
    family_of_item = np.arange(items) * families // items
    items_of_cases = np.arange(n) * items // n
    share = np.ones(families) if shares is None else np.array(shares, dtype=float)
    discordance = share[family_of_item[items_of_cases]]
    return Suite(
        items=items_of_cases,
        bounds=tuple(np.searchsorted(family_of_item, np.arange(families + 1)).tolist()),
        discordance=discordance / discordance.mean(),
    )


PLOTS = laid_out(450, items=450, families=15, shares=[sum(pair) for pair in zip(*OBSERVED.values(), strict=True)])
DOTS = laid_out(400, items=92, families=6)
SOLIDS = laid_out(300, items=300, families=24)


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulated:
    """One gate: lower limits (overall first, then suites) and whether anything regressed."""

    lows: tuple[float, ...]
    regressed: bool

    def upgrades(self, overall: float, suite: float) -> bool:
        """Whether the verdict is an upgrade; margins as proportions."""
        return not self.regressed and self.lows[0] > -overall and all(low > -suite for low in self.lows[1:])


def differences(suite: Suite, psi: float, delta: float, rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw -1, 0 or 1 for each case; losses have the same share of what differs in every family.

    A case takes its picture's draw with probability sqrt(CORRELATION) and else one of its own, so that differences
    correlate by CORRELATION at any psi and delta (A. D. Lunn and S. J. Davies (1998), Biometrika 85, 487-490).
    """
    draw = rng.random(len(suite.items))
    if suite.clustered:
        of_picture = rng.random(suite.items_n)[suite.items]
        draw = np.where(rng.random(len(draw)) < sqrt(CORRELATION), of_picture, draw)
    lost, won = (suite.discordance * (psi + side * delta) / 2 for side in (-1, 1))
    return (draw >= 1 - won).astype(np.int64) - (draw < lost).astype(np.int64)


def gates(suites: Sequence[Suite], psi: float, deltas: Sequence[float], *, n: int) -> tuple[Simulated, ...]:
    """Draw n pairs of runs and judge each; other rates give other draws."""
    rng = np.random.default_rng([SEED, *(round(1000 * (1 + rate)) for rate in (psi, *deltas))])
    return tuple(
        judged(suites, [differences(suite, psi, delta, rng) for suite, delta in zip(suites, deltas, strict=True)])
        for _ in range(n)
    )


def judged(suites: Sequence[Suite], drawn: Sequence[NDArray[np.int64]]) -> Simulated:
    """Judge one pair of runs by its differences."""
    both = list(zip(suites, drawn, strict=True))
    counts = [_counted(suite, found) for suite, found in both]
    tests = [overall_regression_p(counts), *(count.regression_p() for count in counts)]
    families = [p for suite, found in both for p in _family_p(suite, found)]
    worse = min(tests[:1] if len(suites) == 1 else holm(tests)) <= ALPHA_SUITES
    return Simulated(
        lows=(_overall_low(tuple(counts)), *map(_low, counts)),
        regressed=worse or min(holm(families)) <= ALPHA_FAMILIES,
    )


# The same counts come again and again: what follows from them is kept.
@lru_cache(maxsize=MOST_KEPT)
def _overall_low(counts: tuple[Paired, ...]) -> float:
    return overall_limits(counts, ALPHA_UPGRADE).low


@lru_cache(maxsize=MOST_KEPT)
def _low(count: Paired) -> float:
    return count.limits(ALPHA_UPGRADE).low


def _counted(suite: Suite, found: NDArray[np.int64]) -> Paired:
    if not suite.clustered:
        return Paired(losses=int((found < 0).sum()), gains=int((found > 0).sum()), n=len(found))
    return paired(list(map(_pair, suite.items.tolist(), found.tolist())), repeats=1)


@cache
def _pair(item: int, difference: int) -> CasePair:
    return CasePair(old_passes=int(difference < 0), new_passes=int(difference > 0), cluster=str(item))


def _family_p(suite: Suite, found: NDArray[np.int64]) -> list[float]:
    sums = np.bincount(suite.items, weights=found).astype(np.int64).tolist()
    return [_flip_p(tuple(sorted(filter(None, sums[start:end])))) for start, end in pairwise(suite.bounds)]


@lru_cache(maxsize=MOST_KEPT)
def _flip_p(differences_of_items: tuple[int, ...]) -> float:
    return sign_flip_mid_p(differences_of_items)
