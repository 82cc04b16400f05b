"""The scores that every scorer returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["FieldScore", "Scope", "Score", "Unscored", "field_row"]

Scope = Literal["final", "checkpoint"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Unscored:
    """Why a reply has no score: neither right nor wrong, and in no denominator.

    `cause` is "design" where this way of judging cannot score such an item (it leaves before missing data are
    counted), "judge" where a verdict was wanted and did not come (coverage falls). `why` is one clause.
    """

    cause: Literal["design", "judge"]
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldScore:
    """How one field was answered.

    `prediction`, `abs_err` and `rel_err` are None when there was no usable number; the field then
    failed and stays in every denominator. `abs_err` is in the field's unit, `rel_err` a fraction of
    |truth|. `why` is one short clause a person can read ("|error| 375.3 > 1.976", "no number: null").
    """

    field: str
    scope: Scope
    prediction: int | float | None
    truth: int | float
    abs_err: int | float | None
    rel_err: int | float | None
    abs_tol: int | float
    rel_tol: int | float
    passed: bool
    why: str


def field_row(
    field: str,
    *,
    prediction: float | None,
    truth: float,
    passed: bool,
    why: str,
    abs_tol: float = 0.0,
    rel_tol: float = 0.0,
) -> FieldScore:
    """Make the row of one final field, with its errors."""
    error = None if prediction is None else abs(prediction - truth)
    return FieldScore(
        field=field,
        scope="final",
        prediction=prediction,
        truth=truth,
        abs_err=error,
        rel_err=None if error is None or truth == 0 else error / abs(truth),
        abs_tol=abs_tol,
        rel_tol=rel_tol,
        passed=passed,
        why=why,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """All fields of one reply.

    `parsed` is False when the text held no JSON object at all (status `unparsed`); `answer` is the
    object that was found, JSON-safe; `rule` names the extraction step that found it. A reply that is
    `unscored` has no fields.
    """

    fields: tuple[FieldScore, ...]
    parsed: bool
    answer: dict[str, object] | None
    rule: str
    unscored: Unscored | None = None

    def __post_init__(self) -> None:
        if self.unscored is not None and self.fields:
            raise ValueError(f"an unscored reply has no fields, got {len(self.fields)}: {self.unscored.why}")

    @property
    def passed(self) -> bool:
        """Whether every final field passed: a case's verdict; False where there is no verdict."""
        return self.unscored is None and all(row.passed for row in self.fields if row.scope == "final")

    @property
    def checkpoints_passed(self) -> bool:
        """Whether every checkpoint field passed (True when there is none)."""
        return all(row.passed for row in self.fields if row.scope == "checkpoint")
