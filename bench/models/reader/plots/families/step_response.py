"""Second-order step response, output over time: overshoot, settling time and final value.

Noise is read through: peak and settling are those of the fitted law's own curve.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import ndimage

from bench.models.reader.plots.families import FamilyReader
from bench.models.reader.plots.fit import fit_law
from bench.models.reader.plots.readings import CannotReadError, fitted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.reader.picture import FloatArray
    from bench.models.reader.plots.plot import MeasuredPlot
    from bench.models.reader.plots.readings import FieldValue

__all__ = ["V4", "V5"]

NAME = "step_response"
FIELDS = (
    "percent_overshoot",
    "settling_time_s",
    "steady_state",
    "cp_peak_time_s",
    "cp_peak_value",
    "cp_band_lower",
    "cp_band_upper",
)
GRID = 8001
BAND_OF_FINAL = 0.02

BAND_OF_STEP = 0.1
SMOOTHED_PX = 21
LATE = 0.08
DAMPINGS = (0.2, 0.4, 0.65)
LESS_SINE = (0.0, 0.6, 1.5, 4.0)
TRIED = 3


def read_v4(plot: MeasuredPlot) -> Mapping[str, FieldValue]:
    """A unit step from zero; the output settles within 2 % of its final value."""
    fit = fit_law(response_v4, [_start_v4(plot)], plot, plot.curve.points)
    t = np.linspace(plot.x.value(plot.curve.left_px), plot.x.value(plot.curve.right_px), GRID)
    y = response_v4(fit.parameters, t)
    final, top = float(y[-1]), int(y.argmax())
    if not 0 < top < GRID - 1 or final == 0:
        raise CannotReadError("the curve has no peak before its final value")
    outside = np.flatnonzero(np.abs(y - final) > BAND_OF_FINAL * abs(final))
    settled = t[min(outside[-1] + 1, GRID - 1)] if outside.size else t[0]
    what, off = "a second-order response", fit.residual_px
    return {
        "percent_overshoot": fitted(100.0 * (float(y[top]) - final) / final, what, off),
        "settling_time_s": fitted(float(settled), what, off),
        "steady_state": fitted(final, what, off),
        "cp_peak_time_s": fitted(float(t[top]), what, off),
        "cp_peak_value": fitted(float(y[top]), what, off),
        "cp_band_lower": fitted((1.0 - BAND_OF_FINAL) * final, f"2 % below the end of {what}", off),
        "cp_band_upper": fitted((1.0 + BAND_OF_FINAL) * final, f"2 % above the end of {what}", off),
    }


def _start_v4(plot: MeasuredPlot) -> tuple[float, float, float, float]:
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
    return final, float(np.log(damping / (1.0 - damping))), float(np.log(pulse)), begin


def response_v4(parameters: FloatArray, t: FloatArray) -> FloatArray:
    """K (1 - e^(-z w t) (cos wd t + z/sqrt(1-z^2) sin wd t)); parameters K, logit z, ln w, start time."""
    gain, damping, pulse = parameters[0], 1.0 / (1.0 + np.exp(-parameters[1])), np.exp(parameters[2])
    since = np.clip(t - parameters[3], 0.0, None)
    root = np.sqrt(1.0 - damping**2)
    phase = pulse * root * since
    decay = np.exp(-damping * pulse * since)
    return np.asarray(gain * (1.0 - decay * (np.cos(phase) + damping / root * np.sin(phase))))


def read_v5(plot: MeasuredPlot) -> Mapping[str, FieldValue]:
    """A step up or down at t = 0 from any initial value, with a zero; it settles within a tenth of the step."""
    points = plot.band.points
    if not plot.covers(0.0):
        raise CannotReadError("the step at time zero is not drawn")
    fit = fit_law(response_v5, _starts_v5(plot), plot, points)
    t = np.linspace(0.0, plot.x.value(float(points.x_px[-1])), GRID)
    y = response_v5(fit.parameters, t)
    initial, final = float(fit.parameters[0]), float(fit.parameters[1])
    step = final - initial
    beyond = (y - final) * np.sign(step)
    top = int(beyond.argmax())
    outside = np.flatnonzero(np.abs(y - final) > BAND_OF_STEP * abs(step))
    if not (0 < top < GRID - 1 and beyond[top] > 0 and outside.size and outside[-1] < GRID - 1):
        raise CannotReadError("the curve has no peak beyond a final value at which it settles")
    what, off = "a second-order response with a zero", fit.residual_px
    edges = sorted((final - BAND_OF_STEP * step, final + BAND_OF_STEP * step))
    return {
        "percent_overshoot": fitted(100.0 * float(beyond[top]) / abs(step), what, off),
        "settling_time_s": fitted(float(t[outside[-1]] + t[1] / 2.0), what, off),
        "steady_state": fitted(final, what, off),
        "cp_peak_time_s": fitted(float(t[top]), what, off),
        "cp_peak_value": fitted(float(y[top]), what, off),
        "cp_band_lower": fitted(edges[0], f"{what}, a tenth of its step from its end", off),
        "cp_band_upper": fitted(edges[1], f"{what}, a tenth of its step from its end", off),
    }


def _starts_v5(plot: MeasuredPlot) -> list[tuple[float, ...]]:
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
    tried = [_start_v5(initial, final, peak_time, damping, less) for damping in DAMPINGS for less in LESS_SINE]
    return sorted(tried, key=lambda start: float(np.abs(response_v5(np.array(start), t) - smooth).sum()))[:TRIED]


def _start_v5(
    initial: float, final: float, peak_time: float, damping: float, less_sine: float
) -> tuple[float, ...]:
    root = float(np.sqrt(1.0 - damping**2))
    sine = damping / root - less_sine
    peak = (np.arctan2(damping * sine + root, damping - root * sine) + np.pi / 2.0) / root
    pulse = peak / peak_time
    return initial, final, float(np.log(damping * pulse)), float(np.log(root * pulse)), sine


def response_v5(parameters: FloatArray, t: FloatArray) -> FloatArray:
    """y0 before t = 0, then yf - (yf - y0) e^(-d t) (cos w t + b sin w t); parameters y0, yf, ln d, ln w, b."""
    initial, final, decay, pulse, sine = parameters
    since = np.clip(t, 0.0, None)
    phase = np.exp(pulse) * since
    ringing = np.exp(-np.exp(decay) * since) * (np.cos(phase) + sine * np.sin(phase))
    return np.asarray(final - (final - initial) * ringing)


V4 = FamilyReader(name=NAME, fields=FIELDS, read=read_v4)
V5 = FamilyReader(name=NAME, fields=FIELDS, read=read_v5, axes=("s", ""))
