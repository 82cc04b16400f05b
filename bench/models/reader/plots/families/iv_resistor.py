"""Resistor: voltage over current, a straight line whose slope is the resistance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bench.models.reader.plots.families import FamilyReader
from bench.models.reader.plots.fit import straight_line
from bench.models.reader.plots.marks import dotted_places
from bench.models.reader.plots.readings import CannotReadError, direct, fitted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.reader.plots.plot import MeasuredPlot
    from bench.models.reader.plots.readings import FieldValue

__all__ = ["V4", "V5"]

NAME = "iv_resistor"
LEAST_RISE_STROKES = 2.0
MOST_SCATTER_PX = 12.0


def read_v4(plot: MeasuredPlot) -> Mapping[str, FieldValue]:
    """Fit the line; a resistor's rises, and passes through the origin."""
    line = straight_line(plot.curve.points)
    stroke = plot.curve.stroke_px
    rise_px = -line.slope * (plot.curve.right_px - plot.curve.left_px)
    off_origin_px = (plot.y.px(0.0) - line.y_px(plot.x.px(0.0))) / np.hypot(1.0, line.slope)
    if rise_px < LEAST_RISE_STROKES * stroke or not abs(off_origin_px) <= stroke:
        raise CannotReadError("the line does not rise from the origin")
    slope = fitted(line.slope / plot.y.px_per_unit * plot.x.px_per_unit, "a straight line", line.residual_px)
    return {"resistance_ohm": slope, "cp_slope_ohm": slope}


def read_v5(plot: MeasuredPlot) -> Mapping[str, FieldValue]:
    """Lay the least-squares line through the curve or the open circles; read it at the dotted line I_q.

    Each column of the picture has the weight of its ink.
    """
    points, weight = plot.band.points, np.sqrt(plot.band.ink_px)
    centre = float(points.x_px.mean())
    slope, level = np.polyfit(points.x_px - centre, points.y_px, 1, w=weight)
    off = float(np.median(np.abs(level + slope * (points.x_px - centre) - points.y_px)))
    if off > (MOST_SCATTER_PX if plot.band.circles else 1.0):
        raise CannotReadError(f"the curve lies {off:.1f} px off a straight line")
    through = "through the circles" if plot.band.circles else "along the curve"
    what = f"least-squares line {through}, {off:.1f} px off in the median"
    at_mark = plot.y.value(float(level + slope * (dotted_places(plot, 1)[0] - centre)))
    return {
        "resistance_ohm": direct(float(slope) / plot.y.px_per_unit * plot.x.px_per_unit, what),
        "cp_voltage_at_iq_v": direct(at_mark, f"{what}, at the dotted line"),
    }


V4 = FamilyReader(name=NAME, fields=("resistance_ohm", "cp_slope_ohm"), read=read_v4)
V5 = FamilyReader(name=NAME, fields=("resistance_ohm", "cp_voltage_at_iq_v"), read=read_v5, axes=("A", "V"))
