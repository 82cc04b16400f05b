"""Diode: the voltage at which a given current flows, on an exponential curve over linear axes."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import least_squares

from bench.models.reader.plots.families import FamilyReader
from bench.models.reader.plots.fit import fit_law
from bench.models.reader.plots.marks import dotted_level
from bench.models.reader.plots.readings import CannotReadError, FieldValue, direct, fitted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.reader.picture import FloatArray
    from bench.models.reader.plots.fit import Law
    from bench.models.reader.plots.plot import MeasuredPlot

__all__ = ["V4", "V5"]

NAME = "iv_diode"
FIELDS = ("target_current_a", "turn_on_voltage_v_at_target_i")
TARGET = re.compile(r"I_target = (\d{1,9}(?:\.\d{1,9})?) A\b")
MOST_SCATTER_PX = 12.0
STEEPNESS_PX = (70.0, 110.0, 160.0)


def read_v4(plot: MeasuredPlot) -> Mapping[str, FieldValue]:
    """Fit an exponential to the whole curve and solve it for the target current, which the prompt states."""
    stated = TARGET.search(plot.hints.prompt)
    if stated is None:
        return dict.fromkeys(FIELDS, direct(None, "the question states no target current"))
    target = float(stated.group(1))
    points = plot.curve.points
    top = int(points.y_px.argmin())
    v_top, i_top = plot.x.value(float(points.x_px[top])), plot.y.value(float(points.y_px[top]))
    span = plot.x.value(plot.curve.right_px) - plot.x.value(plot.curve.left_px)
    starts = [(np.log(max(i_top, 1e-12)), np.log(span / n)) for n in (8.0, 16.0)]

    def exponential(parameters: FloatArray, v: FloatArray) -> FloatArray:
        return np.asarray(np.exp(parameters[0] + (v - v_top) / np.exp(parameters[1])))

    fit = fit_law(exponential, starts, plot, points)
    voltage = v_top + (np.log(target) - fit.parameters[0]) * np.exp(fit.parameters[1])
    if not plot.reaches(float(voltage)):
        voltage = np.nan
    what = "an exponential, solved for the target current"
    return {
        "target_current_a": FieldValue(value=target, how="question", what="stated in the question"),
        "turn_on_voltage_v_at_target_i": fitted(float(voltage), what, fit.residual_px),
    }


def read_v5(plot: MeasuredPlot) -> Mapping[str, FieldValue]:
    """Read the dotted level I_q; fit an exponential that reaches it at a free voltage, to curve or circles."""
    level_px = dotted_level(plot)
    current = plot.y.value(level_px)
    if current <= 0:
        raise CannotReadError("the marked current is not above zero")

    def current_a(parameters: FloatArray, voltage_v: FloatArray) -> FloatArray:
        """I_q exp((V - V_q) / k); parameters V_q and ln k."""
        return np.asarray(current * np.exp((voltage_v - parameters[0]) / np.exp(parameters[1])))

    points = plot.band.points
    above = points.x_px[points.y_px < level_px]
    near_px = float(above.min()) if above.size else float(points.x_px.max())
    starts = [(plot.x.value(near_px), math.log(abs(px / plot.x.px_per_unit))) for px in STEEPNESS_PX]
    if not plot.band.circles:
        fit = fit_law(current_a, starts, plot, points)
        voltage = fitted(float(fit.parameters[0]), "an exponential at the dotted line", fit.residual_px)
    else:
        voltage = _through_circles(plot, current_a, starts[1])
    reached = voltage.value is not None and plot.covers(voltage.value)
    return {
        "target_current_a": direct(current, "the dotted line"),
        "turn_on_voltage_v_at_target_i": voltage if reached else voltage.as_null("the curve ends before"),
    }


def _through_circles(plot: MeasuredPlot, law: Law, start: tuple[float, float]) -> FieldValue:
    """Least squares over the circles' ink; its noise is wide, so that no distance is left out."""
    points, weight = plot.band.points, np.sqrt(plot.band.ink_px)
    volts = plot.x.value(points.x_px)

    def off_px(parameters: FloatArray) -> FloatArray:
        return np.asarray(plot.y.px(law(parameters, volts)) - points.y_px)

    with np.errstate(all="ignore"):
        found = least_squares(lambda at: np.clip(off_px(at), -1e6, 1e6) * weight, start, x_scale=(0.05, 0.3))
    off = float(np.median(np.abs(off_px(found.x))))
    if off > MOST_SCATTER_PX:
        raise CannotReadError(f"the circles lie {off:.1f} px off an exponential")
    what = f"least-squares exponential through the circles, {off:.1f} px off in the median"
    return direct(float(found.x[0]), what)


V4 = FamilyReader(name=NAME, fields=FIELDS, read=read_v4)
V5 = FamilyReader(name=NAME, fields=FIELDS, read=read_v5, axes=("V", "A"))
