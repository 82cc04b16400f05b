"""Scoring PATTERN and REGULARITY: the label is right or wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from scorers.geometry.pattern_reader import read_pattern
from scorers.geometry.regularity_reader import read_regularity
from scorers.geometry.task_score import field_row
from scorers.geometry.truth import text_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorers.geometry.task_score import Metrics
    from scorers.score import FieldScore

__all__ = ["ChoiceScore", "score_pattern", "score_regularity"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceScore:
    """A scored label."""

    task: Literal["PATTERN", "REGULARITY"]
    rule: str
    prediction: str | None
    truth: str

    @property
    def parsed(self) -> bool:
        """Whether a label was read."""
        return self.prediction is not None

    @property
    def passed(self) -> bool:
        """Whether the label is the truth."""
        return self.prediction == self.truth

    @property
    def expected(self) -> str:
        """The true label."""
        return self.truth

    @property
    def metrics(self) -> Metrics:
        """The metrics by name."""
        return {"correct": self.passed}

    @property
    def rows(self) -> tuple[FieldScore, ...]:
        """One row: 1 for the right label, 0 for a wrong one."""
        said = f"no label: {self.rule}" if self.prediction is None else f"said {self.prediction}"
        right = None if self.prediction is None else float(self.passed)
        return (
            field_row(
                self.task.lower(),
                prediction=right,
                truth=1.0,
                passed=self.passed,
                why=f"{said}, truth {self.truth}",
            ),
        )


def score_pattern(text: str, truth: Mapping[str, object]) -> ChoiceScore:
    """Score any text as a reply to PATTERN; the truth is the item's `pattern`."""
    reading = read_pattern(text)
    return ChoiceScore(
        task="PATTERN", rule=reading.rule, prediction=reading.value, truth=text_of(truth, "pattern")
    )


def score_regularity(text: str, truth: Mapping[str, object]) -> ChoiceScore:
    """Score any text as a reply to REGULARITY; the truth is the item's `regularity`."""
    reading = read_regularity(text)
    return ChoiceScore(
        task="REGULARITY", rule=reading.rule, prediction=reading.value, truth=text_of(truth, "regularity")
    )
