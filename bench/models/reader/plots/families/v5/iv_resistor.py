"""Resistor: the slope of voltage over current, and the voltage at a marked current."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bench.models.reader.plots.cross_lines import dotted_places
from bench.models.reader.plots.readings import CannotReadError, FieldReading, direct

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.reader.plots.plot import Plot

__all__ = ["FAMILY", "IvResistor"]

MOST_SCATTER_PX = 12.0


class IvResistor:
    """A straight line, or open circles scattered about one; a dotted vertical line I_q."""

    name = "iv_resistor"
    axes = ("A", "V")
    fields = ("resistance_ohm", "cp_voltage_at_iq_v")

    def read(self, plot: Plot, prompt: str) -> Mapping[str, FieldReading]:  # noqa: ARG002
        """Lay the least-squares line through the ink, each column with the weight of its ink."""
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


FAMILY = IvResistor()
