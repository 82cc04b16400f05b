"""Fatigue: stress over cycles, a power law down to a knee and flat beyond it, at the endurance limit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bench.models.reader.plots.families import FamilyReader
from bench.models.reader.plots.fit import fit_law
from bench.models.reader.plots.readings import CannotReadError, direct, fitted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bench.models.reader.picture import FloatArray
    from bench.models.reader.plots.fit import Law, LawFit
    from bench.models.reader.plots.plot import MeasuredPlot
    from bench.models.reader.plots.readings import FieldValue

__all__ = ["V4", "V5"]

NAME = "sn_curve"
FIELDS = ("stress_at_1e5_mpa", "endurance_limit_mpa", "cp_stress_at_1e3_mpa")
END_POINTS = 5
BESIDE_END_STROKES = 1.0
LEAST_PIECE_STROKES = 3.0
SLOPE_PARTS = (1.2, 1.6, 2.5)
KNEES = (0.6, 0.75, 0.9)


def read_v4(plot: MeasuredPlot) -> Mapping[str, FieldValue]:
    """Fit power law and limit over logarithmic axes; the knee must be seen."""
    points = plot.curve.points
    first, last = (plot.y.value(float(px)) for px in _ends_px(points.y_px))
    if not 0 < last < first:
        raise CannotReadError("the curve does not fall")
    start_px, end_px = plot.curve.left_px, plot.curve.right_px
    n0, decades = plot.x.value(start_px), np.log10(plot.x.value(end_px) / plot.x.value(start_px))
    slope = np.log10(last / first) / decades

    def stress_mpa(parameters: FloatArray, n: FloatArray) -> FloatArray:
        """Larger of the power law and the limit; parameters ln S at n0, exponent, ln limit."""
        power = np.exp(parameters[0]) * (n / n0) ** parameters[1]
        return np.asarray(np.maximum(power, np.exp(parameters[2])))

    starts = [(np.log(first), part * slope, np.log(last)) for part in SLOPE_PARTS]
    fit = fit_law(stress_mpa, starts, plot, points)
    knee_px = plot.x.px(n0 * np.exp((fit.parameters[2] - fit.parameters[0]) / fit.parameters[1]))
    aside_px = LEAST_PIECE_STROKES * plot.curve.stroke_px
    if not start_px + aside_px <= knee_px <= end_px - aside_px:
        raise CannotReadError("the curve does not fall first and run flat then")
    first_px = start_px - BESIDE_END_STROKES * plot.curve.stroke_px
    return _stresses(fit, stress_mpa, lambda cycles: bool(first_px <= plot.x.px(cycles) <= end_px))


def read_v5(plot: MeasuredPlot) -> Mapping[str, FieldValue]:
    """Fit power law and limit over a linear stress axis."""
    points = plot.band.points
    first, last = (plot.y.value(float(px)) for px in _ends_px(points.y_px))
    if not (0 < last < first and plot.x.log):
        raise CannotReadError("the curve does not fall over a logarithmic axis")
    begin = float(np.log10(plot.x.value(float(points.x_px[0]))))
    decades = float(np.log10(plot.x.value(float(points.x_px[-1])))) - begin

    def stress_mpa(parameters: FloatArray, cycles: FloatArray) -> FloatArray:
        """Larger of the power law and the limit; parameters ln S at the left, slope per decade, ln limit."""
        power = parameters[0] + parameters[1] * (np.log10(cycles) - begin)
        return np.asarray(np.exp(np.maximum(power, parameters[2])))

    fall = float(np.log(last / first)) / decades
    fit = fit_law(stress_mpa, [(np.log(first), fall / knee, np.log(last)) for knee in KNEES], plot, points)
    return _stresses(fit, stress_mpa, plot.covers)


def _ends_px(rows_px: FloatArray) -> tuple[float, float]:
    """Mean rows of the first and of the last few points."""
    return float(rows_px[:END_POINTS].mean()), float(rows_px[-END_POINTS:].mean())


def _stresses(fit: LawFit, stress_mpa: Law, is_drawn: Callable[[float], bool]) -> Mapping[str, FieldValue]:
    """Read the law at 1e5 and 1e3 cycles, where the curve is drawn there, and its limit."""
    what, off = "a power law and a limit", fit.residual_px

    def at(cycles: float) -> FieldValue:
        if not is_drawn(cycles):
            return direct(None, f"the curve does not reach {cycles:g} cycles")
        return fitted(float(stress_mpa(fit.parameters, np.array([cycles]))[0]), what, off)

    return {
        "stress_at_1e5_mpa": at(1e5),
        "endurance_limit_mpa": fitted(float(np.exp(fit.parameters[2])), what, off),
        "cp_stress_at_1e3_mpa": at(1e3),
    }


V4 = FamilyReader(name=NAME, fields=FIELDS, read=read_v4)
V5 = FamilyReader(name=NAME, fields=FIELDS, read=read_v5, axes=("", "MPa"))
