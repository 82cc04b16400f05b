"""An error in units of its tolerance, for every field with a number: up to 1 passes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from bench.tables.tolerance_units import error_in_tolerances

if TYPE_CHECKING:
    from scorers.score import FieldScore

__all__ = ["in_tolerances"]


def in_tolerances(row: FieldScore) -> float | None:
    """Return the error over its tolerance; None without a usable number.

    Infinite where no error is allowed and there is one, or where the error is beyond the doubles. The verdict
    rules: rounding never moves a field that passed above 1, nor one that failed to 1 or below; nothing is below 0.
    """
    if row.prediction is None:
        return None
    units = error_in_tolerances(row)
    if units is None:
        return 0.0 if row.passed else math.inf
    return min(max(units, 0.0), 1.0) if row.passed else max(units, math.nextafter(1.0, 2.0))
