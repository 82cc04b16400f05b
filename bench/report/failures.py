"""How replies ended that are not right answers, by kind."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from bench.report.links import gallery_link
from bench.report.markup import Html, element, joined
from bench.report.outcome import OUTCOMES, outcome
from bench.report.tables import table
from bench.report.words import count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.report.contents import Contents
    from bench.report.markup import Part
    from bench.results.record import Record

__all__ = ["failures_by_kind"]

_ERRORS_SHOWN = 5
_ERROR_CHARS = 300


def failures_by_kind(contents: Contents) -> Html:
    """Return a table with a column for each outcome that occurred, and the commonest errors of servers."""
    by_model = {label: Counter(map(outcome, own)) for label, own in contents.by_model.items()}
    occurred = [name for name in OUTCOMES if any(counts[name] for counts in by_model.values())]
    rows = [
        [
            element("bdi", label),
            *(_linked(label, name, counts[name]) for name in occurred),
            count(_finals_only(contents.by_model[label])),
        ]
        for label, counts in by_model.items()
    ]
    about = (
        "“right, checkpoint wrong” counts passed replies of which a checkpoint failed: "
        "the right answer, perhaps by a wrong reading."
    )
    return joined(
        table(("model", *(OUTCOMES[name] for name in occurred), "right, checkpoint wrong"), rows, numbers_from=1),
        element("p", f"Replies, by how they ended. {about}", class_="note"),
        _errors(contents.records),
    )


def _linked(label: str, name: str, n: int) -> Part:
    return element("a", count(n), href=gallery_link(model=label, outcome=name)) if n else "0"


def _finals_only(records: Sequence[Record]) -> int:
    return sum(record.passed and not record.score.checkpoints_passed for record in records)


def _errors(records: Sequence[Record]) -> Html | None:
    counts = Counter(
        (record.reply.failure or "", (record.reply.error or "")[:_ERROR_CHARS])
        for record in records
        if record.status == "failed"
    )
    if not counts:
        return None
    commonest = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    rows = [[kind, element("bdi", error), count(n)] for (kind, error), n in commonest[:_ERRORS_SHOWN]]
    more = f"{len(commonest) - _ERRORS_SHOWN} further errors" if len(commonest) > _ERRORS_SHOWN else None
    return joined(
        element("h3", "Errors of servers"),
        table(("kind", "error", "replies"), rows, numbers_from=2),
        element("p", more, class_="note") if more else None,
    )
