"""Errors in units of their tolerance: 1 is the largest error that passes, whatever the field's unit."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scorers.score import FieldScore, Score

__all__ = ["LARGEST", "error_in_tolerances", "worst_final_error"]

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
