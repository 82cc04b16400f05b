"""Two runs' outcomes of the same cases side by side, with missing runs filled in, and the figures of both."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from bench.results.aggregate import grouped
from bench.statistics.levels import ALPHA_TWO_SIDED
from bench.statistics.planning import overall_resolvable_margin
from bench.statistics.tests import (
    CasePair,
    Paired,
    overall_deff,
    overall_delta,
    overall_limits,
    paired,
    these_items_limits,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bench.results.comparability import CaseOutcome, Result, RunOutcomes
    from bench.statistics.intervals import Limits

__all__ = [
    "OVERALL",
    "Figures",
    "Filling",
    "Pair",
    "SuitePairs",
    "counted",
    "figures",
    "filled",
    "paired_suites",
    "suites_of",
]

Filling = Literal["complete", "worst", "best"]
OVERALL = "overall"
"""What all suites together are called."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """One case in both runs."""

    old: CaseOutcome
    new: CaseOutcome

    @property
    def missing_runs(self) -> int:
        """In how many repeats a run of either model is missing."""
        both = zip(self.old.results, self.new.results, strict=True)
        return sum("missing" in results for results in both)


@dataclass(frozen=True, slots=True, kw_only=True)
class SuitePairs:
    """All cases of one suite."""

    name: str
    repeats: int
    pairs: tuple[Pair, ...]

    @property
    def missing_share(self) -> float:
        """Share of runs that are missing on either side."""
        return sum(pair.missing_runs for pair in self.pairs) / (self.repeats * len(self.pairs))

    def families(self) -> dict[str, list[Pair]]:
        """The cases by family."""
        return grouped(self.pairs, lambda pair: pair.old.family)


def suites_of(old: RunOutcomes, new: RunOutcomes) -> list[SuitePairs]:
    """Pair the cases of two runs that can be compared."""
    return paired_suites(old.cases, new.cases, old.repeats)


def paired_suites(old: Iterable[CaseOutcome], new: Iterable[CaseOutcome], repeats: int) -> list[SuitePairs]:
    """Pair the cases that both have; suites by name, cases in the first one's order.

    Cases that the way of judging cannot score leave before anything is counted.
    """
    theirs = {case.key: case for case in new}
    pairs = [Pair(old=case, new=theirs[case.key]) for case in old if case.key in theirs]
    scored = [pair for pair in pairs if "unscored" not in (*pair.old.results, *pair.new.results)]
    by_suite = grouped(scored, lambda pair: pair.old.suite)
    return [SuitePairs(name=name, repeats=repeats, pairs=tuple(by_suite[name])) for name in sorted(by_suite)]


def filled(pairs: Iterable[Pair], filling: Filling) -> list[CasePair]:
    """Count passes with missing runs filled: "worst" against the new model, "best" for it, "complete" left out."""
    return [
        CasePair(
            old_passes=_passes(pair.old.results, missing_passes=filling == "worst"),
            new_passes=_passes(pair.new.results, missing_passes=filling == "best"),
            cluster=pair.old.item_id,
        )
        for pair in pairs
        if filling != "complete" or not pair.missing_runs
    ]


def _passes(results: Sequence[Result], *, missing_passes: bool) -> int:
    return sum(result == "passed" or (result == "missing" and missing_passes) for result in results)


def counted(suite: SuitePairs, filling: Filling) -> Paired | None:
    """Return a suite's losses and gains; None where no case is left."""
    cases = filled(suite.pairs, filling)
    return paired(cases, repeats=suite.repeats) if cases else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What cases without a missing run say: n of them, `delta` = new - old with its two-sided 95 % limits.

    `resolvable` is the smallest margin that so many cases certify 4 times in 5 when nothing has changed.
    `these_items` answers for these very items only (two-sided 90 %); None with one repeat.
    """

    n: int
    old_rate: float
    new_rate: float
    losses: float
    gains: float
    delta: float
    limits: Limits
    deff: float
    resolvable: float
    these_items: Limits | None


def figures(suites: Sequence[SuitePairs]) -> Figures | None:
    """Return what the complete cases of these suites say; None where there is none."""
    counts = [count for suite in suites if (count := counted(suite, "complete")) is not None]
    if not counts:
        return None
    cases = [case for suite in suites for case in filled(suite.pairs, "complete")]
    repeats = suites[0].repeats
    return Figures(
        n=len(cases),
        old_rate=sum(case.old_passes for case in cases) / (repeats * len(cases)),
        new_rate=sum(case.new_passes for case in cases) / (repeats * len(cases)),
        losses=sum(count.losses for count in counts),
        gains=sum(count.gains for count in counts),
        delta=overall_delta(counts),
        limits=overall_limits(counts, ALPHA_TWO_SIDED / 2),
        deff=overall_deff(counts),
        resolvable=overall_resolvable_margin(counts),
        these_items=these_items_limits(cases, repeats=repeats) if repeats > 1 else None,
    )
