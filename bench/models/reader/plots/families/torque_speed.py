"""Motor: torque over speed, a line that falls from the stall torque to the no-load speed."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bench.models.reader.plots.families import FamilyReader
from bench.models.reader.plots.families.pump_curve import read_falling_power
from bench.models.reader.plots.fit import straight_line
from bench.models.reader.plots.marks import dot_px
from bench.models.reader.plots.readings import CannotReadError, direct, fitted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.reader.plots.plot import MeasuredPlot
    from bench.models.reader.plots.readings import FieldValue

__all__ = ["V4", "V5"]

NAME = "torque_speed"
FIELDS = ("stall_torque_nm", "no_load_speed_rpm", "cp_torque_at_speed_q_nm")


def read_v4(plot: MeasuredPlot) -> Mapping[str, FieldValue]:
    """Fit a straight line; read it at speed zero, at torque zero and at the dot of the working point."""
    line = straight_line(plot.curve.points)
    if line.slope <= 0:
        raise CannotReadError("the line does not fall")
    no_load_px = line.x0_px + (plot.y.px(0.0) - line.y0_px) / line.slope
    if not (plot.reaches(0.0) and plot.reaches(plot.x.value(no_load_px))):
        raise CannotReadError("the line does not run from speed zero to torque zero")
    dot = dot_px(plot)
    off = line.residual_px
    at_dot = direct(None, "no dot on the curve")
    if dot is not None:
        at_dot = fitted(plot.y.value(line.y_px(dot[0])), "the line at the dot's speed", off)
    return {
        "stall_torque_nm": fitted(plot.y.value(line.y_px(plot.x.px(0.0))), "the line at speed 0", off),
        "no_load_speed_rpm": fitted(plot.x.value(no_load_px), "the line at torque 0", off),
        "cp_torque_at_speed_q_nm": at_dot,
    }


V4 = FamilyReader(name=NAME, fields=FIELDS, read=read_v4)
V5 = FamilyReader(
    name=NAME,
    fields=FIELDS,
    read=partial(
        read_falling_power,
        at_mark="cp_torque_at_speed_q_nm",
        at_zero="stall_torque_nm",
        end="no_load_speed_rpm",
    ),
    axes=("rpm", "N·m"),
)
