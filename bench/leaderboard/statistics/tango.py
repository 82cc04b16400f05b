"""Tango's score interval for a difference of paired proportions.

Source: T. Tango (1998), "Equivalence test and confidence interval for the difference in proportions for the
paired-sample design", Statistics in Medicine 17, 891-908. T(d) = (c - b - nd) / sqrt(n (2q + d (1 - d))), where q
is the maximum-likelihood probability of a loss under the constraint that the difference is d.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

__all__ = ["Limits", "constrained_variance", "tango_limits", "tango_score"]

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
