"""The cases one by one, as data that the page's script shows: picture, prompt, replies, field tables."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from bench.report.rendering import case_name
from bench.report.replies import OUTCOMES, in_tolerances, outcome
from bench.results.aggregate import grouped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.report.contents import Contents
    from bench.report.image_store import ImageStore
    from bench.results.record import Record
    from scorers.score import FieldScore

__all__ = ["MOST_CASES", "MOST_TEXT", "gallery_data"]

MOST_CASES = 3000
"""Cases shown at most; those in which a reply is not right come first."""
MOST_TEXT = 4_000_000
"""Characters of replies in the page at most; when they are more, each is cut shorter."""
_CUTS = (20_000, 6_000, 2_000, 600, 200)


def gallery_data(contents: Contents, images: ImageStore) -> dict[str, Any]:
    """Return what the script needs, JSON-safe; pictures go to the image store."""
    groups = grouped(contents.records, lambda record: (record.suite, record.item_id, record.task))
    shown = _chosen(list(groups.values()))
    prompts: dict[str, int] = {}
    cut = _cut(shown)
    cases = [_case(contents, records, images, prompts, cut) for records in shown]
    return {
        "models": list(contents.labels.values()),
        "outcomes": OUTCOMES,
        "total": len(groups),
        "prompts": list(prompts),
        "cases": cases,
        "sizes_px": images.sizes_px,
    }


def _chosen(cases: Sequence[list[Record]]) -> list[list[Record]]:
    """Return the cases that are shown, in their order."""
    if len(cases) <= MOST_CASES:
        return list(cases)
    ranked = sorted(range(len(cases)), key=lambda place: (all(one.passed for one in cases[place]), place))
    return [cases[place] for place in sorted(ranked[:MOST_CASES])]


def _cut(cases: Sequence[Sequence[Record]]) -> int:
    lengths = [len(record.reply.text) for records in cases for record in records]
    return next((cut for cut in _CUTS if sum(min(cut, n) for n in lengths) <= MOST_TEXT), _CUTS[-1])


def _case(
    contents: Contents, records: Sequence[Record], images: ImageStore, prompts: dict[str, int], cut: int
) -> dict[str, Any]:
    first = records[0]
    return {
        "id": case_name(first.item_id, first.task),
        "suite": first.suite,
        "family": first.family,
        "difficulty": first.difficulty,
        "task": first.task,
        "prompt": prompts.setdefault(first.prompt, len(prompts)),
        "picture": images.put(contents.picture(first)),
        "replies": [_reply(contents, record, images, cut) for record in records],
    }


def _reply(contents: Contents, record: Record, images: ImageStore, cut: int) -> dict[str, Any]:
    reply, usage = record.reply, record.reply.usage
    about = {
        "repeat": record.repeat or None,
        "overlay": images.put(contents.overlay(record)),
        "cut": len(reply.text) - cut if len(reply.text) > cut else None,
        "failure": reply.failure,
        "error": reply.error,
        "finish": reply.finish_reason,
        "served": reply.served_model if reply.served_model != record.model else None,
        "attempts": reply.attempts if reply.attempts > 1 else None,
        "seconds": reply.latency_s,
        "in": usage.input_tokens,
        "out": usage.output_tokens,
        "reasoning": usage.reasoning_tokens,
        "usd": contents.cost_usd(record) or None,
        "rule": record.score.rule or None,
        "unscored": None if record.score.unscored is None else record.score.unscored.why,
        "judge": None if record.judge_reply is None else record.judge_reply.text[:cut],
        "drawn": _drawn(record),
        "drawing": images.put(contents.drawing(record)),
    }
    return {
        "model": list(contents.labels).index((record.provider, record.model)),
        "outcome": outcome(record),
        "text": reply.text[:cut],
        "fields": [_field(row) for row in record.score.fields],
        **{name: value for name, value in about.items() if value is not None},
    }


def _drawn(record: Record) -> str | None:
    """Say what came of the first stage, where there was one."""
    if record.drawing is None:
        return None
    note = f": {record.drawing.note}" if record.drawing.note else ""
    return f"Drawing by {record.drawing.source}: {record.drawing.status}{note}"


def _field(row: FieldScore) -> list[Any]:
    """Name, whether it is final, answered, truth, error, tolerances, verdict, reason, error in tolerances."""
    units = in_tolerances(row)
    return [
        row.field,
        row.scope == "final",
        _finite(row.prediction),
        _finite(row.truth),
        row.abs_err,
        row.abs_tol,
        row.rel_tol,
        row.passed,
        row.why,
        "inf" if units == math.inf else units,
    ]


def _finite(number: float | None) -> float | str | None:
    return number if number is None or math.isfinite(number) else str(number)
