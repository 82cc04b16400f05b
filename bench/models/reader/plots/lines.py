"""Straight lines through traced points, in pixels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bench.models.reader.plots.readings import CannotReadError

if TYPE_CHECKING:
    from bench.models.reader.plots.trace import Points

__all__ = ["Line", "straight_line"]

ROUNDS = 12
SOFT_PX = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """y_px = y0_px + slope * (x_px - x0_px); `residual_px` is the points' median distance from it."""

    x0_px: float
    y0_px: float
    slope: float
    residual_px: float

    def y_px(self, x_px: float) -> float:
        """Return the row at a column."""
        return self.y0_px + self.slope * (x_px - self.x0_px)


def straight_line(points: Points) -> Line:
    """Fit a line; points far off count little. The distance is taken across the line.

    Raises:
        CannotReadError: the points do not stretch along x.
    """
    x, y = points.x_px, points.y_px
    if x.size < 3 or np.ptp(x) < 2:  # noqa: PLR2004
        raise CannotReadError("too few points for a line")
    weight = np.ones_like(x)
    for _ in range(ROUNDS):
        total = weight.sum()
        x0, y0 = float((weight * x).sum() / total), float((weight * y).sum() / total)
        slope = float((weight * (x - x0) * (y - y0)).sum() / (weight * (x - x0) ** 2).sum())
        off = (y - y0 - slope * (x - x0)) / np.hypot(1.0, slope)
        weight = 1.0 / np.sqrt(1.0 + (off / SOFT_PX) ** 2)
    return Line(x0_px=x0, y0_px=y0, slope=slope, residual_px=float(np.median(np.abs(off))))
