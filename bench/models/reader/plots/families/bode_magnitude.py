"""First-order low-pass, magnitude: gain, corner and slope."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bench.models.reader.plots.fit import fit_law
from bench.models.reader.plots.lines import straight_line
from bench.models.reader.plots.readings import CannotReadError, FieldReading, direct, fitted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.reader.picture import FloatArray
    from bench.models.reader.plots.plot import Plot

__all__ = ["FAMILY", "BodeMagnitude"]

HALF_POWER_DB = 10.0 * np.log10(2.0)
WELL_ABOVE = 6.0


class BodeMagnitude:
    """Magnitude in dB over a logarithmic frequency axis."""

    name = "bode_magnitude"
    fields = ("dc_gain_db", "cutoff_hz", "cp_mag_at_fc_db", "cp_slope_db_per_decade")

    def read(self, plot: Plot, prompt: str) -> Mapping[str, FieldReading]:  # noqa: ARG002
        """Fit gain and corner; the slope is the straight line well above the corner."""
        points = plot.curve.points
        level = float(np.median(points.y_px[: max(5, points.y_px.size // 20)]))
        gain = plot.y.value(level)
        below = points.x_px[points.y_px > plot.y.px(gain - HALF_POWER_DB)]
        if below.size == 0:
            raise CannotReadError("the curve never falls by 3 dB")
        fit = fit_law(lowpass_db, [(gain, np.log(plot.x.value(float(below.min()))))], plot, points)
        gain, fc = float(fit.parameters[0]), float(np.exp(fit.parameters[1]))
        if not (plot.x.log and plot.reaches(fc)):
            raise CannotReadError("no corner on a logarithmic frequency axis")
        what, off = "a first-order low-pass", fit.residual_px
        return {
            "dc_gain_db": fitted(gain, what, off),
            "cutoff_hz": fitted(fc, what, off),
            "cp_mag_at_fc_db": fitted(gain - HALF_POWER_DB, what, off),
            "cp_slope_db_per_decade": _slope(plot, fc),
        }


def _slope(plot: Plot, fc_hz: float) -> FieldReading:
    points = plot.curve.points
    above = points.where(points.x_px > plot.x.px(WELL_ABOVE * fc_hz))
    if above.x_px.size < 10:  # noqa: PLR2004
        return direct(None, "the curve ends too soon above the corner")
    line = straight_line(above)
    return direct(line.slope / plot.y.px_per_unit * plot.x.px_per_unit, "straight line well above the corner")


def lowpass_db(parameters: FloatArray, f_hz: FloatArray) -> FloatArray:
    """G - 10 log10(1 + (f/fc)^2); parameters G in dB, ln fc."""
    return np.asarray(parameters[0] - 10.0 * np.log10(1.0 + (f_hz / np.exp(parameters[1])) ** 2))


FAMILY = BodeMagnitude()
