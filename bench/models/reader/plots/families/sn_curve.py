"""Fatigue: stress over cycles, falling to the endurance limit."""

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

BESIDE_END_STROKES = 1.0
LEAST_PIECE_STROKES = 3.0


class SnCurve:
    """A power law down to a knee, and flat beyond."""

    name = "sn_curve"
    fields = ("stress_at_1e5_mpa", "endurance_limit_mpa", "cp_stress_at_1e3_mpa")

    def read(self, plot: Plot, prompt: str) -> Mapping[str, FieldReading]:  # noqa: ARG002
        """Fit power law and limit; read the law at 1e5 and 1e3 cycles."""
        points = plot.curve.points
        first, last = plot.y.value(float(points.y_px[:5].mean())), plot.y.value(float(points.y_px[-5:].mean()))
        if not 0 < last < first:
            raise CannotReadError("the curve does not fall")
        start_px, end_px = plot.curve.left_px, plot.curve.right_px
        n0, decades = plot.x.value(start_px), np.log10(plot.x.value(end_px) / plot.x.value(start_px))
        slope = np.log10(last / first) / decades

        def stress_mpa(parameters: FloatArray, n: FloatArray) -> FloatArray:
            """Larger of the power law and the limit; parameters ln S at n0, slope per decade, ln limit."""
            power = np.exp(parameters[0]) * (n / n0) ** parameters[1]
            return np.asarray(np.maximum(power, np.exp(parameters[2])))

        starts = [(np.log(first), part * slope, np.log(last)) for part in (1.2, 1.6, 2.5)]
        fit = fit_law(stress_mpa, starts, plot, points)
        knee_px = plot.x.px(n0 * np.exp((fit.parameters[2] - fit.parameters[0]) / fit.parameters[1]))
        aside_px = LEAST_PIECE_STROKES * plot.curve.stroke_px
        if not start_px + aside_px <= knee_px <= end_px - aside_px:
            raise CannotReadError("the curve does not fall first and run flat then")
        what, off = "a power law and a limit", fit.residual_px

        def at(cycles: float) -> FieldReading:
            if not start_px - BESIDE_END_STROKES * plot.curve.stroke_px <= plot.x.px(cycles) <= end_px:
                return direct(None, f"the curve does not reach {cycles:g} cycles")
            return fitted(float(stress_mpa(fit.parameters, np.array([cycles]))[0]), what, off)

        return {
            "stress_at_1e5_mpa": at(1e5),
            "endurance_limit_mpa": fitted(float(np.exp(fit.parameters[2])), what, off),
            "cp_stress_at_1e3_mpa": at(1e3),
        }


FAMILY = SnCurve()
