"""The sentences of the gate: why, and what would change it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.gate.comparisons import OVERALL

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bench.gate.decision import Findings
    from bench.gate.result import Comparison, FamilyChange, Figures, Further, GateResult, Noise, Reason, RunFacts
    from bench.options import Margins

__all__ = ["about_sentences", "figure_cells", "points", "why"]


def why(reason: Reason, findings: Findings, *, old: RunFacts, new: RunFacts) -> str:
    """Say why, naming the models as provider:name."""
    before, after = f"{old.provider}:{old.model}", f"{new.provider}:{new.model}"
    match reason:
        case "worse":
            return f"{after} is worse than {before}: {_what_regressed(findings.comparisons, findings.families)}"
        case "no worse":
            return _no_worse(findings, before, after)
        case "missing":
            return (
                f"without the {findings.comparisons[0].missing_n} cases of which a run is missing this would be "
                "decided, with them it may go either way: run the same command again to get them"
            )
        case "drift":
            return (
                f"the two runs of {before} differ by more than chance: its server changed between them, "
                "so no run of it can be compared with"
            )
        case "incomplete":
            return _missing(findings)
        case _:
            return f"too few cases to tell whether {after} is worse than {before}: {_open_margins(findings)}"


def about_sentences(result: GateResult) -> Iterator[str]:
    """Say what else there is to know of a verdict: its noise, what these cases can decide, what would decide."""
    if result.within_margin:
        yield "the regression is proven and smaller than the margins"
    if result.noise is not None:
        is_compared = result.overall is not None and result.overall.complete is not None
        yield _run_noise_sentence(result.noise, is_compared=is_compared)
    if result.overall is not None:
        yield from _resolvable_sentence(result.overall, result.suites)
    yield from _further_sentences(result)
    yield from result.notes


def _run_noise_sentence(noise: Noise, *, is_compared: bool) -> str:
    """Say how much of a difference run noise explains, and whether it explains this one, if there is one."""
    source = "a second run of the old model" if noise.source == "second run" else "repeats of the old model"
    verdict = "this difference is within run noise" if noise.within else "this difference is more than that"
    return (
        f"run noise: by {source}, single runs differ in {100 * noise.rate:.1f} % of cases, which explains "
        f"differences up to {100 * noise.band:.1f} points{f'; {verdict}' if is_compared else ''}"
    )


def _resolvable_sentence(overall: Comparison, suites: Sequence[Comparison]) -> Iterator[str]:
    """Say which margins so many cases can certify at all."""
    known = [one for one in ((overall, *suites) if len(suites) > 1 else suites) if one.complete is not None]
    if known:
        margins = ", ".join(f"{one.name} {100 * one.complete.resolvable:.1f}" for one in known if one.complete)
        yield f"smallest margin that these cases certify 4 times in 5, when nothing has changed: {margins} points"


def _further_sentences(result: GateResult) -> Iterator[str]:
    """Say how many more cases or repeats would decide, and what they cost."""
    for need in result.further:
        margin = result.margins.overall if need.name == OVERALL else result.margins.suite
        yield (
            f"{need.name}: {need.upgrade_cases} cases certify a margin of {margin:g} points when nothing has "
            f"changed, {need.regression_cases} find a drop of as much; that is {need.further_cases} more than here"
            f"{_cost(need.cost_usd)}{_repeats(need)}"
        )
    if result.further:
        yield (
            "run both models on a fresh set of that size (another --item-seed): cases added to these and tested "
            "again raise the chance of a false upgrade from 4.5 % to 7 %"
        )


def _cost(cost_usd: float | None) -> str:
    return ", cost unknown" if cost_usd is None else f", {cost_usd:.2f} USD for both models"


def _repeats(need: Further) -> str:
    if need.repeats is None:
        return ""
    if need.repeats == "never":
        return "; no number of repeats of these would do"
    return f"; or {need.repeats} repeats of these{_cost(need.repeats_cost_usd)}"


def figure_cells(figures: Figures | None) -> tuple[str, ...]:
    """Write old and new rate in percent, change and its limits in points, cases lost and won; blanks for None."""
    if figures is None:
        return ("",) * 6
    return (
        f"{100 * figures.old_rate:.1f}",
        f"{100 * figures.new_rate:.1f}",
        points(figures.delta),
        f"{points(figures.limits.low)} … {points(figures.limits.high)}",
        f"{figures.losses:.4g}",
        f"{figures.gains:.4g}",
    )


def points(proportion: float) -> str:
    """Write a difference in percentage points, with its sign."""
    return f"{100 * proportion:+.1f}".replace("-", "−")


def _what_regressed(comparisons: Sequence[Comparison], families: Sequence[FamilyChange]) -> str:
    said = [
        f"{one.name} {points(one.complete.delta)} points" if one.complete else one.name
        for one in _distinct(comparisons)
        if one.regressed
    ]
    lost = [
        f"{family.family} ({family.losses:g} lost, {family.gains:g} won)"
        for family in families
        if family.regressed
    ]
    if lost:
        said.append(f"{'family' if len(lost) == 1 else 'families'} {', '.join(lost)}")
    return "; ".join(said)


def _distinct(comparisons: Sequence[Comparison]) -> Sequence[Comparison]:
    """Leave out "overall" where it is the only suite."""
    return comparisons[1:] if len(comparisons) == 2 else comparisons  # noqa: PLR2004 - overall and one suite


def _no_worse(findings: Findings, before: str, after: str) -> str:
    complete = findings.comparisons[0].complete
    not_worse = f"not worse than {before} by more than {_margins(findings)}"
    if complete is not None and complete.limits.low > 0:
        return f"{after} is better than {before} by {100 * complete.delta:.1f} points overall, and {not_worse}"
    return f"{after} is {not_worse}"


def _margins(findings: Findings) -> str:
    margins: Margins = findings.margins
    if len(findings.suites) == 1:
        return f"{min(margins.overall, margins.suite):g} points"
    return f"{margins.overall:g} points overall and {margins.suite:g} in any suite"


def _missing(findings: Findings) -> str:
    suite = findings.too_many_missing
    share = "" if suite is None else f"{100 * suite.missing_share:.1f} % of {suite.name}'s runs are missing"
    return f"{share}, more than 5 % in a suite decide nothing: run the same command again to get them"


def _open_margins(findings: Findings) -> str:
    return ", ".join(
        f"{one.name} may be {points(one.worst_low)} points, {-100 * one.margin:g} allowed".replace("-", "−")
        for one in _distinct(findings.comparisons)
        if not one.holds_margin
    )
