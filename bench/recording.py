"""From a test to its records: asking, scoring, the verdict, and the properties of the report."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from types import FrameType, TracebackType
from typing import TYPE_CHECKING

import pytest

from bench.errors import EyechartError, UserError
from bench.results.collector import ATTRIBUTE, ReportPayload
from bench.results.record import Record, passes_by_majority
from bench.session import Answer
from bench.suites import suite_class

if TYPE_CHECKING:
    from bench.session import Session
    from bench.suites.base import Case
    from generators.items import Item

__all__ = [
    "Recorder",
    "ask_case",
    "attach",
    "fail_unless_passed",
    "failure_text",
    "record_case",
    "shorten_traceback",
]


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
    """Return why a case failed, in the words of its suite."""
    which = f" (repeat {record.repeat + 1} of {repeats})" if repeats > 1 else ""
    case = f"{record.case_id}{which}"
    if record.drawing is not None and record.status == "undrawn":
        return f"{case}: no second stage, the drawing is {record.drawing.status}"
    return suite_class(record.suite).failure_text(case, record.reply, record.score, record.about)


Recorder = Callable[["Item", tuple[Answer, ...]], list[Record]]

KEPT = pytest.StashKey[ReportPayload]()


def ask_case(session: Session, node: pytest.Item, case: Case) -> tuple[Answer, ...]:
    """Return the case's answers; trouble with the server becomes the test's error, not its failure.

    Where no further answer can be had (key, quota, server, reply store), the run ends with one line.
    """
    __tracebackhide__ = True
    if node.config.option.setuponly:
        pytest.skip("--setup-only asks no model")
    if not session.has_answer(case):
        node.stash[KEPT] = ReportPayload(skipped=case.id)
        pytest.skip(f"no stored output for {case.item_id}")
    if (reason := session.declined(case)) is not None:
        node.stash[KEPT] = ReportPayload(declined=case.id, reason=reason)
        pytest.skip(reason)
    answers = _answers(session, node, case)
    if session.gateway.stop_condition.line:
        node.session.shouldstop = session.gateway.stop_condition.line
    failed = next((answer.reply for answer in answers if answer.reply.status == "failed"), None)
    if failed is not None:
        if all(answer.reply.failure == "quota" and answer.reply.attempts == 0 for answer in answers):
            pytest.fail(f"{case.id}: not sent: {failed.error}", pytrace=False)  # by --max-cost: it was not run
        record_case(session, node, case, session.item(case), answers)
        pytest.fail(f"{case.id}: {failed.failure}: {failed.error}", pytrace=False)
    return answers


def _answers(session: Session, node: pytest.Item, case: Case) -> tuple[Answer, ...]:
    __tracebackhide__ = True
    try:
        return session.answers(case)
    except EyechartError as error:
        line = str(error)
        if isinstance(error, UserError):
            node.session.shouldstop = line
    pytest.fail(line, pytrace=False)


def record_case(
    session: Session, node: pytest.Item, case: Case, item: Item, answers: tuple[Answer, ...]
) -> list[Record]:
    """Score the answers and keep the records with the test's report."""
    records = [session.record(case, item, repeat, answer) for repeat, answer in enumerate(answers)]
    written = [record.written() for record in records]
    kept = node.stash[KEPT] = ReportPayload(
        lines=[line for line, _ in written],
        from_store=[answer.from_store for answer in answers],
        pictures_px=[answer.picture_px for answer in answers],
        model=case.model,
        adaptations={
            label: session.gateway.adaptations(label)
            for label in (case.model, *(one.label for one in session.roles.asked))
        },
        process=os.getpid(),
        spending=session.gateway.spending.snapshot(),
    )
    kept.records = [record for _, record in written]
    several = len(records) > 1
    for record in records:
        node.user_properties.extend(_properties(record, f"#{record.repeat}" if several else ""))
    return records


def shorten_traceback(call: pytest.CallInfo[None]) -> None:
    """Keep, of a failure that shows no traceback, only the frame that reports name as its place.

    pytest looks up the file of every frame, some twenty of its own, for a traceback that is not shown.
    """
    failure = call.excinfo
    if failure is None or getattr(failure.value, "pytrace", True):
        return
    place: TracebackType | None = None
    entry: TracebackType | None = failure.tb
    while entry is not None:
        place = place if _is_hidden(entry.tb_frame, failure) else entry
        entry = entry.tb_next
    if place is not None:  # the failure itself stays whole, for a debugger
        alone = TracebackType(None, place.tb_frame, place.tb_lasti, place.tb_lineno)
        failure.traceback = failure.from_exc_info((failure.type, failure.value, alone)).traceback


def _is_hidden(frame: FrameType, failure: pytest.ExceptionInfo[BaseException]) -> bool:
    """Whether pytest leaves the frame out of tracebacks: a flag, or a function that decides, says so."""
    hides = frame.f_locals.get("__tracebackhide__") or frame.f_globals.get("__tracebackhide__")
    return bool(hides(failure) if callable(hides) else hides)


def attach(node: pytest.Item, report: pytest.TestReport) -> None:
    """Hand the kept records to the report of the phase that made them; a plain dict crosses to the controller."""
    if report.when == "call" or (report.when == "setup" and not report.passed):
        kept = node.stash.get(KEPT, None)
        if kept is not None:
            setattr(report, ATTRIBUTE, dict(kept) if hasattr(node.config, "workerinput") else kept)
            del node.stash[KEPT]


def _properties(record: Record, suffix: str) -> list[tuple[str, str]]:
    """Every field's score as name and text, for JUnit and JSON reports."""
    about = [("model", f"{record.provider}:{record.model}"), ("status", record.status)]
    if record.drawing is not None:
        about.append(("drawing", f"{record.drawing.status}: {record.drawing.source}"))
    if record.score.unscored is not None:
        about.append(("unscored", record.score.unscored.why))
    field_text = suite_class(record.suite).field_text
    fields = [(row.field, field_text(row)) for row in record.score.fields]
    return [(f"{name}{suffix}", text) for name, text in (*about, *fields)]
