"""Motor: torque over speed, from stall to no load."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.models.reader.plots.lines import straight_line
from bench.models.reader.plots.marks import dot_px
from bench.models.reader.plots.readings import CannotReadError, FieldReading, direct, fitted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.reader.plots.plot import Plot

__all__ = ["FAMILY", "TorqueSpeed"]


class TorqueSpeed:
    """A straight line; a dot marks the working point."""

    name = "torque_speed"
    fields = ("stall_torque_nm", "no_load_speed_rpm", "cp_torque_at_speed_q_nm")

    def read(self, plot: Plot, prompt: str) -> Mapping[str, FieldReading]:  # noqa: ARG002
        """Fit the line; read it at speed zero, at torque zero and at the dot."""
        line = straight_line(plot.curve.points)
        if line.slope <= 0:
            raise CannotReadError("the line does not fall")
        no_load_px = line.x0_px + (plot.y.px(0.0) - line.y0_px) / line.slope
        if not (plot.reaches(0.0) and plot.reaches(plot.x.value(no_load_px))):
            raise CannotReadError("the line does not run from speed zero to torque zero")
        dot = dot_px(plot)
        off = line.residual_px
        return {
            "stall_torque_nm": fitted(plot.y.value(line.y_px(plot.x.px(0.0))), "the line at speed 0", off),
            "no_load_speed_rpm": fitted(plot.x.value(no_load_px), "the line at torque 0", off),
            "cp_torque_at_speed_q_nm": direct(None, "no dot on the curve")
            if dot is None
            else fitted(plot.y.value(line.y_px(dot[0])), "the line at the dot's speed", off),
        }


FAMILY = TorqueSpeed()
