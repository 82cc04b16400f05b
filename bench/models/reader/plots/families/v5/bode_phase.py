"""Phase of a lag: corner half way between its asymptotes, and the phase at a marked frequency."""

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

__all__ = ["FAMILY", "BodePhase"]


class BodePhase:
    """Phase in degrees over a logarithmic frequency axis; dashed asymptotes, a dotted line f_q."""

    name = "bode_phase"
    axes = ("Hz", "deg")
    fields = ("cutoff_hz", "phase_deg_at_fq", "cp_phase_deg_at_fc")

    def read(self, plot: Plot, prompt: str) -> Mapping[str, FieldReading]:  # noqa: ARG002
        """Read the asymptotes; fit the corner between them; read the phase at the dotted line off the fit."""
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


FAMILY = BodePhase()
