"""Low-pass, magnitude in dB over a logarithmic frequency axis: gain, corner and slope."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bench.models.reader.plots.families import FamilyReader
from bench.models.reader.plots.fit import fit_law, straight_line
from bench.models.reader.plots.marks import dashed_levels, dotted_places
from bench.models.reader.plots.readings import CannotReadError, direct, fitted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.reader.picture import FloatArray
    from bench.models.reader.plots.curve import CurvePoints
    from bench.models.reader.plots.plot import MeasuredPlot
    from bench.models.reader.plots.readings import FieldValue

__all__ = ["V4", "V5"]

NAME = "bode_magnitude"
FIELDS = ("dc_gain_db", "cutoff_hz", "cp_mag_at_fc_db", "cp_slope_db_per_decade")
HALF_POWER_DB = 10.0 * float(np.log10(2.0))
WELL_ABOVE = 6.0
ORDERS = (0.5, 1.0, 2.5, 5.0)


def read_v4(plot: MeasuredPlot) -> Mapping[str, FieldValue]:
    """First order: fit gain and corner; the slope is the straight line well above the corner."""
    points = plot.curve.points
    level = float(np.median(points.y_px[: max(5, points.y_px.size // 20)]))
    gain = plot.y.value(level)
    fit = fit_law(first_order_db, [(gain, _ln_corner(plot, points, gain))], plot, points)
    gain, fc = float(fit.parameters[0]), float(np.exp(fit.parameters[1]))
    if not (plot.x.log and plot.reaches(fc)):
        raise CannotReadError("no corner on a logarithmic frequency axis")
    what, off = "a first-order low-pass", fit.residual_px
    return {
        "dc_gain_db": fitted(gain, what, off),
        "cutoff_hz": fitted(fc, what, off),
        "cp_mag_at_fc_db": fitted(gain - HALF_POWER_DB, what, off),
        "cp_slope_db_per_decade": _slope_above(plot, fc),
    }


def read_v5(plot: MeasuredPlot) -> Mapping[str, FieldValue]:
    """Any order: read the dashed gain, fit corner and order below it; the slope is between the dotted lines."""
    points = plot.band.points
    gain = plot.y.value(dashed_levels(plot, 1)[0])

    def lowpass_db(parameters: FloatArray, f_hz: FloatArray) -> FloatArray:
        """G - 10 log10(1 + (f/fc)^(2a)); parameters ln fc, ln a."""
        power = (f_hz / np.exp(parameters[0])) ** (2.0 * np.exp(parameters[1]))
        return np.asarray(gain - 10.0 * np.log10(1.0 + power))

    corner = _ln_corner(plot, points, gain)
    fit = fit_law(lowpass_db, [(corner, np.log(order)) for order in ORDERS], plot, points)
    fc = float(np.exp(fit.parameters[0]))
    if not (plot.x.log and plot.covers(fc)):
        raise CannotReadError("no corner on a logarithmic frequency axis")
    what, off = "a low-pass below the dashed line", fit.residual_px
    places = np.array(dotted_places(plot, 2))
    levels = lowpass_db(fit.parameters, plot.x.value(places))
    slope = float((levels[1] - levels[0]) / ((places[1] - places[0]) / plot.x.px_per_unit))
    return {
        "dc_gain_db": direct(gain, "the dashed line"),
        "cutoff_hz": fitted(fc, what, off),
        "cp_mag_at_fc_db": direct(gain - HALF_POWER_DB, "3.01 dB below the dashed line"),
        "cp_slope_db_per_decade": fitted(slope, f"{what}, between the dotted lines", off),
    }


def _ln_corner(plot: MeasuredPlot, points: CurvePoints, gain_db: float) -> float:
    """Logarithm of the frequency in Hz at which the curve has fallen to half power."""
    below = points.x_px[points.y_px > plot.y.px(gain_db - HALF_POWER_DB)]
    if below.size == 0:
        raise CannotReadError("the curve never falls by 3 dB")
    return float(np.log(plot.x.value(float(below.min()))))


def _slope_above(plot: MeasuredPlot, fc_hz: float) -> FieldValue:
    points = plot.curve.points
    above = points.where(points.x_px > plot.x.px(WELL_ABOVE * fc_hz))
    if above.x_px.size < 10:  # noqa: PLR2004
        return direct(None, "the curve ends too soon above the corner")
    line = straight_line(above)
    return direct(line.slope / plot.y.px_per_unit * plot.x.px_per_unit, "straight line well above the corner")


def first_order_db(parameters: FloatArray, f_hz: FloatArray) -> FloatArray:
    """G - 10 log10(1 + (f/fc)^2); parameters G in dB, ln fc."""
    return np.asarray(parameters[0] - 10.0 * np.log10(1.0 + (f_hz / np.exp(parameters[1])) ** 2))


V4 = FamilyReader(name=NAME, fields=FIELDS, read=read_v4)
V5 = FamilyReader(name=NAME, fields=FIELDS, read=read_v5, axes=("Hz", "dB"))
