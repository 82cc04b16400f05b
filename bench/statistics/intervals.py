"""Confidence intervals: of a rate (Wilson), of a difference of paired rates (Tango), of a mean over suites."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "Cluster",
    "Interval",
    "Limits",
    "cdf",
    "clustered_interval",
    "constrained_variance",
    "design_effect",
    "normal_quantile",
    "quantile",
    "t_cdf",
    "t_quantile",
    "tango_limits",
    "tango_score",
    "wilson_interval",
]


_EXACT_DEGREES = 1000
_PRECISION = 1e-12
_STANDARD = NormalDist()


def quantile(probability: float, degrees: int | None) -> float:
    """Return the quantile of Student's t, or of the normal distribution where `degrees` is None."""
    return normal_quantile(probability) if degrees is None else t_quantile(probability, degrees)


def cdf(value: float, degrees: int | None) -> float:
    """Return P(X <= value) of Student's t, or of the normal distribution where `degrees` is None."""
    return _STANDARD.cdf(value) if degrees is None else t_cdf(value, degrees)


def normal_quantile(probability: float) -> float:
    """Return the standard normal quantile; `probability` lies between 0 and 1, both excluded."""
    return _STANDARD.inv_cdf(probability)


@lru_cache(maxsize=1024)
def t_quantile(probability: float, degrees: int) -> float:
    """Return the quantile of Student's t with a whole number of degrees of freedom, from 1.

    Bisection on the exact distribution up to 1,000 degrees, then the expansion in 1 / degrees of
    Abramowitz and Stegun (1964), 26.7.5, good to 1e-8 there.
    """
    if degrees > _EXACT_DEGREES:
        z = normal_quantile(probability)
        first, second = (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96
        return z + first / degrees + second / degrees**2
    low, high = -1.0, 1.0
    while t_cdf(low, degrees) > probability:
        low *= 2
    while t_cdf(high, degrees) < probability:
        high *= 2
    while high - low > _PRECISION * max(1.0, abs(low)):
        middle = (low + high) / 2
        low, high = (middle, high) if t_cdf(middle, degrees) < probability else (low, middle)
    return (low + high) / 2


def t_cdf(t: float, degrees: int) -> float:
    """Return P(T <= t): the finite series of Abramowitz and Stegun (1964), 26.7.3 and 26.7.4."""
    angle = math.atan(t / math.sqrt(degrees))
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = degrees % 2 == 1
    term = cosine if odd else 1.0
    series = 0.0
    for power in range(2 + degrees % 2, degrees + 1, 2):
        series += term
        term *= (power - 1) / power * cosine**2
    within = 2 / math.pi * (angle + sine * series) if odd else sine * series
    return (1 + within) / 2


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


_STEPS = 60  # halvings of an interval of at most 2: the error is below 2e-18


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Both ends of an interval for a difference, proportions from -1 to 1."""

    low: float
    high: float


def constrained_variance(losses: float, gains: float, n: float, difference: float) -> float:
    """Return 2q + d (1 - d), n times the variance of the estimate when the true difference is d."""
    linear = -losses - gains + (2 * n - gains + losses) * difference
    constant = -losses * difference * (1 - difference)
    root = math.sqrt(max(linear * linear - 8 * n * constant, 0.0))
    loss_probability = (root - linear) / (4 * n)
    return 2 * loss_probability + difference * (1 - difference)


def tango_score(losses: float, gains: float, n: float, difference: float) -> float:
    """Return T(d); plus or minus infinity where the variance is zero and the estimate is not d."""
    distance = gains - losses - n * difference
    variance = n * constrained_variance(losses, gains, n, difference)
    if variance <= 0:
        return math.copysign(math.inf, distance) if distance else 0.0
    return distance / math.sqrt(variance)


def tango_limits(losses: float, gains: float, n: float, quantile: float) -> Limits:
    """Return the differences at which T is `quantile` and its negative; counts may be fractional.

    Raises:
        ValueError: n is not positive, a count is negative, there are more discordant cases than cases, or the
            quantile is not positive.
    """
    slack = 1e-9 * max(n, 1.0)
    if n <= 0 or min(losses, gains) < 0 or losses + gains > n + slack or quantile <= 0:
        raise ValueError(
            "expected n > 0, losses and gains from 0 to n together, and a quantile above 0, "
            f"got {losses=}, {gains=}, {n=}, {quantile=}"
        )
    estimate = (gains - losses) / n
    return Limits(
        low=_root(losses, gains, n, quantile, low=-1.0, high=estimate),
        high=_root(losses, gains, n, -quantile, low=estimate, high=1.0),
    )


def _root(losses: float, gains: float, n: float, score: float, *, low: float, high: float) -> float:
    """Bisect for T(d) = score: T falls as d grows."""
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if tango_score(losses, gains, n, middle) > score:
            low = middle
        else:
            high = middle
    return (low + high) / 2
