"""Second-order step response with a zero, up or down, from any initial value: overshoot, settling, final value."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import ndimage

from bench.models.reader.plots.fit import fit_law
from bench.models.reader.plots.readings import CannotReadError, FieldReading, fitted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.reader.picture import FloatArray
    from bench.models.reader.plots.plot import Plot

__all__ = ["FAMILY", "StepResponse"]

BAND = 0.1
GRID = 8001
SMOOTHED_PX = 21
LATE = 0.08
DAMPINGS = (0.2, 0.4, 0.65)
LESS_SINE = (0.0, 0.6, 1.5, 4.0)
TRIED = 3


class StepResponse:
    """Output over time, the step at t = 0; noise is read through, by the law's own curve."""

    name = "step_response"
    axes = ("s", "")
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
        """Fit the response and read its curve over the time that is drawn."""
        points = plot.band.points
        if not plot.covers(0.0):
            raise CannotReadError("the step at time zero is not drawn")
        fit = fit_law(response, _starts(plot), plot, points)
        t = np.linspace(0.0, plot.x.value(float(points.x_px[-1])), GRID)
        y = response(fit.parameters, t)
        initial, final = float(fit.parameters[0]), float(fit.parameters[1])
        step = final - initial
        beyond = (y - final) * np.sign(step)
        top = int(beyond.argmax())
        outside = np.flatnonzero(np.abs(y - final) > BAND * abs(step))
        if not (0 < top < GRID - 1 and beyond[top] > 0 and outside.size and outside[-1] < GRID - 1):
            raise CannotReadError("the curve has no peak beyond a final value at which it settles")
        what, off = "a second-order response with a zero", fit.residual_px
        edges = sorted((final - BAND * step, final + BAND * step))
        return {
            "percent_overshoot": fitted(100.0 * float(beyond[top]) / abs(step), what, off),
            "settling_time_s": fitted(float(t[outside[-1]] + t[1] / 2.0), what, off),
            "steady_state": fitted(final, what, off),
            "cp_peak_time_s": fitted(float(t[top]), what, off),
            "cp_peak_value": fitted(float(y[top]), what, off),
            "cp_band_lower": fitted(edges[0], f"{what}, a tenth of its step from its end", off),
            "cp_band_upper": fitted(edges[1], f"{what}, a tenth of its step from its end", off),
        }


def _starts(plot: Plot) -> list[tuple[float, ...]]:
    """Return the likeliest of a grid of damping ratios and sine shares, its peak where the curve has one."""
    points = plot.band.points
    t, y = plot.x.value(points.x_px), plot.y.value(points.y_px)
    smooth = ndimage.uniform_filter1d(y, SMOOTHED_PX, mode="nearest")
    before = y[t < 0]
    initial = float(np.median(before)) if before.size else float(y[0])
    final = float(np.median(y[-max(10, round(LATE * y.size)) :]))
    after = np.flatnonzero(t > 0)
    if after.size == 0 or final == initial:
        raise CannotReadError("there is no step")
    peak_time = float(t[after[int(((smooth[after] - final) * np.sign(final - initial)).argmax())]])
    tried = [_start(initial, final, peak_time, damping, less) for damping in DAMPINGS for less in LESS_SINE]
    return sorted(tried, key=lambda start: float(np.abs(response(np.array(start), t) - smooth).sum()))[:TRIED]


def _start(initial: float, final: float, peak_time: float, damping: float, less_sine: float) -> tuple[float, ...]:
    root = float(np.sqrt(1.0 - damping**2))
    sine = damping / root - less_sine
    peak = (np.arctan2(damping * sine + root, damping - root * sine) + np.pi / 2.0) / root
    pulse = peak / peak_time
    return initial, final, float(np.log(damping * pulse)), float(np.log(root * pulse)), sine


def response(parameters: FloatArray, t: FloatArray) -> FloatArray:
    """y0 before t = 0, then yf - (yf - y0) e^(-d t) (cos w t + b sin w t); parameters y0, yf, ln d, ln w, b."""
    initial, final, decay, pulse, sine = parameters
    since = np.clip(t, 0.0, None)
    phase = np.exp(pulse) * since
    ringing = np.exp(-np.exp(decay) * since) * (np.cos(phase) + sine * np.sin(phase))
    return np.asarray(final - (final - initial) * ringing)


FAMILY = StepResponse()
