"""Second-order step response: overshoot, settling, final value."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bench.models.reader.plots.fit import fit_law
from bench.models.reader.plots.readings import CannotReadError, FieldReading, fitted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.reader.picture import FloatArray
    from bench.models.reader.plots.plot import Plot

__all__ = ["FAMILY", "StepResponse"]

BAND = 0.02
GRID = 8001


class StepResponse:
    """Output over time after a unit step; noise is read through, by the law's own curve."""

    name = "step_response"
    fields = (
        "percent_overshoot",
        "settling_time_s",
        "steady_state",
        "cp_peak_time_s",
        "cp_peak_value",
        "cp_band_lower",
        "cp_band_upper",
    )

    def read(self, plot: Plot, prompt: str) -> Mapping[str, FieldReading]:  # noqa: ARG002
        """Fit a second-order response and read its curve over the time that is drawn."""
        points = plot.curve.points
        fit = fit_law(response, _starts(plot), plot, points)
        t = np.linspace(plot.x.value(plot.curve.left_px), plot.x.value(plot.curve.right_px), GRID)
        y = response(fit.parameters, t)
        final, top = float(y[-1]), int(y.argmax())
        if not 0 < top < GRID - 1 or final == 0:
            raise CannotReadError("the curve has no peak before its final value")
        outside = np.flatnonzero(np.abs(y - final) > BAND * abs(final))
        settled = t[min(outside[-1] + 1, GRID - 1)] if outside.size else t[0]
        what, off = "a second-order response", fit.residual_px
        return {
            "percent_overshoot": fitted(100.0 * (float(y[top]) - final) / final, what, off),
            "settling_time_s": fitted(float(settled), what, off),
            "steady_state": fitted(final, what, off),
            "cp_peak_time_s": fitted(float(t[top]), what, off),
            "cp_peak_value": fitted(float(y[top]), what, off),
            "cp_band_lower": fitted((1.0 - BAND) * final, f"2 % below the end of {what}", off),
            "cp_band_upper": fitted((1.0 + BAND) * final, f"2 % above the end of {what}", off),
        }


def _starts(plot: Plot) -> list[tuple[float, float, float, float]]:
    points = plot.curve.points
    late = points.y_px[points.x_px > plot.curve.right_px - 0.1 * (plot.curve.right_px - plot.curve.left_px)]
    top = int(points.y_px.argmin())
    begin, peak_time = plot.x.value(plot.curve.left_px), plot.x.value(float(points.x_px[top]))
    final = plot.y.value(float(np.median(late))) if late.size else 0.0
    over = plot.y.value(float(points.y_px[top])) / final - 1.0 if final else 0.0
    if not 0 < over < 1 or peak_time <= begin:
        raise CannotReadError("no overshoot above a final value")
    damping = -np.log(over) / np.hypot(np.pi, np.log(over))
    pulse = np.pi / ((peak_time - begin) * np.sqrt(1.0 - damping**2))
    return [(final, float(np.log(damping / (1.0 - damping))), float(np.log(pulse)), begin)]


def response(parameters: FloatArray, t: FloatArray) -> FloatArray:
    """K (1 - e^(-z w t) (cos wd t + z/sqrt(1-z^2) sin wd t)); parameters K, logit z, ln w, start time."""
    gain, damping, pulse = parameters[0], 1.0 / (1.0 + np.exp(-parameters[1])), np.exp(parameters[2])
    since = np.clip(t - parameters[3], 0.0, None)
    root = np.sqrt(1.0 - damping**2)
    phase = pulse * root * since
    decay = np.exp(-damping * pulse * since)
    return np.asarray(gain * (1.0 - decay * (np.cos(phase) + damping / root * np.sin(phase))))


FAMILY = StepResponse()
