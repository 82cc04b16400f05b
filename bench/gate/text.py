"""The gate's result for a terminal, at most 80 columns wide."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from bench.gate.wording import about_sentences, figure_cells, points
from bench.tables.text import WIDTH, printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bench.gate.result import CaseChange, Comparison, GateResult

__all__ = ["format_gate"]

FAILING_SHOWN = 10
PASSING_SHOWN = 5
_HEADINGS = ("", "cases", "old", "new", "change", "95 % limits", "lost", "won", "at least", "margin")
_WIDTHS = (13, 6, 6, 6, 7, 15, 5, 5, 9, 7)
_CASE_WIDTH = 44


def format_gate(result: GateResult) -> list[str]:
    """Return the lines, in percent and percentage points; `at least` is the limit that the margin is held to."""
    lines = [f"gate: {result.verdict.upper()} (exit code {result.exit_code})", *_wrapped([result.why])]
    lines += _wrapped([f"{_run(result.old.label)} -> {_run(result.new.label)}, margins {result.margins}"])
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
        yield f"  {printable(name)[:_CASE_WIDTH].ljust(_CASE_WIDTH)} {_errors(change)}"
    if len(changes) > shown:
        yield f"  ... and {len(changes) - shown} more, in gate.json"


def _errors(change: CaseChange) -> str:
    return f"{error_text(change.old_error)} -> {error_text(change.new_error)}"


def error_text(error: float | None) -> str:
    """Write an error in tolerances."""
    return "no number" if error is None else f"{error:.2f}" if error < 1000 else f"{error:.0e}"  # noqa: PLR2004


def _run(label: str) -> str:
    return printable(label)


def _wrapped(sentences: Iterable[str]) -> list[str]:
    wrapper = textwrap.TextWrapper(
        width=WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )
    return [line for sentence in sentences for line in wrapper.wrap(printable(sentence))]
