"""Scoring DEFECT: the verdict, and how many spots are missing and extra."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from scorers.geometry.defect_reader import read_defects
from scorers.geometry.task_score import field_row
from scorers.geometry.thresholds import THRESHOLDS
from scorers.geometry.truth import optional_number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorers.geometry.defect_reader import DefectReading
    from scorers.geometry.task_score import Metrics
    from scorers.score import FieldScore

__all__ = ["DefectScore", "DefectTruth", "score_defects"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DefectTruth:
    """Whether there are defects, how many spots are missing and extra (None: not known)."""

    has_defects: bool
    missing_count: int | None
    extra_count: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DefectScore:
    """A scored verdict on defects."""

    reading: DefectReading
    truth: DefectTruth

    task: Literal["DEFECT"] = "DEFECT"

    @property
    def rule(self) -> str:
        """The reading rule that fired."""
        return self.reading.rule

    @property
    def parsed(self) -> bool:
        """Whether a verdict was read."""
        return self.reading.has_defects is not None

    @property
    def verdict_correct(self) -> bool:
        """Whether the verdict is right."""
        return self.reading.has_defects == self.truth.has_defects

    @property
    def passed(self) -> bool:
        """Whether the verdict is right and every known count within tolerance."""
        return self.verdict_correct and all(row.passed for row in self.rows)

    @property
    def prediction(self) -> dict[str, object]:
        """What was read."""
        return {
            "has_defects": self.reading.has_defects,
            "missing_count": self.reading.missing_count,
            "extra_count": self.reading.extra_count,
        }

    @property
    def expected(self) -> dict[str, object]:
        """The truth."""
        return {
            "has_defects": self.truth.has_defects,
            "missing_count": self.truth.missing_count,
            "extra_count": self.truth.extra_count,
        }

    @property
    def missing_count_error(self) -> int | None:
        """|missing - truth|, None when either is unknown."""
        return _error(self.reading.missing_count, self.truth.missing_count)

    @property
    def noise_count_error(self) -> int | None:
        """|extra - truth|, None when either is unknown."""
        return _error(self.reading.extra_count, self.truth.extra_count)

    @property
    def metrics(self) -> Metrics:
        """The metrics by name."""
        return {
            "correct": self.verdict_correct,
            "missing_count_error": self.missing_count_error,
            "noise_count_error": self.noise_count_error,
        }

    @property
    def rows(self) -> tuple[FieldScore, ...]:
        """Verdict (1 for yes, 0 for no), missing and extra count; a count whose truth is unknown has no row."""
        said = self.reading.has_defects
        verdict = field_row(
            "has_defects",
            prediction=None if said is None else float(said),
            truth=float(self.truth.has_defects),
            passed=self.verdict_correct,
            why=f"no verdict: {self.rule}" if said is None else f"said {'yes' if said else 'no'}",
        )
        counts = (
            ("missing_count", self.reading.missing_count, self.truth.missing_count),
            ("extra_count", self.reading.extra_count, self.truth.extra_count),
        )
        return (verdict, *(_count_row(*count) for count in counts if count[2] is not None))


def _error(said: int | None, truth: int | None) -> int | None:
    return None if said is None or truth is None else abs(said - truth)


def _count_row(name: str, said: int | None, truth: int | None) -> FieldScore:
    error = _error(said, truth)
    allowed = THRESHOLDS.defect_count
    passed = error is not None and error <= allowed
    why = "no count" if error is None else f"|error| {error} {'<=' if passed else '>'} {allowed}"
    return field_row(name, prediction=said, truth=truth or 0, passed=passed, abs_tol=allowed, why=why)


def score_defects(text: str, truth: Mapping[str, object]) -> DefectScore:
    """Score any text as a reply to DEFECT against `has_defects`, `missing_count`, `extra_count` of the truth."""
    missing, extra = optional_number(truth, "missing_count"), optional_number(truth, "extra_count")
    return DefectScore(
        reading=read_defects(text),
        truth=DefectTruth(
            has_defects=bool(truth["has_defects"]),
            missing_count=None if missing is None else int(missing),
            extra_count=None if extra is None else int(extra),
        ),
    )
