"""The difference over several suites with fixed weights, and its limits by MOVER.

Source: G. Y. Zou and A. Donner (2008), "Construction of confidence limits about effect measures: a general
approach", Statistics in Medicine 27, 1693-1702: method of variance estimates recovery.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from bench.leaderboard.statistics.quantiles import cdf
from bench.leaderboard.statistics.tango import Limits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.leaderboard.statistics.paired import Paired

__all__ = ["overall_deff", "overall_delta", "overall_limits", "overall_regression_p", "weights"]


def weights(suites: Sequence[Paired]) -> list[float]:
    """Return each suite's share of all cases."""
    n = sum(suite.n for suite in suites)
    return [suite.n / n for suite in suites]


def overall_delta(suites: Sequence[Paired]) -> float:
    """Return the weighted sum of the suites' differences."""
    return math.fsum(weight * suite.delta for weight, suite in zip(weights(suites), suites, strict=True))


def overall_limits(suites: Sequence[Paired], alpha: float) -> Limits:
    """Return the limits of the weighted sum; with one suite they are the suite's own."""
    delta = overall_delta(suites)
    below = above = 0.0
    for weight, suite in zip(weights(suites), suites, strict=True):
        limits = suite.limits(alpha)
        below += (weight * (suite.delta - limits.low)) ** 2
        above += (weight * (limits.high - suite.delta)) ** 2
    return Limits(low=delta - math.sqrt(below), high=delta + math.sqrt(above))


def overall_regression_p(suites: Sequence[Paired]) -> float:
    """Return the one-sided p of "new is worse overall"; with one suite it is the suite's own."""
    if len(suites) == 1:
        return suites[0].regression_p()
    variance = math.fsum(weight**2 * suite.variance for weight, suite in zip(weights(suites), suites, strict=True))
    return cdf(overall_delta(suites) / math.sqrt(variance), None) if variance > 0 else 1.0


def overall_deff(suites: Sequence[Paired]) -> float:
    """Return the variance under no difference over that of as many single cases, asked once; 1 without any."""
    n = sum(suite.n for suite in suites)
    single = sum(suite.losses + suite.gains for suite in suites) / n**2
    return _variance(suites) / single if single else 1.0


def _variance(suites: Sequence[Paired]) -> float:
    return math.fsum(weight**2 * suite.variance for weight, suite in zip(weights(suites), suites, strict=True))
