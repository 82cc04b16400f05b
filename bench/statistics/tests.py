"""Tests of paired runs: exact, clustered, all suites together, and the noise between two runs of one model."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from bench.statistics.intervals import Limits, cdf, normal_quantile, quantile, tango_limits, wilson_interval

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = [
    "CasePair",
    "NoiseFloor",
    "Paired",
    "drift_p",
    "holm",
    "losses_and_gains",
    "noise_floor",
    "overall_deff",
    "overall_delta",
    "overall_limits",
    "overall_regression_p",
    "paired",
    "repeat_noise",
    "sign_flip_mid_p",
    "sign_flip_two_sided_p",
    "these_items_limits",
    "weights",
]


def sign_flip_mid_p(differences: Iterable[int]) -> float:
    """Return the one-sided mid-p of "new is worse" over all sign patterns of whole differences (new - old).

    With differences of 1 and -1 it is McNemar's: P(X >= losses) - P(X = losses) / 2, X binomial with
    losses + gains trials of probability 1/2.
    """
    present = [difference for difference in differences if difference]
    counts = _distribution(present)
    observed = sum(difference for difference in present if difference > 0)
    below, at = sum(counts[:observed]), counts[observed]
    return (2 * below + at) / (2 << len(present))


def sign_flip_two_sided_p(differences: Iterable[int]) -> float:
    """Return the exact two-sided p of "old and new differ": twice the smaller tail, at most 1."""
    present = [difference for difference in differences if difference]
    counts = _distribution(present)
    observed = sum(difference for difference in present if difference > 0)
    tail = min(sum(counts[: observed + 1]), sum(counts[observed:]))
    return min(1.0, 2 * tail / (1 << len(present)))


def _distribution(differences: Sequence[int]) -> list[int]:
    """Count the sign patterns by the sum of their positive part, which decides their total."""
    counts = [1]
    for size in map(abs, differences):
        counts = [stay + flip for stay, flip in zip(counts + [0] * size, [0] * size + counts, strict=True)]
    return counts


def holm(p_values: Sequence[float]) -> list[float]:
    """Return Holm's adjusted p-values, in the order given: reject those at or below the level."""
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    steps = (min(1.0, (len(order) - rank) * p_values[place]) for rank, place in enumerate(order))
    adjusted = dict(zip(order, accumulate(steps, max), strict=True))
    return [adjusted[place] for place in range(len(p_values))]


_ROUNDING = 1e-15


@dataclass(frozen=True, slots=True, kw_only=True)
class CasePair:
    """How often one case was passed by either model out of the same number of repeats.

    Cases with an equal `cluster` are about one item, such as one picture.
    """

    old_passes: int
    new_passes: int
    cluster: str

    @property
    def gained(self) -> int:
        """Passes won, negative when lost."""
        return self.new_passes - self.old_passes


@dataclass(frozen=True, slots=True, kw_only=True)
class Paired:
    """Losses and gains of n cases, in cases; `degrees` of Student's t are None where the normal quantile holds.

    `repeat_effect` and `cluster_effect` multiply to the design effect.
    """

    losses: float
    gains: float
    n: int
    repeat_effect: float = 1.0
    cluster_effect: float = 1.0
    degrees: int | None = None

    def __post_init__(self) -> None:
        if self.n < 1:
            raise ValueError(f"expected at least one case to compare, got {self.n}")

    @property
    def delta(self) -> float:
        """New rate minus old rate."""
        return (self.gains - self.losses) / self.n

    @property
    def discordance(self) -> float:
        """Share of cases that differ."""
        return (self.gains + self.losses) / self.n

    @property
    def deff(self) -> float:
        """The design effect."""
        return self.repeat_effect * self.cluster_effect

    @property
    def variance(self) -> float:
        """Variance of delta under no difference: effective discordant cases over the square of effective cases."""
        return (self.losses + self.gains) / self.deff / (self.n / self.deff) ** 2

    def limits(self, alpha: float) -> Limits:
        """Return the interval whose either end is missed with probability alpha."""
        effect = self.deff
        if self.degrees == 0:  # one cluster says nothing about the spread between clusters
            return Limits(low=-1.0, high=1.0)
        return tango_limits(
            self.losses / effect, self.gains / effect, self.n / effect, quantile(1 - alpha, self.degrees)
        )

    def regression_p(self) -> float:
        """Return the one-sided p of "new is worse": small when losses outweigh gains; 1 when no case differs."""
        if self.losses + self.gains == 0 or self.degrees == 0:
            return 1.0
        return cdf(self.delta / math.sqrt(self.variance), self.degrees)


