"""Second-order bandpass, magnitude in dB over frequency: resonance, half-power points and quality factor."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bench.models.reader.plots.families import FamilyReader
from bench.models.reader.plots.fit import fit_law
from bench.models.reader.plots.readings import CannotReadError, all_fitted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.reader.picture import FloatArray
    from bench.models.reader.plots.curve import CurvePoints
    from bench.models.reader.plots.plot import MeasuredPlot
    from bench.models.reader.plots.readings import FieldValue

__all__ = ["V4", "V5"]

NAME = "bandpass_response"
FIELDS = ("resonance_hz", "bandwidth_hz", "cp_f1_3db_hz", "cp_f2_3db_hz", "cp_q_factor")
QUALITY_FACTORS = (1.5, 4.0, 10.0, 30.0)


def read_v4(plot: MeasuredPlot) -> Mapping[str, FieldValue]:
    """Read the traced curve."""
    return _read(plot, plot.curve.points)


def read_v5(plot: MeasuredPlot) -> Mapping[str, FieldValue]:
    """Read the band of ink; dots may hide the half-power points."""
    return _read(plot, plot.band.points)


def _read(plot: MeasuredPlot, points: CurvePoints) -> Mapping[str, FieldValue]:
    """Fit gain, resonance and quality factor; half-power points follow from the law."""
    top = int(points.y_px.argmin())
    gain, resonance = plot.y.value(points.y_px[top]), plot.x.value(points.x_px[top])
    starts = [(gain, np.log(resonance), np.log(q)) for q in QUALITY_FACTORS]
    fit = fit_law(bandpass_db, starts, plot, points)
    f0, q = np.exp(fit.parameters[1]), np.exp(fit.parameters[2])
    half = f0 / (2.0 * q)
    middle = np.hypot(f0, half)
    if not (plot.reaches(middle - half) and plot.reaches(middle + half)):
        raise CannotReadError("the curve shows no resonance with its half-power points")
    if plot.x.px(middle + half) - plot.x.px(middle - half) < plot.curve.stroke_px:
        raise CannotReadError("the resonance is narrower than the line")
    return all_fitted(
        "a second-order bandpass",
        fit.residual_px,
        resonance_hz=f0,
        bandwidth_hz=2.0 * half,
        cp_f1_3db_hz=middle - half,
        cp_f2_3db_hz=middle + half,
        cp_q_factor=q,
    )


def bandpass_db(parameters: FloatArray, f_hz: FloatArray) -> FloatArray:
    """G - 10 log10(1 + Q^2 (f/f0 - f0/f)^2); parameters G in dB, ln f0, ln Q."""
    gain, f0, q = parameters[0], np.exp(parameters[1]), np.exp(parameters[2])
    return np.asarray(gain - 10.0 * np.log10(1.0 + (q * (f_hz / f0 - f0 / f_hz)) ** 2))


V4 = FamilyReader(name=NAME, fields=FIELDS, read=read_v4)
V5 = FamilyReader(name=NAME, fields=FIELDS, read=read_v5, axes=("Hz", "dB"))
