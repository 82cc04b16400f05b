"""An error in units of its tolerance: up to 1 passes, and what is far off is seen to be far off."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scorers.score import FieldScore

__all__ = ["in_tolerances"]


def in_tolerances(row: FieldScore) -> float | None:
    """Return |prediction - truth| divided by the wider of both tolerances; None without a usable number.

    Infinite where no error is allowed and there is one, or where the error is beyond the doubles. The row's
    verdict rules: rounding never moves a field that passed above 1, nor one that failed to 1 or below.
    """
    if row.prediction is None:
        return None
    allowed = max(row.abs_tol, row.rel_tol * abs(row.truth))
    error = abs(row.prediction - row.truth)
    units = (error / allowed if allowed > 0 else math.inf) if error else 0.0
    return min(units, 1.0) if row.passed else max(units, math.nextafter(1.0, 2.0))
