"""95 % intervals of pass rates: Wilson's, and its form for clustered observations.

Sources: Wilson (1927); for clusters the variance of a ratio estimate over clusters (Cochran 1977,
Sampling Techniques, section 6.5; Obuchowski 1998), turned into a design effect and an effective number
of observations (Rao and Scott 1992), with Student's t at clusters - 1 degrees of freedom.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.leaderboard.statistics.quantiles import normal_quantile, t_quantile

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Cluster", "Interval", "clustered_interval", "design_effect", "wilson_interval"]

_UPPER = 0.975


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A rate and the ends of its two-sided 95 % interval, all fractions; None when nothing was seen."""

    rate: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """Observations that belong together, such as the fields of one item."""

    passed: int
    n: int


def wilson_interval(passed: float, n: float, quantile: float | None = None) -> Interval:
    """Return Wilson's score interval for `passed` of `n`; both may be fractional.

    `quantile` defaults to the normal one, 1.96.
    """
    if n <= 0:
        return Interval(rate=None, low=None, high=None)
    z = normal_quantile(_UPPER) if quantile is None else quantile
    p = passed / n
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    low = 0.0 if passed <= 0 else max(0.0, centre - half)
    high = 1.0 if passed >= n else min(1.0, centre + half)
    return Interval(rate=p, low=low, high=high)


def clustered_interval(clusters: Sequence[Cluster]) -> Interval:
    """Return Wilson's interval for the pooled rate, with n / deff and t at clusters - 1.

    One cluster says nothing about the spread between clusters: its interval is 0 to 1.
    """
    filled = [cluster for cluster in clusters if cluster.n > 0]
    n = sum(cluster.n for cluster in filled)
    passed = sum(cluster.passed for cluster in filled)
    if len(filled) == 1:
        return Interval(rate=passed / n, low=0.0, high=1.0)
    if not filled:
        return wilson_interval(0, 0)
    deff = design_effect(filled)
    found = wilson_interval(passed / deff, n / deff, t_quantile(_UPPER, len(filled) - 1))
    return Interval(rate=passed / n, low=found.low, high=found.high)


def design_effect(clusters: Sequence[Cluster]) -> float:
    """Return max(1, V / (p (1 - p) / n)), V = G / (G - 1) * sum (passed_g - p n_g)^2 / n^2.

    1 when all passed or all failed (no variance to compare with). Needs two clusters.
    """
    groups, n = len(clusters), sum(cluster.n for cluster in clusters)
    p = sum(cluster.passed for cluster in clusters) / n
    if p in {0.0, 1.0}:
        return 1.0
    spread = math.fsum((cluster.passed - p * cluster.n) ** 2 for cluster in clusters)
    variance = groups / (groups - 1) * spread / n**2
    return max(1.0, variance / (p * (1 - p) / n))
