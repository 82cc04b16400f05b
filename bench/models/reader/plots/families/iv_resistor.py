"""Resistor: voltage over current, a straight line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.models.reader.plots.lines import straight_line
from bench.models.reader.plots.readings import FieldReading, fitted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.reader.plots.plot import Plot

__all__ = ["FAMILY", "IvResistor"]


class IvResistor:
    """The resistance is the line's slope."""

    name = "iv_resistor"
    fields = ("resistance_ohm", "cp_slope_ohm")

    def read(self, plot: Plot, prompt: str) -> Mapping[str, FieldReading]:  # noqa: ARG002
        """Fit the line."""
        line = straight_line(plot.curve.points)
        slope = fitted(line.slope / plot.y.px_per_unit * plot.x.px_per_unit, "a straight line", line.residual_px)
        return {"resistance_ohm": slope, "cp_slope_ohm": slope}


FAMILY = IvResistor()
