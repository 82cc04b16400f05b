"""Diode: the voltage at which a marked current flows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from bench.models.reader.plots.fit import fit_law
from bench.models.reader.plots.readings import FieldReading, direct, fitted, from_question

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.reader.picture import FloatArray
    from bench.models.reader.plots.plot import Plot

__all__ = ["FAMILY", "IvDiode"]

TARGET = re.compile(r"I_target = (\d{1,9}(?:\.\d{1,9})?) A\b")


class IvDiode:
    """Current over voltage on linear axes; the target current is stated in the question."""

    name = "iv_diode"
    fields = ("target_current_a", "turn_on_voltage_v_at_target_i")

    def read(self, plot: Plot, prompt: str) -> Mapping[str, FieldReading]:
        """Fit an exponential to the whole curve and solve it for the target current."""
        stated = TARGET.search(prompt)
        if stated is None:
            return {field: direct(None, "the question states no target current") for field in self.fields}
        target = float(stated.group(1))
        points = plot.curve.points
        top = int(points.y_px.argmin())
        v_top, i_top = plot.x.value(float(points.x_px[top])), plot.y.value(float(points.y_px[top]))
        span = plot.x.value(plot.curve.right_px) - plot.x.value(plot.curve.left_px)
        starts = [(np.log(max(i_top, 1e-12)), np.log(span / n)) for n in (8.0, 16.0)]

        def exponential(parameters: FloatArray, v: FloatArray) -> FloatArray:
            return np.asarray(np.exp(parameters[0] + (v - v_top) / np.exp(parameters[1])))

        fit = fit_law(exponential, starts, plot, points)
        voltage = v_top + (np.log(target) - fit.parameters[0]) * np.exp(fit.parameters[1])
        if not plot.reaches(float(voltage)):
            voltage = np.nan
        what = "an exponential, solved for the target current"
        return {
            "target_current_a": from_question(target, "stated in the question"),
            "turn_on_voltage_v_at_target_i": fitted(float(voltage), what, fit.residual_px),
        }


FAMILY = IvDiode()
