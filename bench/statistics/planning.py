"""How many cases or repeats would decide, and what a run of a given size can resolve.

Everything is planned at no true difference (for a regression: at the margin), never at the observed one. Powers
are for normal quantiles; `deff` is the design effect of clusters and repeats.

Sources: J.-M. Nam (1997), Biometrics 53, 1422-1430 (score test of equivalence, variance under its hypothesis);
R. J. Connor (1987), Biometrics 43, 207-211 (McNemar's test).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from bench.statistics.intervals import constrained_variance, normal_quantile
from bench.statistics.levels import ALPHA_UPGRADE, POWER

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bench.statistics.tests import Paired

__all__ = [
    "cases_for_regression",
    "cases_for_upgrade",
    "growth_for_upgrade",
    "margin_variance",
    "overall_resolvable_margin",
    "repeats_for",
    "required_discordance",
    "resolvable_margin",
    "upgrade_size",
]

_STEPS = 60
_LARGEST_MARGIN = 0.999


def margin_variance(discordance: float, margin: float, *, delta: float = 0.0) -> float:
    """Return v0: the constrained variance at a difference of -margin, of one case with that discordance."""
    losses, gains = (discordance - delta) / 2, (discordance + delta) / 2
    return constrained_variance(losses, gains, 1.0, -margin)


def upgrade_size(discordance: float, margin: float, *, deff: float = 1.0, power: float = POWER) -> float:
    """Return the cases, not rounded, with which an unchanged model passes the margin with that power."""
    z_alpha, z_beta = normal_quantile(1 - ALPHA_UPGRADE), normal_quantile(power)
    spread = z_alpha * math.sqrt(margin_variance(discordance, margin)) + z_beta * math.sqrt(discordance)
    return deff * (spread / margin) ** 2


def cases_for_upgrade(discordance: float, margin: float, *, deff: float = 1.0, power: float = POWER) -> int:
    """Return how many cases certify a margin when nothing has changed."""
    return math.ceil(upgrade_size(discordance, margin, deff=deff, power=power))


def cases_for_regression(
    discordance: float, delta: float, *, alpha: float, deff: float = 1.0, power: float = POWER
) -> int:
    """Return how many cases find a true difference of `delta` (negative) at one-sided level alpha.

    A difference cannot exceed the share of cases that differ: `discordance` is raised to it.
    """
    differing = max(discordance, abs(delta))
    spread = normal_quantile(1 - alpha) * math.sqrt(differing)
    spread += normal_quantile(power) * math.sqrt(differing - delta**2)
    return math.ceil(deff * (spread / abs(delta)) ** 2)


def resolvable_margin(discordance: float, n: float, *, deff: float = 1.0, power: float = POWER) -> float:
    """Return the smallest margin that n cases certify with that power when nothing has changed."""
    return _smallest(
        lambda margin: upgrade_size(discordance, margin, deff=deff, power=power) <= n,
        low=0.0,
        high=_LARGEST_MARGIN,
    )


def overall_resolvable_margin(suites: Sequence[Paired], *, growth: float = 1.0, power: float = POWER) -> float:
    """Return the smallest overall margin of suites that are all `growth` times as large as these."""
    n = sum(suite.n for suite in suites)
    return math.sqrt(
        math.fsum(
            (suite.n / n * resolvable_margin(suite.discordance, suite.n * growth, deff=suite.deff, power=power))
            ** 2
            for suite in suites
        )
    )


def growth_for_upgrade(suites: Sequence[Paired], margin: float, *, power: float = POWER) -> float:
    """Return by what factor all suites have to grow to certify an overall margin when nothing has changed."""
    enough = 1.0
    while overall_resolvable_margin(suites, growth=enough, power=power) > margin:
        enough *= 2
    return _smallest(
        lambda growth: overall_resolvable_margin(suites, growth=growth, power=power) <= margin,
        low=0.0,
        high=enough,
    )


def required_discordance(n: float, margin: float, *, deff: float = 1.0, power: float = POWER) -> float:
    """Return the largest discordance at which n cases certify the margin; 0 where none is small enough."""
    return _smallest(
        lambda discordance: upgrade_size(discordance, margin, deff=deff, power=power) > n, low=0.0, high=1.0
    )


def repeats_for(discordance: float, run_noise: float, required: float) -> int | None:
    """Return the repeats that bring the discordance of one repeat to `required`; None: none do.

    `run_noise` is the discordance of two runs of one model: discordance(K) = (discordance - noise) + noise / K.
    """
    true_change = max(discordance - run_noise, 0.0)
    if required <= true_change or run_noise <= 0:
        return 1 if discordance <= required else None
    return max(1, math.ceil(run_noise / (required - true_change)))


def _smallest(holds: Callable[[float], bool], *, low: float, high: float) -> float:
    """Bisect for the smallest value from which `holds` is true; `high` where it never is."""
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
