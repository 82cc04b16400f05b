"""Scoring COUNT: exact match, within ±N, absolute and percentage error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from scorers.geometry.count_reader import read_count
from scorers.geometry.task_score import field_row
from scorers.geometry.truth import whole_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorers.geometry.task_score import Metrics
    from scorers.score import FieldScore

__all__ = ["CountScore", "score_count"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CountScore:
    """A scored count; errors are None without a reading, `pct_error` (percent of the truth) also for truth 0."""

    rule: str
    prediction: int | None
    truth: int
    tolerance: int

    task: Literal["COUNT"] = "COUNT"

    @property
    def parsed(self) -> bool:
        """Whether a count was read."""
        return self.prediction is not None

    @property
    def passed(self) -> bool:
        """Whether the count is exact."""
        return self.exact_match

    @property
    def expected(self) -> int:
        """The true count."""
        return self.truth

    @property
    def exact_match(self) -> bool:
        """Whether the count is exact."""
        return self.prediction == self.truth

    @property
    def within_n(self) -> bool:
        """Whether the count is within the tolerance, inclusive."""
        return self.abs_error is not None and self.abs_error <= self.tolerance

    @property
    def abs_error(self) -> int | None:
        """|count - truth|."""
        return None if self.prediction is None else abs(self.prediction - self.truth)

    @property
    def pct_error(self) -> float | None:
        """|count - truth| / truth x 100."""
        return None if self.abs_error is None or not self.truth else 100 * self.abs_error / self.truth

    @property
    def false_positive(self) -> bool:
        """Whether spots were counted in an empty picture."""
        return self.truth == 0 and bool(self.prediction)

    @property
    def metrics(self) -> Metrics:
        """The metrics by name."""
        return {
            "exact_match": self.exact_match,
            "within_n": self.within_n,
            "abs_error": self.abs_error,
            "pct_error": self.pct_error,
            "false_positive": self.false_positive,
        }

    @property
    def rows(self) -> tuple[FieldScore, ...]:
        """One row: the count."""
        why = f"no count: {self.rule}" if self.prediction is None else f"|error| {self.abs_error}, must be exact"
        return (field_row("count", prediction=self.prediction, truth=self.truth, passed=self.passed, why=why),)


def score_count(text: str, truth: Mapping[str, object], *, tolerance: int) -> CountScore:
    """Score a reply to COUNT.

    Args:
        text: any text.
        truth: the item's truth (`count`).
        tolerance: N of "within ±N".
    """
    reading = read_count(text)
    return CountScore(
        rule=reading.rule, prediction=reading.value, truth=whole_of(truth, "count"), tolerance=tolerance
    )
