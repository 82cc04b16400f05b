"""What records say in sum: rows by field, groups, verdicts by majority, errors in tolerances, means and totals."""

from __future__ import annotations

import math
from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from bench.results.record import passes_by_majority

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from bench.results.record import Record, RecordStatus
    from scorers.score import FieldScore, Score

__all__ = [
    "LARGEST",
    "FieldRow",
    "Replies",
    "error_in_tolerances",
    "field_rows",
    "grouped",
    "known_total",
    "mean",
    "passes_by",
    "percentile",
    "rate",
    "total",
    "worst_final_error",
]


T = TypeVar("T")
K = TypeVar("K", bound="Hashable")


class FieldRow(NamedTuple):
    """A field's score and the record it belongs to."""

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


class Replies:
    """Some records, such as all of one model, and the rows of their fields."""

    def __init__(self, records: Sequence[Record]) -> None:
        self.records = records
        self.rows = field_rows(records)

    @property
    def first(self) -> Record:
        """One of them, for what they have in common."""
        return self.records[0]

    @cached_property
    def finals(self) -> list[FieldRow]:
        """The rows of final fields."""
        return [row for row in self.rows if row.score.scope == "final"]

    @cached_property
    def checkpoints(self) -> list[FieldRow]:
        """The rows of checkpoints."""
        return [row for row in self.rows if row.score.scope == "checkpoint"]

    @property
    def policy(self) -> str:
        """What decided a pass."""
        return ", ".join(sorted({record.policy for record in self.records}))

    def ended(self, status: RecordStatus) -> int:
        """Return how many have a status."""
        return sum(record.status == status for record in self.records)


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


LARGEST = 1e6
"""Errors beyond are written as this: a model may answer 1e308."""


def error_in_tolerances(row: FieldScore) -> float | None:
    """Return the error over its tolerance, absolute or relative, whichever is kinder: a field passes by either.

    None without a number, and for fields that have to be exact.
    """
    shares = []
    if row.abs_err is not None and row.abs_tol > 0:
        shares.append(row.abs_err / row.abs_tol)
    if row.rel_err is not None and row.rel_tol > 0:
        shares.append(row.rel_err / row.rel_tol)
    return min(LARGEST, *shares) if shares else None


def worst_final_error(score: Score) -> float | None:
    """Return the largest error of the final fields, in tolerances; None where one of them has none."""
    errors = [error_in_tolerances(row) for row in score.fields if row.scope == "final"]
    known = [error for error in errors if error is not None]
    return max(known) if known and len(known) == len(errors) else None


def mean(values: Iterable[float | None]) -> float | None:
    """Return the mean of the values that are there; None without one.

    Divided before they are added: a model may answer 1e308 more than once.
    """
    present = [value for value in values if value is not None]
    return math.fsum(value / len(present) for value in present) if present else None


def rate(flags: Iterable[bool]) -> float | None:
    """Return the share of true flags; None without a flag."""
    seen = list(flags)
    return sum(seen) / len(seen) if seen else None


def total(counts: Iterable[int | None]) -> int | None:
    """Return the sum of the counts that are there; None when no count is."""
    present = [count for count in counts if count is not None]
    return sum(present) if present else None


def known_total(amounts: Iterable[float | None]) -> float | None:
    """Return the sum; None where an amount is unknown or there is none."""
    listed = list(amounts)
    known = [amount for amount in listed if amount is not None]
    return sum(known) if known and len(known) == len(listed) else None


def percentile(values: Iterable[float | None], percent: float) -> float | None:
    """Return a percentile (0 to 100) of the values that are there; None without one.

    Linear interpolation between order statistics at place (n - 1) * percent / 100, counted from 0:
    method 7 of Hyndman and Fan (1996), NumPy's default.
    """
    present = sorted(value for value in values if value is not None)
    if not present:
        return None
    place = (len(present) - 1) * percent / 100
    below = math.floor(place)
    above = min(below + 1, len(present) - 1)
    return present[below] + (present[above] - present[below]) * (place - below)
