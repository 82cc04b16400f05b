"""The verdict: invalid before regression before upgrade; what is left is inconclusive.

A regression comes before an upgrade because margins of suites say what can be resolved, not what is tolerated.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bench.gate import wording
from bench.gate.changes import newly_failing, newly_passing
from bench.gate.comparability import first_difference, setting_notes, unfinished
from bench.gate.comparisons import compare, decided
from bench.gate.families import ALPHA_FAMILIES, family_changes
from bench.gate.margins import default_margins
from bench.gate.noise import measured_noise, run_noise_by_suite
from bench.gate.pairing import suites_of
from bench.gate.result import GateResult, RunFacts
from bench.gate.sample_size import further_evidence
from bench.statistics.tests import DRIFT_LEVEL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.gate.outcomes import RunOutcomes
    from bench.gate.pairing import SuitePairs
    from bench.gate.result import Comparison, FamilyChange, Noise, Reason, Verdict
    from bench.options import Margins

__all__ = ["MOST_MISSING", "decide"]

MOST_MISSING = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """All that the verdict is read off."""

    suites: Sequence[SuitePairs]
    margins: Margins
    comparisons: Sequence[Comparison]
    families: Sequence[FamilyChange]
    noise: Noise | None

    @property
    def regressed(self) -> bool:
        """Whether anything is proven worse, even with missing runs filled in favour of the new model."""
        return any(one.regressed for one in self.comparisons) or any(one.regressed for one in self.families)

    @property
    def holds_margins(self) -> bool:
        """Whether every margin holds, even with missing runs filled in against the new model."""
        return all(one.holds_margin for one in self.comparisons)

    @property
    def too_many_missing(self) -> SuitePairs | None:
        """The first suite of which too many runs are missing."""
        return next((suite for suite in self.suites if suite.missing_share > MOST_MISSING), None)

    @property
    def drifted(self) -> bool:
        """Whether two runs of the old model differ by more than chance."""
        return self.noise is not None and self.noise.drift_p is not None and self.noise.drift_p < DRIFT_LEVEL

    def complete_cases_decide(self) -> bool:
        """Whether the cases without a missing run alone would be proof."""
        complete = decided(self.suites, "complete")
        if complete is None or not any(suite.missing_share for suite in self.suites):
            return False
        families = any(change.p <= ALPHA_FAMILIES for change in family_changes(self.suites, "complete"))
        worse = any(complete.regressed(place) for place in range(len(complete.names)))
        return families or worse or complete.all_hold(self.margins)


def decide(
    old: RunOutcomes, new: RunOutcomes, *, margins: Margins | None = None, second_run: RunOutcomes | None = None
) -> GateResult:
    """Compare two runs and decide.

    `margins` default to 4/8 points, 6 for a lone suite. `second_run` is the old model's, for noise and drift.
    """
    chosen = margins or default_margins(len({case.suite for case in (*old.cases, *new.cases)}))
    base: dict[str, Any] = {"old": _facts(old), "new": _facts(new), "margins": chosen}
    others = [new] if second_run is None else [new, second_run]
    for other in others:
        if partial := unfinished(old, other):
            return GateResult(verdict="invalid", reason="incomplete", why=partial, **base)
        if unlike := first_difference(old, other):
            why = f"the runs cannot be compared: {unlike}"
            return GateResult(verdict="invalid", reason="unlike", why=why, **base)
    suites = suites_of(old, new)
    repetition = None if second_run is None else suites_of(old, second_run)
    if not suites or repetition == []:
        return GateResult(verdict="invalid", reason="incomplete", why="no case is scored in both runs", **base)
    findings = _findings(suites, repetition, chosen)
    verdict, reason = _verdict(findings)
    further = further_evidence(
        suites,
        margins=chosen,
        run_noise=run_noise_by_suite(suites, repetition),
        cost_per_run_usd=_cost_per_run(old, new),
    )
    return GateResult(
        verdict=verdict,
        reason=reason,
        why=wording.why(reason, findings, old=base["old"], new=base["new"]),
        within_margin=verdict == "regression" and findings.holds_margins,
        overall=findings.comparisons[0],
        suites=tuple(findings.comparisons[1:]),
        families=tuple(findings.families),
        newly_failing=tuple(newly_failing(suites)),
        newly_passing=tuple(newly_passing(suites)),
        noise=findings.noise,
        further=tuple(further) if reason == "precision" else (),
        notes=tuple(setting_notes(old, new)),
        **base,
    )


def _findings(suites: Sequence[SuitePairs], repetition: Sequence[SuitePairs] | None, margins: Margins) -> Findings:
    comparisons = compare(suites, margins=margins)
    complete = comparisons[0].complete
    return Findings(
        suites=suites,
        margins=margins,
        comparisons=comparisons,
        families=family_changes(suites, "best"),
        noise=measured_noise(suites, repetition, None if complete is None else complete.delta),
    )


def _verdict(findings: Findings) -> tuple[Verdict, Reason]:
    if findings.too_many_missing is not None:
        return "invalid", "incomplete"
    if findings.drifted:
        return "invalid", "drift"
    if findings.regressed:
        return "regression", "worse"
    if findings.holds_margins:
        return "upgrade", "no worse"
    return "inconclusive", "missing" if findings.complete_cases_decide() else "precision"


def _facts(run: RunOutcomes) -> RunFacts:
    return RunFacts(
        label=run.label,
        provider=run.provider,
        model=run.model,
        started=run.started,
        cases_n=len(run.cases),
        repeats=run.repeats,
        cost_usd=run.cost_usd,
    )


def _cost_per_run(old: RunOutcomes, new: RunOutcomes) -> float | None:
    """Return what asking both models one case once costs."""
    if old.cost_usd is None or new.cost_usd is None:
        return None
    return old.cost_usd / (len(old.cases) * old.repeats) + new.cost_usd / (len(new.cases) * new.repeats)
