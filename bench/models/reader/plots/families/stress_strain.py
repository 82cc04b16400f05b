"""Tensile test, stress over strain: yield point, ultimate strength and fracture."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bench.models.reader.plots.families import FamilyReader
from bench.models.reader.plots.fit import fit_law
from bench.models.reader.plots.readings import CannotReadError, direct, fitted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.reader.picture import FloatArray
    from bench.models.reader.plots.curve import CurvePoints
    from bench.models.reader.plots.fit import LawFit
    from bench.models.reader.plots.plot import MeasuredPlot
    from bench.models.reader.plots.readings import FieldValue

__all__ = ["V4", "V5"]

NAME = "stress_strain"
FIELDS = ("yield_strength_mpa", "uts_mpa", "fracture_strain", "cp_yield_strain", "cp_uts_strain")
STEEP_SHARE = 0.1
END_POINTS = 12
YIELDS = (0.15, 0.3, 0.5)
BEND = 1.4


def read_v4(plot: MeasuredPlot) -> Mapping[str, FieldValue]:
    """Fit three straight pieces, the first one from the origin; fracture is where the line ends."""
    points = plot.curve.points
    fracture = plot.x.value(plot.curve.right_px)
    at_ultimate, ultimate = _maximum(plot, points, fracture)
    last = plot.y.value(float(np.median(points.y_px[-5:])))
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
    found = _fields(fit, fracture, "three straight pieces")
    e_y, _, e_u, s_u, s_f = (float(one) for one in fit.parameters)
    stroke = plot.curve.stroke_px
    if e_y * plot.x.px_per_unit < stroke / 2 or abs(plot.curve.left_px - plot.x.px(0.0)) > 2 * stroke:
        raise CannotReadError("the curve does not rise from strain zero")
    if (fracture - e_u) * plot.x.px_per_unit < 2 * stroke or s_f >= s_u:
        raise CannotReadError("the curve does not fall from its maximum to its end")
    return found


def read_v5(plot: MeasuredPlot) -> Mapping[str, FieldValue]:
    """Fit a straight line from the origin and two power laws that meet at the maximum."""
    points = plot.band.points
    fracture = plot.x.value(_end_px(plot))
    at_ultimate, ultimate = _maximum(plot, points, fracture)
    last = plot.y.value(float(points.y_px[-END_POINTS:].mean()))

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
    return _fields(fit_law(stress_mpa, starts, plot, points), fracture, "a straight line and two arcs")


def _maximum(plot: MeasuredPlot, points: CurvePoints, fracture: float) -> tuple[float, float]:
    """Return strain and stress of the highest point, which must lie between strain zero and fracture."""
    top = int(points.y_px.argmin())
    strain, stress = plot.x.value(float(points.x_px[top])), plot.y.value(float(points.y_px[top]))
    if not 0 < strain < fracture:
        raise CannotReadError("the curve does not rise and fall")
    return strain, stress


def _fields(fit: LawFit, fracture: float, what: str) -> dict[str, FieldValue]:
    """Return every field of a law whose first parameters are strain and stress at yield and at the maximum."""
    e_y, s_y, e_u, s_u = (float(one) for one in fit.parameters[:4])
    if not (0 < e_y < e_u < fracture and 0 < s_y < s_u):
        raise CannotReadError("the curve has no yield point, maximum and end in this order")
    off = fit.residual_px
    return {
        "yield_strength_mpa": fitted(s_y, what, off),
        "uts_mpa": fitted(s_u, what, off),
        "fracture_strain": direct(fracture, "the end of the curve", off),
        "cp_yield_strain": fitted(e_y, what, off),
        "cp_uts_strain": fitted(e_u, what, off),
    }


def _end_px(plot: MeasuredPlot) -> float:
    """Return where the line ends, without its cap of half a stroke."""
    points = plot.band.points
    x, y = points.x_px[-END_POINTS:-2], points.y_px[-END_POINTS:-2]
    along = 1.0 / float(np.hypot(1.0, np.polyfit(x, y, 1)[0]))
    stroke_px = float(np.median(plot.band.ink_px[-END_POINTS:-2])) * along
    return float(points.x_px[-1]) + 0.5 - stroke_px / 2.0 * along


V4 = FamilyReader(name=NAME, fields=FIELDS, read=read_v4)
V5 = FamilyReader(name=NAME, fields=FIELDS, read=read_v5, axes=("", "MPa"))
