"""Saturating amplifier: gain of the straight line between two flat levels, rising or falling."""

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

NAME = "transfer_characteristic"
FIELDS = ("small_signal_gain", "saturation_v", "cp_vin_at_saturation")
LEAST_LEVEL_STROKES = 3.0


def read_v4(plot: MeasuredPlot) -> Mapping[str, FieldValue]:
    """Read the traced curve."""
    return _read(plot, plot.curve.points)


def read_v5(plot: MeasuredPlot) -> Mapping[str, FieldValue]:
    """Read the centre of the noisy band."""
    return _read(plot, plot.band.points)


def _read(plot: MeasuredPlot, points: CurvePoints) -> Mapping[str, FieldValue]:
    """Fit three straight pieces with free knees."""
    count = max(5, points.x_px.size // 20)
    by_x = np.argsort(points.x_px)
    ends = [float(np.median(points.y_px[by_x][part])) for part in (slice(None, count), slice(-count, None))]
    left, right = plot.y.value(ends[0]), plot.y.value(ends[1])
    low_px, high_px = sorted(ends)
    inner = points.where(
        (points.y_px > low_px + 0.1 * (high_px - low_px)) & (points.y_px < high_px - 0.1 * (high_px - low_px))
    )
    if inner.x_px.size < 3 or left == right:  # noqa: PLR2004
        raise CannotReadError("no slope between two levels")
    starts_at, ends_at = plot.x.value(float(inner.x_px.min())), plot.x.value(float(inner.x_px.max()))
    fit = fit_law(clipped, [(left, right, starts_at, ends_at)], plot, points)
    left, right, first, last = (float(one) for one in fit.parameters)
    level_px = LEAST_LEVEL_STROKES * plot.curve.stroke_px
    if not (plot.curve.left_px + level_px <= plot.x.px(first) < plot.x.px(last) <= plot.curve.right_px - level_px):
        raise CannotReadError("the curve is not flat on both sides of a slope")
    return all_fitted(
        "a straight line between two levels",
        fit.residual_px,
        small_signal_gain=(right - left) / (last - first),
        saturation_v=max(left, right),
        cp_vin_at_saturation=last if right > left else first,
    )


def clipped(parameters: FloatArray, x: FloatArray) -> FloatArray:
    """Level left of the first knee, level right of the second, straight between; parameters in that order."""
    left, right, first, last = parameters
    return np.asarray(left + (right - left) * np.clip((x - first) / (last - first), 0.0, 1.0))


V4 = FamilyReader(name=NAME, fields=FIELDS, read=read_v4)
V5 = FamilyReader(name=NAME, fields=FIELDS, read=read_v5, axes=("V", "V"))
