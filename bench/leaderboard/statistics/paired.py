"""Paired results of two models on the same cases: losses, gains and what clusters and repeats do to them.

Cases asked K times count in K-ths; cases about one picture are a cluster. Both act through a design effect by
which losses, gains and n are divided before they enter Tango's interval.

Sources: J. N. K. Rao and A. J. Scott (1992), Biometrics 48, 577-585 (effective counts); N. A. Obuchowski (1998),
Statistics in Medicine 17, 1495-1507 (variance of clustered paired proportions).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.leaderboard.statistics.quantiles import cdf, quantile
from bench.leaderboard.statistics.tango import Limits, tango_limits

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["ALPHA_TWO_SIDED", "ALPHA_UPGRADE", "CasePair", "Paired", "losses_and_gains", "paired"]

ALPHA_UPGRADE = 0.045
"""One-sided level of the upgrade's lower limits: not .05, to absorb the interval's overshoot."""

ALPHA_TWO_SIDED = 0.05
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
