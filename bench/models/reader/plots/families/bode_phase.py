"""Phase of a lag in degrees over a logarithmic frequency axis: corner, and the phase at a marked frequency."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bench.models.reader.plots.families import FamilyReader
from bench.models.reader.plots.fit import fit_law
from bench.models.reader.plots.marks import dashed_levels, dotted_places
from bench.models.reader.plots.readings import CannotReadError, convention, direct, fitted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.reader.picture import FloatArray
    from bench.models.reader.plots.plot import MeasuredPlot
    from bench.models.reader.plots.readings import FieldValue

__all__ = ["V4", "V5"]

NAME = "bode_phase"
FIELDS = ("cutoff_hz", "phase_deg_at_fq", "cp_phase_deg_at_fc")
PHASE_AT_CORNER_DEG = -45.0


def read_v4(plot: MeasuredPlot) -> Mapping[str, FieldValue]:
    """First order: fit the corner; read the phase where the dotted line crosses."""
    points = plot.curve.points
    below = points.x_px[points.y_px > plot.y.px(PHASE_AT_CORNER_DEG)]
    if below.size == 0:
        raise CannotReadError("the curve never falls to -45 degrees")
    fit = fit_law(lowpass_deg, [(np.log(plot.x.value(float(below.min()))), 0.0)], plot, points)
    if not (plot.x.log and plot.reaches(float(np.exp(fit.parameters[0])))):
        raise CannotReadError("no corner on a logarithmic frequency axis")
    what, off = "the phase of a first-order low-pass", fit.residual_px
    return {
        "cutoff_hz": fitted(float(np.exp(fit.parameters[0])), what, off),
        "phase_deg_at_fq": _at_dotted_line(plot, fit.parameters, off),
        "cp_phase_deg_at_fc": convention(PHASE_AT_CORNER_DEG, "the definition of the corner", off),
    }


def _at_dotted_line(plot: MeasuredPlot, parameters: FloatArray, residual_px: float) -> FieldValue:
    if not plot.curve.verticals:
        return direct(None, "no marked frequency")
    dotted = min(plot.curve.verticals, key=lambda line: line.dash_px)
    phase = lowpass_deg(parameters, np.array([plot.x.value(dotted.x_px)]))
    return fitted(float(phase[0]), "the fitted phase at the dotted line", residual_px)


def lowpass_deg(parameters: FloatArray, f_hz: FloatArray) -> FloatArray:
    """p0 - atan(f/fc); parameters ln fc, p0 in degrees (a fraction of a pixel)."""
    return np.asarray(parameters[1] - np.degrees(np.arctan(f_hz / np.exp(parameters[0]))))


def read_v5(plot: MeasuredPlot) -> Mapping[str, FieldValue]:
    """Read the dashed asymptotes; fit the corner half way between them; read the phase at the dotted line f_q."""
    points = plot.band.points
    first, last = (plot.y.value(level) for level in dashed_levels(plot, 2))
    middle = (first + last) / 2.0

    def lag_deg(parameters: FloatArray, f_hz: FloatArray) -> FloatArray:
        """From the upper asymptote to the lower one as the arc tangent goes; parameter ln fc."""
        return np.asarray(first + (last - first) * 2.0 / np.pi * np.arctan(f_hz / np.exp(parameters[0])))

    below = points.x_px[points.y_px > plot.y.px(middle)]
    if below.size == 0:
        raise CannotReadError("the curve does not fall half way between the dashed lines")
    fit = fit_law(lag_deg, [(np.log(plot.x.value(float(below.min()))),)], plot, points)
    fc = float(np.exp(fit.parameters[0]))
    if not (plot.x.log and plot.covers(fc)):
        raise CannotReadError("no corner on a logarithmic frequency axis")
    what, off = "a lag between the dashed lines", fit.residual_px
    at_mark = lag_deg(fit.parameters, plot.x.value(np.array(dotted_places(plot, 1))))
    return {
        "cutoff_hz": fitted(fc, what, off),
        "phase_deg_at_fq": fitted(float(at_mark[0]), f"{what}, at the dotted line", off),
        "cp_phase_deg_at_fc": direct(middle, "half way between the dashed lines"),
    }


V4 = FamilyReader(name=NAME, fields=FIELDS, read=read_v4)
V5 = FamilyReader(name=NAME, fields=FIELDS, read=read_v5, axes=("Hz", "deg"))
