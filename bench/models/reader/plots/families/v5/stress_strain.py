"""Tensile test: straight to yield, bending over to the ultimate strength, falling to fracture."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from bench.models.reader.plots.fit import fit_law
from bench.models.reader.plots.readings import CannotReadError, FieldReading, direct, fitted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.reader.picture import FloatArray
    from bench.models.reader.plots.plot import Plot

__all__ = ["FAMILY", "StressStrain"]

END_POINTS = 12
YIELDS = (0.15, 0.3, 0.5)
BEND = 1.4


class StressStrain:
    """Stress over strain, as a number or in percent."""

    name = "stress_strain"
    axes = ("", "MPa")
    fields = ("yield_strength_mpa", "uts_mpa", "fracture_strain", "cp_yield_strain", "cp_uts_strain")

    def read(self, plot: Plot, prompt: str) -> Mapping[str, FieldReading]:  # noqa: ARG002
        """Fit a straight line from the origin and two power laws that meet at the maximum."""
        points = plot.band.points
        fracture = plot.x.value(_end_px(plot))
        top = int(points.y_px.argmin())
        ultimate, at_ultimate = plot.y.value(float(points.y_px[top])), plot.x.value(float(points.x_px[top]))
        last = plot.y.value(float(points.y_px[-END_POINTS:].mean()))
        if not 0 < at_ultimate < fracture:
            raise CannotReadError("the curve does not rise and fall")

        def stress_mpa(parameters: FloatArray, strain: FloatArray) -> FloatArray:
            """Parameters e_y, S_y, e_u, S_u, S_f and the exponent of both arcs."""
            e_y, s_y, e_u, s_u, s_f, bend = parameters
            rising = np.clip((e_u - strain) / (e_u - e_y), 0.0, 1.0) ** bend
            falling = np.clip((strain - e_u) / (fracture - e_u), 0.0, None) ** bend
            plastic = s_u - (s_u - s_y) * rising - (s_u - s_f) * falling
            return np.asarray(np.where(strain < e_y, strain * s_y / e_y, plastic))

        starts = []
        for share in YIELDS:
            at_yield = share * at_ultimate
            level = plot.y.value(float(np.interp(plot.x.px(at_yield), points.x_px, points.y_px)))
            starts.append((at_yield, level, at_ultimate, ultimate, last, BEND))
        fit = fit_law(stress_mpa, starts, plot, points)
        e_y, s_y, e_u, s_u = (float(one) for one in fit.parameters[:4])
        if not (0 < e_y < e_u < fracture and 0 < s_y < s_u):
            raise CannotReadError("the curve has no yield point, maximum and end in this order")
        what, off = "a straight line and two arcs", fit.residual_px
        return {
            "yield_strength_mpa": fitted(s_y, what, off),
            "uts_mpa": fitted(s_u, what, off),
            "fracture_strain": replace(direct(fracture, "the end of the curve"), residual_px=off),
            "cp_yield_strain": fitted(e_y, what, off),
            "cp_uts_strain": fitted(e_u, what, off),
        }


def _end_px(plot: Plot) -> float:
    """Return where the line ends, without its cap of half a stroke."""
    points = plot.band.points
    x, y = points.x_px[-END_POINTS:-2], points.y_px[-END_POINTS:-2]
    along = 1.0 / float(np.hypot(1.0, np.polyfit(x, y, 1)[0]))
    stroke_px = float(np.median(plot.band.ink_px[-END_POINTS:-2])) * along
    return float(points.x_px[-1]) + 0.5 - stroke_px / 2.0 * along


FAMILY = StressStrain()
