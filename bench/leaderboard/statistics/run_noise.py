"""A model's own randomness: the noise floor of a difference, drift, the interval for these very items."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.leaderboard.statistics.exact_tests import sign_flip_two_sided_p
from bench.leaderboard.statistics.quantiles import normal_quantile
from bench.leaderboard.statistics.tango import Limits
from bench.leaderboard.statistics.wilson import wilson_interval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.leaderboard.statistics.paired import CasePair

__all__ = ["DRIFT_LEVEL", "NoiseFloor", "drift_p", "noise_floor", "repeat_noise", "these_items_limits"]

DRIFT_LEVEL = 0.05
_ONE_SIDED = 0.95
_TWO_SIDED = 0.975


@dataclass(frozen=True, slots=True, kw_only=True)
class NoiseFloor:
    """Discordance of two runs of one model: `rate`, Wilson's upper limit, the band of differences it explains."""

    rate: float
    upper: float
    band: float


def noise_floor(discordant: float, n: int, *, repeats: int) -> NoiseFloor:
    """Return the noise floor from `discordant` of n cases whose single runs differed.

    The band is for a difference of two runs of n cases with `repeats` each: 1.96 sqrt(upper / (n repeats)).
    Wilson's limit, not the plain rate: with it at least 97 % of fresh differences fell inside.
    """
    interval = wilson_interval(discordant, n, normal_quantile(_ONE_SIDED))
    upper = interval.high or 0.0
    band = normal_quantile(_TWO_SIDED) * math.sqrt(upper / (n * repeats))
    return NoiseFloor(rate=discordant / n, upper=upper, band=band)


def repeat_noise(passes: Sequence[int], *, repeats: int) -> float:
    """Return in how many cases two single runs of one model differ, estimated from repeats (2 or more).

    For each case the share of its pairs of repeats that differ.
    """
    pairs = repeats * (repeats - 1) / 2
    return math.fsum(count * (repeats - count) / pairs for count in passes)


def drift_p(cases: Sequence[CasePair]) -> float:
    """Return the exact two-sided p of "these two runs are of different models" (McNemar's with one repeat)."""
    return sign_flip_two_sided_p(case.gained for case in cases)


def these_items_limits(cases: Sequence[CasePair], *, repeats: int) -> Limits:
    """Return the two-sided 90 % interval of the difference on these very items; repeats from 2.

    d +- 1.645 sqrt(sum (x (1 - x) + y (1 - y)) / (K - 1)) / n, x and y the models' pass rates on a case. It
    answers for run noise alone and says nothing of other items.
    """
    n = len(cases)
    spread = math.fsum(
        rate * (1 - rate) for case in cases for rate in (case.old_passes / repeats, case.new_passes / repeats)
    )
    half = normal_quantile(_ONE_SIDED) * math.sqrt(spread / (repeats - 1)) / n
    delta = sum(case.gained for case in cases) / (repeats * n)
    return Limits(low=delta - half, high=delta + half)
