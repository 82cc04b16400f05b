"""Laws fitted to traced points: robust least squares of distances in pixels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bench.models.reader.plots.readings import CannotReadError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bench.models.reader.picture import FloatArray
    from bench.models.reader.plots.curve import CurvePoints
    from bench.models.reader.plots.plot import MeasuredPlot

    Law = Callable[[FloatArray, FloatArray], FloatArray]

__all__ = ["LawFit", "StraightLine", "fit_law", "straight_line"]

SOFT_PX = 0.5
MOST_POINTS = 500
MOST_STEPS = 60
SLOPE_STEP_PX = 0.5
RELATIVE_STEP = 1e-6
ENOUGH = 1e-7
FAR_PX = 1e6

ROUNDS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class LawFit:
    """Parameters of the law, and the median distance of the points from it, in pixels."""

    parameters: FloatArray
    residual_px: float


def fit_law(law: Law, starts: Sequence[Sequence[float]], plot: MeasuredPlot, points: CurvePoints) -> LawFit:
    """Fit `law(parameters, x values) -> y values` to points, from each start, and return the best fit.

    The distance of a point is taken across the curve, as steep parts would else outweigh all others. The loss is
    soft-L1 with a scale of half a pixel: what lies off the curve (marks, crossings) hardly pulls.

    Raises:
        CannotReadError: no start leads to a fit.
    """
    chosen = np.linspace(0, points.x_px.size - 1, min(points.x_px.size, MOST_POINTS)).astype(int)
    problem = _Problem(law, plot, points.x_px[chosen], points.y_px[chosen])
    with np.errstate(all="ignore"):
        fits = [problem.solve(np.array(start, dtype=np.float64)) for start in starts]
    best = min(fits, key=lambda fit: fit[1])
    if not np.isfinite(best[1]) or best[1] >= FAR_PX:
        raise CannotReadError("no law could be fitted to the curve")
    distances = problem.distances(best[0])
    return LawFit(parameters=best[0], residual_px=float(np.median(np.abs(distances))))


class _Problem:
    def __init__(self, law: Law, plot: MeasuredPlot, x_px: FloatArray, y_px: FloatArray) -> None:
        self._law = law
        self._plot = plot
        self._y_px = y_px
        self._x = plot.x.value(x_px)
        self._before = plot.x.value(x_px - SLOPE_STEP_PX)
        self._after = plot.x.value(x_px + SLOPE_STEP_PX)

    def _level_px(self, parameters: FloatArray, x: FloatArray) -> FloatArray:
        px = self._plot.y.px(self._law(parameters, x))
        return np.where(np.isfinite(px), np.clip(px, -FAR_PX, FAR_PX), FAR_PX)

    def _across(self, parameters: FloatArray) -> FloatArray:
        """Factor that turns a vertical distance into one across the curve."""
        rise = self._level_px(parameters, self._after) - self._level_px(parameters, self._before)
        return np.asarray(1.0 / np.sqrt(1.0 + (rise / (2 * SLOPE_STEP_PX)) ** 2))

    def distances(self, parameters: FloatArray) -> FloatArray:
        """Signed distances of the points from the curve, in pixels."""
        off = self._level_px(parameters, self._x) - self._y_px
        return np.asarray(off * self._across(parameters))

    def solve(self, start: FloatArray) -> tuple[FloatArray, float]:
        """Levenberg-Marquardt on reweighted squares; returns parameters and mean loss in pixels."""
        at, damping = start, 1e-3
        off = self.distances(at)
        loss = _loss(off)
        for _ in range(MOST_STEPS):
            step = self._step(at, off, damping)
            tried = at + step
            tried_off = self.distances(tried)
            tried_loss = _loss(tried_off)
            if tried_loss < loss:
                done = loss - tried_loss < ENOUGH * loss
                at, off, loss, damping = tried, tried_off, tried_loss, max(damping / 5, 1e-9)
                if done:
                    break
            else:
                damping *= 4
                if damping > 1e8:  # noqa: PLR2004 - no direction is downhill
                    break
        return at, loss

    def _step(self, at: FloatArray, off: FloatArray, damping: float) -> FloatArray:
        across, level = self._across(at), self._level_px(at, self._x)
        columns = []
        for number in range(at.size):
            moved = at.copy()
            width = (
                RELATIVE_STEP * max(1.0, abs(at[number])) if at[number] == 0 else RELATIVE_STEP * abs(at[number])
            )
            moved[number] += width
            columns.append((self._level_px(moved, self._x) - level) / width * across)
        slopes = np.stack(columns, axis=1)
        weight = 1.0 / np.sqrt(1.0 + (off / SOFT_PX) ** 2)
        normal = slopes.T @ (slopes * weight[:, None])
        pull = slopes.T @ (off * weight)
        diagonal = np.diag(normal) + 1e-300
        try:
            return np.asarray(-np.linalg.solve(normal + damping * np.diag(diagonal), pull))
        except np.linalg.LinAlgError:
            return np.zeros_like(at)


def _loss(off: FloatArray) -> float:
    return float((2 * SOFT_PX**2 * (np.sqrt(1.0 + (off / SOFT_PX) ** 2) - 1.0)).mean())


@dataclass(frozen=True, slots=True, kw_only=True)
class StraightLine:
    """y_px = y0_px + slope * (x_px - x0_px); `residual_px` is the points' median distance from it."""

    x0_px: float
    y0_px: float
    slope: float
    residual_px: float

    def y_px(self, x_px: float) -> float:
        """Return the row at a column."""
        return self.y0_px + self.slope * (x_px - self.x0_px)


def straight_line(points: CurvePoints) -> StraightLine:
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
    return StraightLine(x0_px=x0, y0_px=y0, slope=slope, residual_px=float(np.median(np.abs(off))))
