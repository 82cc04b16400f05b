"""Second-order bandpass: resonance, half-power points and quality factor."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bench.models.reader.plots.fit import fit_law
from bench.models.reader.plots.readings import CannotReadError, FieldReading, fitted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.reader.picture import FloatArray
    from bench.models.reader.plots.plot import Plot
    from bench.models.reader.plots.trace import Points

__all__ = ["FAMILY", "BandpassResponse", "read_resonance"]

HALF_POWER_DB = 10.0 * np.log10(2.0)


class BandpassResponse:
    """Magnitude in dB over frequency, with one resonance."""

    name = "bandpass_response"
    fields = ("resonance_hz", "bandwidth_hz", "cp_f1_3db_hz", "cp_f2_3db_hz", "cp_q_factor")

    def read(self, plot: Plot, prompt: str) -> Mapping[str, FieldReading]:  # noqa: ARG002
        """Fit gain, resonance and quality factor; half-power points follow from the law."""
        return read_resonance(plot, plot.curve.points)


def read_resonance(plot: Plot, points: Points) -> Mapping[str, FieldReading]:
    """Read every field off a second-order bandpass that is fitted to points.

    Raises:
        CannotReadError: the curve shows no resonance with its half-power points.
    """
    top = int(points.y_px.argmin())
    gain, resonance = plot.y.value(points.y_px[top]), plot.x.value(points.x_px[top])
    starts = [(gain, np.log(resonance), np.log(q)) for q in (1.5, 4.0, 10.0, 30.0)]
    fit = fit_law(bandpass_db, starts, plot, points)
    f0, q = np.exp(fit.parameters[1]), np.exp(fit.parameters[2])
    half = f0 / (2.0 * q)
    middle = np.hypot(f0, half)
    if not (plot.reaches(middle - half) and plot.reaches(middle + half)):
        raise CannotReadError("the curve shows no resonance with its half-power points")
    if plot.x.px(middle + half) - plot.x.px(middle - half) < plot.curve.stroke_px:
        raise CannotReadError("the resonance is narrower than the line")
    what, off = "a second-order bandpass", fit.residual_px
    return {
        "resonance_hz": fitted(f0, what, off),
        "bandwidth_hz": fitted(2.0 * half, what, off),
        "cp_f1_3db_hz": fitted(middle - half, what, off),
        "cp_f2_3db_hz": fitted(middle + half, what, off),
        "cp_q_factor": fitted(q, what, off),
    }


def bandpass_db(parameters: FloatArray, f_hz: FloatArray) -> FloatArray:
    """G - 10 log10(1 + Q^2 (f/f0 - f0/f)^2); parameters G in dB, ln f0, ln Q."""
    gain, f0, q = parameters[0], np.exp(parameters[1]), np.exp(parameters[2])
    return np.asarray(gain - 10.0 * np.log10(1.0 + (q * (f_hz / f0 - f0 / f_hz)) ** 2))


FAMILY = BandpassResponse()
