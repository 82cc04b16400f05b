"""The gate's result for people: its sentences, the terminal, Markdown; and the files it leaves."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

from bench.errors import UserError
from bench.results.files import write_atomically
from bench.statistics.comparison import OVERALL
from bench.tables.summary import WIDTH, figure_cells, points, printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bench.gate.result import (
        CaseChange,
        Comparison,
        FamilyChange,
        Findings,
        Further,
        GateResult,
        Noise,
        Reason,
        RunFacts,
    )
    from bench.options import Margins

__all__ = [
    "GATE_JSON",
    "GATE_MARKDOWN",
    "about_sentences",
    "append_step_summary",
    "format_gate",
    "gate_markdown",
    "report_properties",
    "why",
    "write_gate",
]


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


FAILING_SHOWN = 10
PASSING_SHOWN = 5
_HEADINGS = ("", "cases", "old", "new", "change", "95 % limits", "lost", "won", "at least", "margin")
_WIDTHS = (13, 6, 6, 6, 7, 15, 5, 5, 9, 7)
_CASE_WIDTH = 44


def format_gate(result: GateResult) -> list[str]:
    """Return the lines, in percent and percentage points; `at least` is the limit that the margin is held to."""
    lines = [f"gate: {result.verdict.upper()} (exit code {result.exit_code})", *_wrapped([result.why])]
    lines += _wrapped([f"{result.old.label} -> {result.new.label}, margins {result.margins}"])
    if result.overall is not None:
        lines += ["", *_table(result.overall, result.suites)]
    lines += _changes("newly failing", result.newly_failing, FAILING_SHOWN)
    lines += _changes("newly passing", result.newly_passing, PASSING_SHOWN)
    sentences = [*about_sentences(result)]
    return [*lines, *([""] if sentences else []), *_wrapped(sentences)]


def _table(overall: Comparison, suites: Sequence[Comparison]) -> Iterator[str]:
    yield _row(_HEADINGS)
    for one in (overall, *suites) if len(suites) > 1 else suites:
        yield _row(_cells(one))
        if one.missing_n:
            yield f"  cases that lack a run: {one.missing_n}; rates and limits are of the others"


def _cells(one: Comparison) -> tuple[str, ...]:
    held = (points(one.worst_low), f"{points(-one.margin).rstrip('0').rstrip('.')}")
    return (printable(one.name)[: _WIDTHS[0]], str(one.n), *figure_cells(one.complete), *held)


def _row(cells: Sequence[str]) -> str:
    first, *others = zip(cells, _WIDTHS, strict=True)
    return (first[0].ljust(first[1]) + "".join(cell.rjust(width) for cell, width in others)).rstrip()


def _changes(what: str, changes: Sequence[CaseChange], shown: int) -> Iterator[str]:
    if not changes:
        return
    yield ""
    yield f"{what}: {len(changes)} (largest error in tolerances, old -> new)"
    for change in changes[:shown]:
        name = change.item_id if change.task is None else f"{change.item_id} {change.task}"
        errors = f"{error_text(change.old_error)} -> {error_text(change.new_error)}"
        yield f"  {printable(name)[:_CASE_WIDTH].ljust(_CASE_WIDTH)} {errors}"
    if len(changes) > shown:
        yield f"  ... and {len(changes) - shown} more, in gate.json"


def error_text(error: float | None) -> str:
    """Write an error in tolerances."""
    return "no number" if error is None else f"{error:.2f}" if error < 1000 else f"{error:.0e}"  # noqa: PLR2004


def _wrapped(sentences: Iterable[str]) -> list[str]:
    wrapper = textwrap.TextWrapper(
        width=WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )
    return [line for sentence in sentences for line in wrapper.wrap(printable(sentence))]


CASES_SHOWN = 50
_SPECIAL = "\\`*_{}[]()#+!|<>&~"


def gate_markdown(result: GateResult) -> str:
    """Return the text; whatever a name holds is shown, not interpreted."""
    return "\n".join(_markdown_lines(result)) + "\n"


def _markdown_lines(result: GateResult) -> Iterator[str]:
    yield f"## eyechart gate: {result.verdict} (exit code {result.exit_code})"
    yield ""
    yield f"{_plain(result.why)}."
    yield ""
    yield (
        f"{_plain(result.old.provider + ':' + result.old.model)} → "
        f"{_plain(result.new.provider + ':' + result.new.model)}, margins {result.margins} points"
    )
    if result.overall is not None:
        rows = [result.overall, *result.suites] if len(result.suites) > 1 else list(result.suites)
        yield from _comparison_rows(rows)
    yield from _changed_rows("Newly failing", result.newly_failing)
    yield from _changed_rows("Newly passing", result.newly_passing)
    yield from _family_rows(result.families)
    yield ""
    for sentence in about_sentences(result):
        yield f"- {_plain(sentence)}"


def _comparison_rows(rows: Sequence[Comparison]) -> Iterator[str]:
    yield ""
    yield "| | cases | missing | old % | new % | change | 95 % limits | lost | won | at least | margin |"
    yield "|---|--:|--:|--:|--:|--:|:-:|--:|--:|--:|--:|"
    for one in rows:
        held = (points(one.worst_low), points(-one.margin))
        yield _markdown_row((_plain(one.name), str(one.n), str(one.missing_n), *figure_cells(one.complete), *held))


def _changed_rows(what: str, changes: Sequence[CaseChange]) -> Iterator[str]:
    if not changes:
        return
    yield ""
    yield f"### {what}: {len(changes)}"
    yield ""
    yield "| case | family | error in tolerances, old | new |"
    yield "|---|---|--:|--:|"
    for change in changes[:CASES_SHOWN]:
        name = change.item_id if change.task is None else f"{change.item_id} {change.task}"
        errors = (error_text(change.old_error), error_text(change.new_error))
        yield _markdown_row((_plain(name), _plain(change.family), *errors))
    if len(changes) > CASES_SHOWN:
        yield f"\n{len(changes) - CASES_SHOWN} more in gate.json"


def _family_rows(families: Sequence[FamilyChange]) -> Iterator[str]:
    changed = [family for family in families if family.losses or family.gains]
    if not changed:
        return
    yield ""
    yield "### Families"
    yield ""
    yield "| suite | family | cases | lost | won | p (Holm) | |"
    yield "|---|---|--:|--:|--:|--:|---|"
    for one in changed:
        counts = (str(one.n), f"{one.losses:.4g}", f"{one.gains:.4g}", f"{one.p:.2g}")
        yield _markdown_row((_plain(one.suite), _plain(one.family), *counts, "regressed" if one.regressed else ""))


def _markdown_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _plain(text: str) -> str:
    """Escape what Markdown or HTML would act on; unprintable characters become question marks."""
    shown = (character if character.isprintable() else "?" for character in text)
    return "".join(f"\\{character}" if character in _SPECIAL else character for character in shown)


GATE_JSON = "gate.json"
GATE_MARKDOWN = "gate.md"
STEP_SUMMARY = "GITHUB_STEP_SUMMARY"


def write_gate(folder: Path, result: GateResult) -> None:
    """Write both files into a folder.

    Raises:
        OSError: it cannot be written.
    """
    write_atomically(folder / GATE_MARKDOWN, gate_markdown(result))
    write_atomically(folder / GATE_JSON, json.dumps(result.to_json(), indent=1, allow_nan=False) + "\n")


def append_step_summary(result: GateResult, environ: Mapping[str, str]) -> None:
    """Append the Markdown to the file that a CI job's environment names; without one do nothing.

    Raises:
        UserError: the file cannot be written.
    """
    named = environ.get(STEP_SUMMARY)
    if not named:
        return
    try:
        with Path(named).open("a", encoding="utf-8") as file:
            file.write(gate_markdown(result))
    except OSError as error:
        raise UserError(
            f"{STEP_SUMMARY}: the summary cannot be appended to {named!r} ({error.strerror or error})"
        ) from error


def report_properties(result: GateResult) -> dict[str, str]:
    """Return name and text of what a JUnit file says of the gate."""
    overall = None if result.overall is None else result.overall.complete
    return {
        "eyechart_gate": result.verdict,
        "eyechart_gate_exit_code": str(result.exit_code),
        "eyechart_gate_why": result.why,
        "eyechart_gate_margins": str(result.margins),
        "eyechart_gate_delta": "" if overall is None else f"{overall.delta:.6f}",
        "eyechart_gate_newly_failing": str(len(result.newly_failing)),
        "eyechart_gate_newly_passing": str(len(result.newly_passing)),
    }
