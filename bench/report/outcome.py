"""How a reply ended, in one word: what the gallery filters by and the failures count."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.results.record import Record

__all__ = ["OUTCOMES", "outcome"]

OUTCOMES: Mapping[str, str] = {
    "passed": "passed",
    "wrong": "wrong",
    "refused": "refused",
    "truncated": "cut off",
    "unparsed": "unreadable",
    "failed": "failed",
    "undrawn": "no drawing",
    "unscored": "unscored",
}
"""Each outcome with the words for it, best first."""


def outcome(record: Record) -> str:
    """Return "passed" or "wrong" for an answer, else the record's status."""
    if record.status != "answered":
        return record.status
    return "passed" if record.passed else "wrong"
