"""One row for each field of each record: what per-field tables are made from."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from bench.results.record import passes_by_majority

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    from bench.results.record import Record
    from scorers.score import FieldScore

__all__ = ["FieldRow", "field_rows", "grouped", "passes_by"]

T = TypeVar("T")
K = TypeVar("K", bound="Hashable")


class FieldRow(NamedTuple):
    """A field's score and the record it belongs to; a tuple, for large runs make hundreds of thousands."""

    record: Record
    score: FieldScore

    @property
    def is_null(self) -> bool:
        """Whether there was no usable number."""
        return self.score.prediction is None

    @property
    def signed_err(self) -> float | None:
        """Prediction - truth, in the field's unit."""
        return None if self.score.prediction is None else self.score.prediction - self.score.truth


def field_rows(records: Iterable[Record]) -> list[FieldRow]:
    """List all fields of all records, in their order."""
    return [FieldRow(record, score) for record in records for score in record.score.fields]


def grouped(things: Iterable[T], key: Callable[[T], K]) -> dict[K, list[T]]:
    """Collect things by key; keys in order of first sight."""
    groups: dict[K, list[T]] = defaultdict(list)
    for thing in things:
        groups[key(thing)].append(thing)
    return dict(groups)


def passes_by(records: Iterable[Record], key: Callable[[Record], K]) -> dict[K, bool]:
    """Say for each key whether more than half of its scored records passed; half is not enough.

    Keys of which no record is scored are left out.
    """
    scored = [record for record in records if record.scored]
    verdicts = {key(record): record.passed for record in scored}
    if len(verdicts) == len(scored):  # as in most runs, which have no repeats; a report has hundreds of rates
        return verdicts
    return {thing: passes_by_majority(repeats) for thing, repeats in grouped(scored, key).items()}
