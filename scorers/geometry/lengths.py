"""Scoring SIZE and SPACING: lengths in micrometres, each within a share of the truth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from scorers.geometry.length_reader import DIAMETER, SPACING, read_length, read_size_range
from scorers.geometry.task_score import field_row
from scorers.geometry.thresholds import THRESHOLDS
from scorers.geometry.truth import number_of, optional_number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorers.geometry.task_score import Metrics
    from scorers.score import FieldScore

__all__ = ["Length", "LengthScore", "score_size", "score_spacing"]

_SLACK = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Length:
    """One length: what was read (None: nothing) and the truth, in micrometres."""

    name: str
    prediction_um: float | None
    truth_um: float

    @property
    def abs_error_um(self) -> float | None:
        """|length - truth| in micrometres."""
        return None if self.prediction_um is None else abs(self.prediction_um - self.truth_um)

    @property
    def within_tolerance(self) -> bool:
        """Whether the error is at most 20 % of the truth: 3.6 for 3.0 is, whatever binary fractions make of it."""
        allowed = THRESHOLDS.length_rel * self.truth_um * (1 + _SLACK)
        return self.abs_error_um is not None and self.abs_error_um <= allowed


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthScore:
    """Scored lengths: one, or the smallest and the largest diameter."""

    task: Literal["SIZE", "SPACING"]
    rule: str
    lengths: tuple[Length, ...]

    @property
    def parsed(self) -> bool:
        """Whether every length was read."""
        return all(length.prediction_um is not None for length in self.lengths)

    @property
    def passed(self) -> bool:
        """Whether every length is within tolerance."""
        return all(length.within_tolerance for length in self.lengths)

    @property
    def prediction(self) -> dict[str, float | None]:
        """The lengths that were read, by name."""
        return {length.name: length.prediction_um for length in self.lengths}

    @property
    def expected(self) -> dict[str, float]:
        """The true lengths, by name."""
        return {length.name: length.truth_um for length in self.lengths}

    @property
    def mean_abs_error_um(self) -> float | None:
        """Mean absolute error over the lengths, None unless all were read."""
        errors = [length.abs_error_um for length in self.lengths if length.abs_error_um is not None]
        return sum(errors) / len(errors) if len(errors) == len(self.lengths) else None

    @property
    def metrics(self) -> Metrics:
        """The metrics by name."""
        error = self.mean_abs_error_um
        truth = sum(length.truth_um for length in self.lengths) / len(self.lengths)
        return {
            "abs_error_um": error,
            "pct_error": None if error is None else 100 * error / truth,
            "within_tolerance": self.passed,
        }

    @property
    def rows(self) -> tuple[FieldScore, ...]:
        """One row for each length."""
        return tuple(
            field_row(
                length.name,
                prediction=length.prediction_um,
                truth=length.truth_um,
                passed=length.within_tolerance,
                rel_tol=THRESHOLDS.length_rel,
                why=_why(length, self.rule),
            )
            for length in self.lengths
        )


def _why(length: Length, rule: str) -> str:
    if length.abs_error_um is None:
        return f"no length: {rule}"
    sign = "<=" if length.within_tolerance else ">"
    return f"|error| {length.abs_error_um:.4g} um {sign} {THRESHOLDS.length_rel * length.truth_um:.4g}"


def score_size(text: str, truth: Mapping[str, object]) -> LengthScore:
    """Score any text as a reply to SIZE.

    The truth is the item's `diameter_um` or, where dots differ, `smallest_diameter_um` and `largest_diameter_um`.
    """
    scale = number_of(truth, "um_per_px")
    diameter = optional_number(truth, "diameter_um")
    if diameter is not None:
        reading = read_length(text, name=DIAMETER, um_per_px=scale)
        lengths = (Length(name="diameter_um", prediction_um=reading.value_um, truth_um=diameter),)
        return LengthScore(task="SIZE", rule=reading.rule, lengths=lengths)
    both = read_size_range(text, um_per_px=scale)
    found = {"smallest_diameter_um": both.smallest_um, "largest_diameter_um": both.largest_um}
    return LengthScore(
        task="SIZE",
        rule=both.rule,
        lengths=tuple(
            Length(name=name, prediction_um=value, truth_um=number_of(truth, name))
            for name, value in found.items()
        ),
    )


def score_spacing(text: str, truth: Mapping[str, object]) -> LengthScore:
    """Score any text as a reply to SPACING; the truth is the item's `spacing_um`."""
    reading = read_length(text, name=SPACING, um_per_px=number_of(truth, "um_per_px"))
    spacing = Length(name="spacing_um", prediction_um=reading.value_um, truth_um=number_of(truth, "spacing_um"))
    return LengthScore(task="SPACING", rule=reading.rule, lengths=(spacing,))
