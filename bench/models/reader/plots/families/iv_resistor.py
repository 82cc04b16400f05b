"""Resistor: voltage over current, a straight line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bench.models.reader.plots.lines import straight_line
from bench.models.reader.plots.readings import CannotReadError, FieldReading, fitted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.reader.plots.plot import Plot

__all__ = ["FAMILY", "IvResistor"]

LEAST_RISE_STROKES = 2.0


class IvResistor:
    """The resistance is the line's slope."""

    name = "iv_resistor"
    fields = ("resistance_ohm", "cp_slope_ohm")

    def read(self, plot: Plot, prompt: str) -> Mapping[str, FieldReading]:  # noqa: ARG002
        """Fit the line; a resistor's rises, and passes through the origin."""
        line = straight_line(plot.curve.points)
        stroke = plot.curve.stroke_px
        rise_px = -line.slope * (plot.curve.right_px - plot.curve.left_px)
        off_origin_px = (plot.y.px(0.0) - line.y_px(plot.x.px(0.0))) / np.hypot(1.0, line.slope)
        if rise_px < LEAST_RISE_STROKES * stroke or not abs(off_origin_px) <= stroke:
            raise CannotReadError("the line does not rise from the origin")
        slope = fitted(line.slope / plot.y.px_per_unit * plot.x.px_per_unit, "a straight line", line.residual_px)
        return {"resistance_ohm": slope, "cp_slope_ohm": slope}


FAMILY = IvResistor()
