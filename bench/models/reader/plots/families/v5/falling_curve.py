"""Curves that fall from a value at zero to zero: pumps and motors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bench.models.reader.plots.cross_lines import dotted_places
from bench.models.reader.plots.families.pump_curve import head_m
from bench.models.reader.plots.fit import fit_law
from bench.models.reader.plots.readings import CannotReadError, FieldReading, fitted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.reader.plots.plot import Plot

__all__ = ["PUMP", "TORQUE", "FallingCurve"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FallingCurve:
    """Height falls with a power of x; a dotted vertical line marks one place.

    Its fields are the heights at the mark and at zero, where the height is zero, and, if asked for, where it is
    half.
    """

    name: str
    axes: tuple[str, str]
    at_mark: str
    at_zero: str
    end: str
    half: str | None = None

    @property
    def fields(self) -> tuple[str, ...]:
        """All of them."""
        half = () if self.half is None else (self.half,)
        return (self.at_mark, self.at_zero, self.end, *half)

    def read(self, plot: Plot, prompt: str) -> Mapping[str, FieldReading]:  # noqa: ARG002
        """Fit start, end and exponent; read the height at the dotted line off the fit."""
        points = plot.band.points
        start, end = plot.y.value(float(points.y_px.min())), plot.x.value(float(points.x_px.max()))
        if min(start, end) <= 0:
            raise CannotReadError("the curve does not run from a positive height to a positive end")
        fit = fit_law(head_m, [(np.log(start), np.log(end), power) for power in (1.0, 2.0)], plot, points)
        start, end = (float(np.exp(one)) for one in fit.parameters[:2])
        if not (plot.covers(end) and plot.covers(0.0)):
            raise CannotReadError("the curve does not run from x zero to height zero")
        what, off = "a height that falls with a power", fit.residual_px
        marked = head_m(fit.parameters, plot.x.value(np.array(dotted_places(plot, 1))))
        found = {
            self.at_mark: fitted(float(marked[0]), f"{what}, at the dotted line", off),
            self.at_zero: fitted(start, what, off),
            self.end: fitted(end, what, off),
        }
        if self.half is not None:
            found[self.half] = fitted(end * 0.5 ** (1.0 / float(fit.parameters[2])), what, off)
        return found


PUMP = FallingCurve(
    name="pump_curve",
    axes=("m³/h", "m"),
    at_mark="head_at_qop_m",
    at_zero="cp_shutoff_head_m",
    end="cp_qmax_m3h",
    half="q_at_half_head_m3h",
)
TORQUE = FallingCurve(
    name="torque_speed",
    axes=("rpm", "N·m"),
    at_mark="cp_torque_at_speed_q_nm",
    at_zero="stall_torque_nm",
    end="no_load_speed_rpm",
)
