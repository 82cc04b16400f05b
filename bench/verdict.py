"""A case's verdict over its repeats, and the table that a failed case shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bench.results.record import passes_by_majority

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.results.record import Record
    from scorers.score import FieldScore

__all__ = ["VERDICT_SUITES", "fail_unless_passed", "failure_table", "failure_text"]

VERDICT_SUITES = frozenset({"auxsolidmath", "calibration"})
HEADINGS = ("field", "answered", "truth", "error", "tolerance", "")


def fail_unless_passed(records: Sequence[Record]) -> None:
    """Fail the test, with a table of all fields instead of a traceback, unless the case passed.

    A case of which no repeat is scored is skipped: it is neither right nor wrong.
    """
    __tracebackhide__ = True
    unscored = [record.score.unscored for record in records]
    if (reason := unscored[0]) is not None and all(unscored):
        pytest.skip(f"unscored: {reason.why}")
    if not passes_by_majority(records):
        worst = next(record for record in records if record.scored and not record.passed)
        pytest.fail(failure_text(worst, len(records)), pytrace=False)


def failure_text(record: Record, repeats: int = 1) -> str:
    """Return why a case failed: a line for each verdict on a solution, a table for values that were read."""
    if record.suite not in VERDICT_SUITES:
        return failure_table(record, repeats)
    which = f" (repeat {record.repeat + 1} of {repeats})" if repeats > 1 else ""
    if record.drawing is not None and record.status == "undrawn":
        return f"{record.case_id}{which}: no second stage, the drawing is {record.drawing.status}"
    failed = [row for row in record.score.fields if not row.passed]
    return "\n".join(f"{record.case_id}{which}: {row.field} fails: {row.why}{_answers(record)}" for row in failed)


def _answers(record: Record) -> str:
    """Say what was read as the answer, and the reference's, where answers were compared."""
    found = (record.score.answer or {}).get("found")
    return f" (answered {found}; reference {record.about.get('answer')})" if found else ""


def failure_table(record: Record, repeats: int = 1) -> str:
    """Return a small text table: field, answered, truth, error, tolerance, verdict."""
    rows = [HEADINGS, *(_row(row) for row in record.score.fields)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    return "\n".join([_headline(record, repeats), *(line.rstrip() for line in lines)])


def _headline(record: Record, repeats: int) -> str:
    finals = [row for row in record.score.fields if row.scope == "final"]
    wrong = [row.field for row in finals if not row.passed]
    which = f" (repeat {record.repeat + 1} of {repeats})" if repeats > 1 else ""
    if record.status != "answered":
        reason = record.reply.finish_reason
        return f"{record.case_id}{which}: {record.status}" + (f" ({reason})" if reason else "")
    return f"{record.case_id}{which}: {len(wrong)} of {len(finals)} final fields wrong: {', '.join(wrong)}"


def _row(row: FieldScore) -> tuple[str, ...]:
    return (
        row.field,
        "null" if row.prediction is None else f"{row.prediction:.6g}",
        f"{row.truth:.6g}",
        "" if row.abs_err is None else f"{row.abs_err:.4g}",
        f"{row.abs_tol:.4g} or {row.rel_tol:.0%}",
        "ok" if row.passed else "wrong",
    )
