"""Tensile test: yield, ultimate strength and fracture."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bench.models.reader.plots.fit import fit_law
from bench.models.reader.plots.readings import CannotReadError, FieldReading, direct, fitted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.reader.picture import FloatArray
    from bench.models.reader.plots.plot import Plot

__all__ = ["FAMILY", "StressStrain"]

STEEP_SHARE = 0.1


class StressStrain:
    """Straight to yield, up to the ultimate strength, down to fracture."""

    name = "stress_strain"
    fields = ("yield_strength_mpa", "uts_mpa", "fracture_strain", "cp_yield_strain", "cp_uts_strain")

    def read(self, plot: Plot, prompt: str) -> Mapping[str, FieldReading]:  # noqa: ARG002
        """Fit three straight pieces, the first one from the origin; fracture is where the line ends."""
        points = plot.curve.points
        end_px = plot.curve.right_px
        fracture = plot.x.value(end_px)
        top = int(points.y_px.argmin())
        ultimate, at_ultimate = plot.y.value(float(points.y_px[top])), plot.x.value(float(points.x_px[top]))
        last = plot.y.value(float(np.median(points.y_px[-5:])))
        if not 0 < at_ultimate < fracture:
            raise CannotReadError("the curve does not rise and fall")
        shallow = points.x_px > plot.x.px(STEEP_SHARE * at_ultimate)
        first = plot.y.value(float(points.y_px[shallow][:20].mean()))
        at_yield = STEEP_SHARE / 3 * at_ultimate
        seen = points.where(points.x_px > plot.box.left.last + plot.curve.stroke_px / 2)

        def three_pieces(parameters: FloatArray, strain: FloatArray) -> FloatArray:
            """Through the origin, yield and ultimate point to the end; parameters e_y, S_y, e_u, S_u, S_f."""
            e_y, s_y, e_u, s_u, s_f = parameters
            elastic = strain * s_y / e_y
            rising = s_y + (strain - e_y) * (s_u - s_y) / (e_u - e_y)
            falling = s_u + (strain - e_u) * (s_f - s_u) / (fracture - e_u)
            return np.asarray(np.where(strain < e_y, elastic, np.where(strain < e_u, rising, falling)))

        fit = fit_law(three_pieces, [(at_yield, first, at_ultimate, ultimate, last)], plot, seen)
        e_y, s_y, e_u, s_u, s_f = (float(one) for one in fit.parameters)
        if not (0 < e_y < e_u < fracture and 0 < s_y < s_u):
            raise CannotReadError("the curve has no yield point, maximum and end in this order")
        stroke = plot.curve.stroke_px
        if e_y * plot.x.px_per_unit < stroke / 2 or abs(plot.curve.left_px - plot.x.px(0.0)) > 2 * stroke:
            raise CannotReadError("the curve does not rise from strain zero")
        if (fracture - e_u) * plot.x.px_per_unit < 2 * stroke or s_f >= s_u:
            raise CannotReadError("the curve does not fall from its maximum to its end")
        what, off = "three straight pieces", fit.residual_px
        return {
            "yield_strength_mpa": fitted(s_y, what, off),
            "uts_mpa": fitted(s_u, what, off),
            "fracture_strain": direct(fracture, "the end of the curve", off),
            "cp_yield_strain": fitted(e_y, what, off),
            "cp_uts_strain": fitted(e_u, what, off),
        }


FAMILY = StressStrain()
