"""Diode: a marked current, and the voltage at which the exponential curve reaches it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import least_squares

from bench.models.reader.plots.cross_lines import dotted_level
from bench.models.reader.plots.fit import fit_law
from bench.models.reader.plots.readings import CannotReadError, FieldReading, direct, fitted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.reader.picture import FloatArray
    from bench.models.reader.plots.fit import Law
    from bench.models.reader.plots.plot import Plot

__all__ = ["FAMILY", "IvDiode"]

MOST_SCATTER_PX = 12.0
STEEPNESS_PX = (70.0, 110.0, 160.0)


class IvDiode:
    """An exponential curve, or open circles scattered about one; a dotted horizontal line I_q."""

    name = "iv_diode"
    axes = ("V", "A")
    fields = ("target_current_a", "turn_on_voltage_v_at_target_i")

    def read(self, plot: Plot, prompt: str) -> Mapping[str, FieldReading]:  # noqa: ARG002
        """Read the dotted level; fit an exponential that reaches it at a free voltage."""
        level_px = dotted_level(plot)
        current = plot.y.value(level_px)
        if current <= 0:
            raise CannotReadError("the marked current is not above zero")
        target = direct(current, "the dotted line")

        def current_a(parameters: FloatArray, voltage_v: FloatArray) -> FloatArray:
            """I_q exp((V - V_q) / k); parameters V_q and ln k."""
            return np.asarray(current * np.exp((voltage_v - parameters[0]) / np.exp(parameters[1])))

        points = plot.band.points
        above = points.x_px[points.y_px < level_px]
        near_px = float(above.min()) if above.size else float(points.x_px.max())
        starts = [(plot.x.value(near_px), math.log(abs(px / plot.x.px_per_unit))) for px in STEEPNESS_PX]
        if not plot.band.circles:
            fit = fit_law(current_a, starts, plot, points)
            voltage = fitted(float(fit.parameters[0]), "an exponential at the dotted line", fit.residual_px)
        else:
            voltage = _through_circles(plot, current_a, starts[1])
        reached = voltage.value is not None and plot.covers(voltage.value)
        return {
            "target_current_a": target,
            "turn_on_voltage_v_at_target_i": voltage if reached else voltage.as_null("the curve ends before"),
        }


def _through_circles(plot: Plot, law: Law, start: tuple[float, float]) -> FieldReading:
    """Least squares over the circles' ink; its noise is wide, so that no distance is left out."""
    points, weight = plot.band.points, np.sqrt(plot.band.ink_px)
    volts = plot.x.value(points.x_px)

    def off_px(parameters: FloatArray) -> FloatArray:
        return np.asarray(plot.y.px(law(parameters, volts)) - points.y_px)

    with np.errstate(all="ignore"):
        found = least_squares(lambda at: np.clip(off_px(at), -1e6, 1e6) * weight, start, x_scale=(0.05, 0.3))
    off = float(np.median(np.abs(off_px(found.x))))
    if off > MOST_SCATTER_PX:
        raise CannotReadError(f"the circles lie {off:.1f} px off an exponential")
    return direct(
        float(found.x[0]), f"least-squares exponential through the circles, {off:.1f} px off in the median"
    )


FAMILY = IvDiode()
