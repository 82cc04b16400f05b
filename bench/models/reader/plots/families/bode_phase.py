"""First-order low-pass, phase: corner, and the phase at a marked frequency."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bench.models.reader.plots.fit import fit_law
from bench.models.reader.plots.readings import CannotReadError, FieldReading, convention, direct, fitted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.reader.picture import FloatArray
    from bench.models.reader.plots.plot import Plot

__all__ = ["FAMILY", "BodePhase"]

PHASE_AT_CORNER_DEG = -45.0


class BodePhase:
    """Phase in degrees over a logarithmic frequency axis."""

    name = "bode_phase"
    fields = ("cutoff_hz", "phase_deg_at_fq", "cp_phase_deg_at_fc")

    def read(self, plot: Plot, prompt: str) -> Mapping[str, FieldReading]:  # noqa: ARG002
        """Fit the corner; read the phase where the dotted line crosses."""
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
            "phase_deg_at_fq": _at_marked(plot, fit.parameters, off),
            "cp_phase_deg_at_fc": convention(PHASE_AT_CORNER_DEG, "the definition of the corner", off),
        }


def _at_marked(plot: Plot, parameters: FloatArray, residual_px: float) -> FieldReading:
    if not plot.curve.verticals:
        return direct(None, "no marked frequency")
    dotted = min(plot.curve.verticals, key=lambda line: line.dash_px)
    phase = lowpass_deg(parameters, np.array([plot.x.value(dotted.x_px)]))
    return fitted(float(phase[0]), "the fitted phase at the dotted line", residual_px)


def lowpass_deg(parameters: FloatArray, f_hz: FloatArray) -> FloatArray:
    """p0 - atan(f/fc); parameters ln fc, p0 in degrees (a fraction of a pixel)."""
    return np.asarray(parameters[1] - np.degrees(np.arctan(f_hz / np.exp(parameters[0]))))


FAMILY = BodePhase()
