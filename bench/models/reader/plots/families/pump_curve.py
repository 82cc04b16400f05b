"""Pump: head over flow."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bench.models.reader.plots.fit import fit_law
from bench.models.reader.plots.marks import dot_px
from bench.models.reader.plots.readings import CannotReadError, FieldReading, direct, fitted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.reader.picture import FloatArray
    from bench.models.reader.plots.plot import Plot

__all__ = ["FAMILY", "PumpCurve"]

LEAST_EXPONENT = 1.2


class PumpCurve:
    """Head falls with a power of the flow; a dot marks the operating point."""

    name = "pump_curve"
    fields = ("head_at_qop_m", "q_at_half_head_m3h", "cp_shutoff_head_m", "cp_qmax_m3h")

    def read(self, plot: Plot, prompt: str) -> Mapping[str, FieldReading]:  # noqa: ARG002
        """Fit shut-off head, largest flow and exponent; read the dot's flow off the picture."""
        points = plot.curve.points
        head, flow = plot.y.value(float(points.y_px.min())), plot.x.value(plot.curve.right_px)
        fit = fit_law(head_m, [(np.log(max(head, 1e-9)), np.log(max(flow, 1e-9)), 2.0)], plot, points)
        head, flow, exponent = np.exp(fit.parameters[0]), np.exp(fit.parameters[1]), fit.parameters[2]
        if not (plot.reaches(float(flow)) and plot.reaches(0.0)):
            raise CannotReadError("the curve does not run from flow zero to head zero")
        if exponent < LEAST_EXPONENT:
            raise CannotReadError("the curve is as good as straight, unlike a pump's")
        dot = dot_px(plot)
        what, off = "head falling with a power of the flow", fit.residual_px
        return {
            "head_at_qop_m": direct(None, "no dot on the curve")
            if dot is None
            else fitted(
                float(head_m(fit.parameters, np.array([plot.x.value(dot[0])]))[0]), f"{what}, at the dot", off
            ),
            "q_at_half_head_m3h": fitted(float(flow * 0.5 ** (1.0 / exponent)), what, off),
            "cp_shutoff_head_m": fitted(float(head), what, off),
            "cp_qmax_m3h": fitted(float(flow), what, off),
        }


def head_m(parameters: FloatArray, flow_m3h: FloatArray) -> FloatArray:
    """H (1 - (q/qmax)^c); parameters ln H, ln qmax, c."""
    part = np.clip(flow_m3h / np.exp(parameters[1]), 0.0, None)
    return np.asarray(np.exp(parameters[0]) * (1.0 - part ** parameters[2]))


FAMILY = PumpCurve()
