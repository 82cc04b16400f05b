"""95 % intervals of pass rates: Wilson's, and its form for clustered observations.

Sources: Wilson (1927); for clusters the variance of a ratio estimate over clusters (Cochran 1977,
Sampling Techniques, section 6.5; Obuchowski 1998), turned into a design effect and an effective number
of observations (Rao and Scott 1992), with Student's t at clusters - 1 degrees of freedom.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Cluster", "Interval", "clustered_interval", "design_effect", "t_quantile", "wilson_interval"]

_UPPER = 0.975
_EXACT_DEGREES = 1000
_PRECISION = 1e-12


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
    z = NormalDist().inv_cdf(_UPPER) if quantile is None else quantile
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
    found = wilson_interval(passed / deff, n / deff, t_quantile(len(filled) - 1))
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


@lru_cache(maxsize=1024)
def t_quantile(degrees: int) -> float:
    """Return the 97.5 % quantile of Student's t with a whole number of degrees of freedom, from 1.

    Bisection on the exact distribution up to 1,000 degrees, then the expansion in 1 / degrees of
    Abramowitz and Stegun (1964), 26.7.5, good to 1e-8 there.
    """
    if degrees > _EXACT_DEGREES:
        z = NormalDist().inv_cdf(_UPPER)
        first, second = (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96
        return z + first / degrees + second / degrees**2
    low, high = 0.0, 16.0
    while high - low > _PRECISION:
        middle = (low + high) / 2
        low, high = (middle, high) if _t_within(middle, degrees) < 2 * _UPPER - 1 else (low, middle)
    return (low + high) / 2


def _t_within(t: float, degrees: int) -> float:
    """P(|T| <= t): the finite series of Abramowitz and Stegun (1964), 26.7.3 and 26.7.4."""
    angle = math.atan(t / math.sqrt(degrees))
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = degrees % 2 == 1
    term = cosine if odd else 1.0
    series = 0.0
    for power in range(2 + degrees % 2, degrees + 1, 2):
        series += term
        term *= (power - 1) / power * cosine**2
    return 2 / math.pi * (angle + sine * series) if odd else sine * series
