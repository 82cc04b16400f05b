"""Saturating amplifier: gain between two flat levels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bench.models.reader.plots.fit import fit_law
from bench.models.reader.plots.readings import CannotReadError, FieldReading, fitted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.reader.picture import FloatArray
    from bench.models.reader.plots.plot import Plot
    from bench.models.reader.plots.trace import Points

__all__ = ["FAMILY", "TransferCharacteristic", "read_knees"]

LEAST_LEVEL_STROKES = 3.0


class TransferCharacteristic:
    """Two levels and the straight line between them."""

    name = "transfer_characteristic"
    fields = ("small_signal_gain", "saturation_v", "cp_vin_at_saturation")

    def read(self, plot: Plot, prompt: str) -> Mapping[str, FieldReading]:  # noqa: ARG002
        """Fit three straight pieces with free knees."""
        return read_knees(plot, plot.curve.points)


def read_knees(plot: Plot, points: Points) -> Mapping[str, FieldReading]:
    """Read every field off three straight pieces that are fitted to points.

    Raises:
        CannotReadError: there is no slope between two levels.
    """
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
    what, off = "a straight line between two levels", fit.residual_px
    return {
        "small_signal_gain": fitted((right - left) / (last - first), what, off),
        "saturation_v": fitted(max(left, right), what, off),
        "cp_vin_at_saturation": fitted(last if right > left else first, what, off),
    }


def clipped(parameters: FloatArray, x: FloatArray) -> FloatArray:
    """Level left of the first knee, level right of the second, straight between; parameters in that order."""
    left, right, first, last = parameters
    return np.asarray(left + (right - left) * np.clip((x - first) / (last - first), 0.0, 1.0))


FAMILY = TransferCharacteristic()
