"""Low-pass of any order, magnitude: flat level, corner, and slope between two marked frequencies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bench.models.reader.plots.cross_lines import dashed_levels, dotted_places
from bench.models.reader.plots.fit import fit_law
from bench.models.reader.plots.readings import CannotReadError, FieldReading, direct, fitted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.reader.picture import FloatArray
    from bench.models.reader.plots.plot import Plot

__all__ = ["FAMILY", "BodeMagnitude"]

HALF_POWER_DB = 10.0 * float(np.log10(2.0))
ORDERS = (0.5, 1.0, 2.5, 5.0)


class BodeMagnitude:
    """Magnitude in dB over a logarithmic frequency axis; a dashed line at the gain, dotted lines P and R."""

    name = "bode_magnitude"
    axes = ("Hz", "dB")
    fields = ("dc_gain_db", "cutoff_hz", "cp_mag_at_fc_db", "cp_slope_db_per_decade")

    def read(self, plot: Plot, prompt: str) -> Mapping[str, FieldReading]:  # noqa: ARG002
        """Read the dashed level; fit corner and order below it; read slope and marks off the fit."""
        points = plot.band.points
        gain = plot.y.value(dashed_levels(plot, 1)[0])
        below = points.x_px[points.y_px > plot.y.px(gain - HALF_POWER_DB)]
        if below.size == 0:
            raise CannotReadError("the curve never falls by 3 dB")

        def lowpass_db(parameters: FloatArray, f_hz: FloatArray) -> FloatArray:
            """G - 10 log10(1 + (f/fc)^(2a)); parameters ln fc, ln a."""
            power = (f_hz / np.exp(parameters[0])) ** (2.0 * np.exp(parameters[1]))
            return np.asarray(gain - 10.0 * np.log10(1.0 + power))

        corner = np.log(plot.x.value(float(below.min())))
        fit = fit_law(lowpass_db, [(corner, np.log(order)) for order in ORDERS], plot, points)
        fc = float(np.exp(fit.parameters[0]))
        if not (plot.x.log and plot.covers(fc)):
            raise CannotReadError("no corner on a logarithmic frequency axis")
        what, off = "a low-pass below the dashed line", fit.residual_px
        places = np.array(dotted_places(plot, 2))
        levels = lowpass_db(fit.parameters, plot.x.value(places))
        decades = (places[1] - places[0]) / plot.x.px_per_unit
        return {
            "dc_gain_db": direct(gain, "the dashed line"),
            "cutoff_hz": fitted(fc, what, off),
            "cp_mag_at_fc_db": direct(gain - HALF_POWER_DB, "3.01 dB below the dashed line"),
            "cp_slope_db_per_decade": fitted(
                float((levels[1] - levels[0]) / decades), f"{what}, between the dotted lines", off
            ),
        }


FAMILY = BodeMagnitude()
