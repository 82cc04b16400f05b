"""Pump: head over flow, falling with a power of the flow from the shut-off head to the largest flow."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from bench.models.reader.plots.families import FamilyReader
from bench.models.reader.plots.fit import fit_law
from bench.models.reader.plots.marks import dot_px, dotted_places
from bench.models.reader.plots.readings import CannotReadError, direct, fitted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.reader.picture import FloatArray
    from bench.models.reader.plots.plot import MeasuredPlot
    from bench.models.reader.plots.readings import FieldValue

__all__ = ["V4", "V5", "read_falling_power"]

NAME = "pump_curve"
FIELDS = ("head_at_qop_m", "q_at_half_head_m3h", "cp_shutoff_head_m", "cp_qmax_m3h")
LEAST_EXPONENT = 1.2


def read_v4(plot: MeasuredPlot) -> Mapping[str, FieldValue]:
    """Fit shut-off head, largest flow and exponent; read the head at the dot of the operating point."""
    points = plot.curve.points
    head, flow = plot.y.value(float(points.y_px.min())), plot.x.value(plot.curve.right_px)
    start = (np.log(max(head, 1e-9)), np.log(max(flow, 1e-9)), 2.0)
    fit = fit_law(falling_power, [start], plot, points)
    head, flow, exponent = np.exp(fit.parameters[0]), np.exp(fit.parameters[1]), fit.parameters[2]
    if not (plot.reaches(float(flow)) and plot.reaches(0.0)):
        raise CannotReadError("the curve does not run from flow zero to head zero")
    if exponent < LEAST_EXPONENT:
        raise CannotReadError("the curve is as good as straight, unlike a pump's")
    dot = dot_px(plot)
    what, off = "head falling with a power of the flow", fit.residual_px
    at_dot = direct(None, "no dot on the curve")
    if dot is not None:
        height = falling_power(fit.parameters, np.array([plot.x.value(dot[0])]))
        at_dot = fitted(float(height[0]), f"{what}, at the dot", off)
    return {
        "head_at_qop_m": at_dot,
        "q_at_half_head_m3h": fitted(float(flow * 0.5 ** (1.0 / exponent)), what, off),
        "cp_shutoff_head_m": fitted(float(head), what, off),
        "cp_qmax_m3h": fitted(float(flow), what, off),
    }


def read_falling_power(
    plot: MeasuredPlot, *, at_mark: str, at_zero: str, end: str, half: str | None = None
) -> Mapping[str, FieldValue]:
    """Fit start, end and exponent; return the fields of these names.

    They are the heights at the dotted vertical line and at x zero, and x where the height is zero and half.

    Raises:
        CannotReadError: the curve does not run from a height at zero to zero, or there is not one dotted line.
    """
    points = plot.band.points
    start, stop = plot.y.value(float(points.y_px.min())), plot.x.value(float(points.x_px.max()))
    if min(start, stop) <= 0:
        raise CannotReadError("the curve does not run from a positive height to a positive end")
    starts = [(np.log(start), np.log(stop), exponent) for exponent in (1.0, 2.0)]
    fit = fit_law(falling_power, starts, plot, points)
    start, stop = (float(np.exp(one)) for one in fit.parameters[:2])
    if not (plot.covers(stop) and plot.covers(0.0)):
        raise CannotReadError("the curve does not run from x zero to height zero")
    what, off = "a height that falls with a power", fit.residual_px
    marked = falling_power(fit.parameters, plot.x.value(np.array(dotted_places(plot, 1))))
    found = {
        at_mark: fitted(float(marked[0]), f"{what}, at the dotted line", off),
        at_zero: fitted(start, what, off),
        end: fitted(stop, what, off),
    }
    if half is not None:
        found[half] = fitted(stop * 0.5 ** (1.0 / float(fit.parameters[2])), what, off)
    return found


def falling_power(parameters: FloatArray, x: FloatArray) -> FloatArray:
    """H (1 - (x/end)^c); parameters ln H, ln end, c."""
    part = np.clip(x / np.exp(parameters[1]), 0.0, None)
    return np.asarray(np.exp(parameters[0]) * (1.0 - part ** parameters[2]))


V4 = FamilyReader(name=NAME, fields=FIELDS, read=read_v4)
V5 = FamilyReader(
    name=NAME,
    fields=FIELDS,
    read=partial(
        read_falling_power,
        at_mark="head_at_qop_m",
        at_zero="cp_shutoff_head_m",
        end="cp_qmax_m3h",
        half="q_at_half_head_m3h",
    ),
    axes=("m³/h", "m"),
)