def losses_and_gains(cases: Iterable[CasePair], *, repeats: int) -> tuple[float, float]:
    """Count passes lost and won, in cases: half a case is one of two repeats."""
    changes = [case.gained for case in cases]
    return sum(-one for one in changes if one < 0) / repeats, sum(one for one in changes if one > 0) / repeats


def paired(cases: Sequence[CasePair], *, repeats: int) -> Paired:
    """Count losses and gains and estimate the design effect.

    Raises:
        ValueError: there is no case, or one has more passes than repeats.
    """
    if any(not 0 <= passes <= repeats for case in cases for passes in (case.old_passes, case.new_passes)):
        raise ValueError(f"expected from 0 to {repeats} passes for each case, got {cases!r:.200}")
    losses, gains = losses_and_gains(cases, repeats=repeats)
    plain = Paired(losses=losses, gains=gains, n=len(cases))
    clusters = _clusters(cases)
    clustered = len(clusters) < len(cases)
    binary = plain.discordance / plain.n - plain.delta**2 / plain.n
    between = _variance_of_cases(cases, repeats)
    return Paired(
        losses=losses,
        gains=gains,
        n=len(cases),
        repeat_effect=_repeat_effect(between, binary, repeats),
        cluster_effect=_cluster_effect(clusters, plain.delta, between, repeats, len(cases)) if clustered else 1.0,
        degrees=len(clusters) - 1 if clustered else (len(cases) - 1 if repeats > 1 else None),
    )


def _clusters(cases: Sequence[CasePair]) -> list[list[CasePair]]:
    groups: dict[str, list[CasePair]] = {}
    for case in cases:
        groups.setdefault(case.cluster, []).append(case)
    return list(groups.values())


def _variance_of_cases(cases: Sequence[CasePair], repeats: int) -> float:
    """V_i: the variance of delta over cases taken as independent; with one repeat it is the binary one."""
    n = len(cases)
    differences = [case.gained / repeats for case in cases]
    delta = math.fsum(differences) / n
    spread = math.fsum(difference**2 for difference in differences) / n - delta**2
    return spread / n * (n / (n - 1) if repeats > 1 and n > 1 else 1.0)


def _repeat_effect(between: float, binary: float, repeats: int) -> float:
    """f_K: what repeats leave of the binary variance, never less than its K-th part."""
    if repeats == 1 or not _is_variance(binary):
        return 1.0
    return max(between / binary, 1 / repeats)


def _cluster_effect(
    clusters: Sequence[Sequence[CasePair]], delta: float, between: float, repeats: int, n: int
) -> float:
    """f_C: how much more the clusters differ than independent cases would, at least 1."""
    groups = len(clusters)
    if groups == 1 or not _is_variance(between):
        return 1.0
    sums = (sum(case.gained for case in cluster) / repeats - delta * len(cluster) for cluster in clusters)
    return max(1.0, groups / (groups - 1) * math.fsum(one**2 for one in sums) / n**2 / between)


def _is_variance(value: float) -> bool:
    """Whether a variance is more than what rounding leaves of zero."""
    return value > _ROUNDING


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
    variance = _variance(suites)
    return cdf(overall_delta(suites) / math.sqrt(variance), None) if variance > 0 else 1.0


def overall_deff(suites: Sequence[Paired]) -> float:
    """Return the variance under no difference over that of as many independent cases; 1 where none differs."""
    n = sum(suite.n for suite in suites)
    single = sum(suite.losses + suite.gains for suite in suites) / n**2
    return _variance(suites) / single if single else 1.0


def _variance(suites: Sequence[Paired]) -> float:
    return math.fsum(weight**2 * suite.variance for weight, suite in zip(weights(suites), suites, strict=True))


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
