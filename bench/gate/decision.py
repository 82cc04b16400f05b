"""The verdict: invalid before regression before upgrade; what is left is inconclusive.

A regression comes before an upgrade because margins of suites say what can be resolved, not what is tolerated.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Any, Literal

from bench.gate.result import CaseChange, Comparison, FamilyChange, Findings, GateResult, Noise, RunFacts
from bench.gate.sample_size import further_evidence
from bench.gate.text import why as why_of
from bench.models.types import natural_key
from bench.results.aggregate import grouped
from bench.results.comparability import first_difference, setting_notes, unfinished
from bench.statistics.comparison import OVERALL, counted, figures, filled, suites_of
from bench.statistics.levels import ALPHA_FAMILIES, ALPHA_SUITES, ALPHA_UPGRADE, default_margins
from bench.statistics.tests import (
    Paired,
    drift_p,
    holm,
    losses_and_gains,
    noise_floor,
    overall_limits,
    overall_regression_p,
    paired,
    repeat_noise,
    sign_flip_mid_p,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bench.gate.result import Further, Reason, Verdict
    from bench.options import Margins
    from bench.results.comparability import CaseOutcome, RunOutcomes
    from bench.statistics.comparison import Filling, Pair, SuitePairs
    from bench.statistics.tests import CasePair

__all__ = [
    "Decided",
    "compare",
    "decide",
    "decided",
    "family_changes",
    "measured_noise",
    "newly_failing",
    "newly_passing",
    "run_noise_by_suite",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """What one way of filling decides: overall first, then the suites. One suite is one test, not two."""

    names: tuple[str, ...]
    lows: tuple[float, ...]
    p_values: tuple[float, ...]

    def holds(self, place: int, margins: Margins) -> bool:
        """Whether the lower limit lies above the margin."""
        return 100 * self.lows[place] > -(margins.overall if place == 0 else margins.suite)

    def all_hold(self, margins: Margins) -> bool:
        """Whether all lower limits lie above their margins: intersection-union, so no correction (Berger 1982)."""
        return all(self.holds(place, margins) for place in range(len(self.lows)))

    def regressed(self, place: int) -> bool:
        """Whether the new model is proven worse."""
        return self.p_values[place] <= ALPHA_SUITES


def decided(suites: Sequence[SuitePairs], filling: Filling) -> Decided | None:
    """Compute lower limits and Holm-adjusted p-values; None where a suite has no case left."""
    counts = [counted(suite, filling) for suite in suites]
    present = [count for count in counts if count is not None]
    return _decided([suite.name for suite in suites], present) if len(present) == len(suites) else None


def _filled(suites: Sequence[SuitePairs], filling: Literal["worst", "best"]) -> Decided:
    counts = [paired(filled(suite.pairs, filling), repeats=suite.repeats) for suite in suites]
    return _decided([suite.name for suite in suites], counts)


def _decided(names: Sequence[str], counts: Sequence[Paired]) -> Decided:
    tests = [overall_regression_p(counts), *(count.regression_p() for count in counts)]
    adjusted = [tests[0]] * 2 if len(counts) == 1 else holm(tests)
    return Decided(
        names=(OVERALL, *names),
        lows=(overall_limits(counts, ALPHA_UPGRADE).low, *(one.limits(ALPHA_UPGRADE).low for one in counts)),
        p_values=tuple(adjusted),
    )


def compare(suites: Sequence[SuitePairs], *, margins: Margins) -> list[Comparison]:
    """Return overall and then each suite: figures of complete cases, decisions of the fillings."""
    worst, best = _filled(suites, "worst"), _filled(suites, "best")
    groups = [(OVERALL, suites), *((suite.name, [suite]) for suite in suites)]
    return [
        Comparison(
            name=name,
            n=sum(len(suite.pairs) for suite in own),
            missing_n=sum(pair.missing_runs > 0 for suite in own for pair in suite.pairs),
            complete=figures(own),
            margin=(margins.suite if place else margins.overall) / 100,
            worst_low=worst.lows[place],
            holds_margin=worst.holds(place, margins),
            regression_p=best.p_values[place],
            regressed=best.regressed(place),
        )
        for place, (name, own) in enumerate(groups)
    ]


def family_changes(suites: Sequence[SuitePairs], filling: Filling) -> list[FamilyChange]:
    """Test every family of every suite; those that regressed first, then by p, suite and name.

    Missing runs are filled for the test alone: cases, losses and gains are those that were measured.
    """
    families = [(suite, family, pairs) for suite in suites for family, pairs in suite.families().items()]
    tested = [(*one, cases) for one in families if (cases := filled(one[2], filling))]
    adjusted = holm([sign_flip_mid_p(_differences_by_item(cases)) for *_, cases in tested])
    changes = []
    for (suite, family, pairs, _), p in zip(tested, adjusted, strict=True):
        measured = filled(pairs, "complete")
        losses, gains = losses_and_gains(measured, repeats=suite.repeats)
        changes.append(
            FamilyChange(
                suite=suite.name,
                family=family,
                n=len(measured),
                losses=losses,
                gains=gains,
                p=p,
                regressed=p <= ALPHA_FAMILIES,
            )
        )
    return sorted(changes, key=lambda change: (change.p, change.suite, change.family))


def _differences_by_item(cases: Sequence[CasePair]) -> list[int]:
    """Return the whole differences of items, which are what can be exchanged."""
    return [sum(case.gained for case in own) for own in grouped(cases, lambda case: case.cluster).values()]


def newly_failing(suites: Iterable[SuitePairs]) -> list[CaseChange]:
    """List cases that the old model passed and the new one fails; an answer without a number is worst of all."""
    changed = (_case_change(pair) for pair in _complete(suites) if _passed(pair.old) and not _passed(pair.new))
    return sorted(changed, key=lambda change: (_badness(change.new_error), *_order(change)))


def newly_passing(suites: Iterable[SuitePairs]) -> list[CaseChange]:
    """List cases that the old model failed and the new one passes."""
    changed = (_case_change(pair) for pair in _complete(suites) if _passed(pair.new) and not _passed(pair.old))
    return sorted(changed, key=lambda change: (_badness(change.old_error), *_order(change)))


def _complete(suites: Iterable[SuitePairs]) -> list[Pair]:
    return [pair for suite in suites for pair in suite.pairs if not pair.missing_runs]


def _passed(outcome: CaseOutcome) -> bool:
    """Whether more than half of the repeats passed; half is not enough."""
    return 2 * _passes(outcome) > len(outcome.results)


def _passes(outcome: CaseOutcome) -> int:
    return outcome.results.count("passed")


def _case_change(pair: Pair) -> CaseChange:
    return CaseChange(
        suite=pair.old.suite,
        family=pair.old.family,
        item_id=pair.old.item_id,
        task=pair.old.task,
        old_passes=_passes(pair.old),
        new_passes=_passes(pair.new),
        old_error=_typical(pair.old.errors),
        new_error=_typical(pair.new.errors),
    )


def _typical(errors: Sequence[float | None]) -> float | None:
    """Return the median; a repeat without a number lies above all others."""
    middle = median(float("inf") if error is None else error for error in errors)
    return None if middle == float("inf") else middle


def _badness(error: float | None) -> tuple[bool, float]:
    return (error is not None, 0.0 if error is None else -error)


def _order(change: CaseChange) -> tuple[object, ...]:
    return (change.suite, natural_key(change.item_id), change.task or "")


def measured_noise(
    suites: Sequence[SuitePairs], second_run: Sequence[SuitePairs] | None, delta: float | None
) -> Noise | None:
    """Return the noise floor, `second_run` being the old run against its repetition; None where it is unknown."""
    repeats = suites[0].repeats
    cases = [case for own in _repeated_cases(suites, second_run).values() for case in own]
    if not cases:
        return None
    discordant = _discordant(cases, repeats, second=second_run is not None)
    floor = noise_floor(discordant, len(cases), repeats=repeats)
    return Noise(
        source="repeats" if second_run is None else "second run",
        n=len(cases),
        rate=floor.rate,
        upper=floor.upper,
        band=floor.band,
        within=delta is not None and abs(delta) <= floor.band,
        drift_p=None if second_run is None else drift_p(cases),
    )


def run_noise_by_suite(
    suites: Sequence[SuitePairs], second_run: Sequence[SuitePairs] | None
) -> Mapping[str, float]:
    """Return by suite the share of cases in which two single runs of the old model differ, where that is known."""
    return {
        name: _discordant(own, suites[0].repeats, second=second_run is not None) / len(own)
        for name, own in _repeated_cases(suites, second_run).items()
        if own
    }


def _repeated_cases(
    suites: Sequence[SuitePairs], second_run: Sequence[SuitePairs] | None
) -> dict[str, list[CasePair]]:
    """Return by suite the cases that the old model was given more than once; without repeats there is no suite."""
    if second_run is None and suites[0].repeats == 1:
        return {}
    return {
        suite.name: filled(suite.pairs, "complete") for suite in (suites if second_run is None else second_run)
    }


def _discordant(cases: Sequence[CasePair], repeats: int, *, second: bool) -> float:
    """Return in how many cases two single runs of the old model differ, in the mean over pairs of runs."""
    if not second:
        return repeat_noise([case.old_passes for case in cases], repeats=repeats)
    return sum(
        case.old_passes * (repeats - case.new_passes) + case.new_passes * (repeats - case.old_passes)
        for case in cases
    ) / (repeats * repeats)


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
    further: list[Further] = []
    if reason == "precision":
        further = further_evidence(
            suites,
            margins=chosen,
            run_noise=run_noise_by_suite(suites, repetition),
            cost_per_run_usd=_cost_per_run(old, new),
        )
    return GateResult(
        verdict=verdict,
        reason=reason,
        why=why_of(reason, findings, old=base["old"], new=base["new"]),
        within_margin=verdict == "regression" and findings.holds_margins,
        overall=findings.comparisons[0],
        suites=tuple(findings.comparisons[1:]),
        families=tuple(findings.families),
        newly_failing=tuple(newly_failing(suites)),
        newly_passing=tuple(newly_passing(suites)),
        noise=findings.noise,
        further=tuple(further),
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
    return "inconclusive", "missing" if _complete_cases_decide(findings) else "precision"


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
    """Return what one request of one case to both models costs."""
    if old.cost_usd is None or new.cost_usd is None:
        return None
    return old.cost_usd / (len(old.cases) * old.repeats) + new.cost_usd / (len(new.cases) * new.repeats)


def _complete_cases_decide(findings: Findings) -> bool:
    """Whether the cases without a missing run alone would be proof."""
    complete = decided(findings.suites, "complete")
    if complete is None or not any(suite.missing_share for suite in findings.suites):
        return False
    families = any(change.p <= ALPHA_FAMILIES for change in family_changes(findings.suites, "complete"))
    worse = any(complete.regressed(place) for place in range(len(complete.names)))
    return families or worse or complete.all_hold(findings.margins)
