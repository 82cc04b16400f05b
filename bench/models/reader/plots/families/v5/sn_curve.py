"""Fatigue: stress over cycles, falling to the endurance limit, on a linear stress axis."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bench.models.reader.plots.fit import fit_law
from bench.models.reader.plots.readings import CannotReadError, FieldReading, direct, fitted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.reader.picture import FloatArray
    from bench.models.reader.plots.plot import Plot

__all__ = ["FAMILY", "SnCurve"]

END_POINTS = 5
KNEES = (0.6, 0.75, 0.9)


class SnCurve:
    """A power law down to a knee, and flat beyond."""

    name = "sn_curve"
    axes = ("", "MPa")
    fields = ("stress_at_1e5_mpa", "endurance_limit_mpa", "cp_stress_at_1e3_mpa")

    def read(self, plot: Plot, prompt: str) -> Mapping[str, FieldReading]:  # noqa: ARG002
        """Fit power law and limit; read the law at 1e5 and 1e3 cycles."""
        points = plot.band.points
        first = plot.y.value(float(points.y_px[:END_POINTS].mean()))
        last = plot.y.value(float(points.y_px[-END_POINTS:].mean()))
        if not (0 < last < first and plot.x.log):
            raise CannotReadError("the curve does not fall over a logarithmic axis")
        begin = float(np.log10(plot.x.value(float(points.x_px[0]))))
        decades = float(np.log10(plot.x.value(float(points.x_px[-1])))) - begin

        def stress_mpa(parameters: FloatArray, cycles: FloatArray) -> FloatArray:
            """Larger of the power law and the limit; parameters ln S at the left, slope per decade, ln limit."""
            power = parameters[0] + parameters[1] * (np.log10(cycles) - begin)
            return np.asarray(np.exp(np.maximum(power, parameters[2])))

        fall = float(np.log(last / first)) / decades
        fit = fit_law(stress_mpa, [(np.log(first), fall / knee, np.log(last)) for knee in KNEES], plot, points)
        what, off = "a power law and a limit", fit.residual_px

        def at(cycles: float) -> FieldReading:
            if not plot.covers(cycles):
                return direct(None, f"the curve does not reach {cycles:g} cycles")
            return fitted(float(stress_mpa(fit.parameters, np.array([cycles]))[0]), what, off)

        return {
            "stress_at_1e5_mpa": at(1e5),
            "endurance_limit_mpa": fitted(float(np.exp(fit.parameters[2])), what, off),
            "cp_stress_at_1e3_mpa": at(1e3),
        }


FAMILY = SnCurve()
