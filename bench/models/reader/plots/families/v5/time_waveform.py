"""Periodic voltage over time: sine, triangle or square, with noise."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bench.models.reader.plots.families.time_waveform import Edge, read_smooth, square_readings, timing_of
from bench.models.reader.plots.readings import CannotReadError, FieldReading

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.reader.plots.plot import Plot

__all__ = ["FAMILY", "TimeWaveform"]

MIDDLE = (0.2, 0.8)
SQUARE_SHARE = 0.15


class TimeWaveform:
    """The shape is told from the curve, not from the title."""

    name = "time_waveform"
    axes = ("s", "V")
    fields = ("frequency_hz", "vpp_v", "cp_period_s", "cp_vmax_v", "cp_vmin_v", "cp_duty")

    def read(self, plot: Plot, prompt: str) -> Mapping[str, FieldReading]:  # noqa: ARG002
        """Read a square wave's levels and edges; fit sine and triangle to anything else and keep the nearer."""
        rows = plot.band.points.y_px
        top, bottom = (float(np.percentile(rows, percent)) for percent in (1, 99))
        low, high = (top + share * (bottom - top) for share in MIDDLE)
        if ((rows > low) & (rows < high)).mean() > SQUARE_SHARE:
            return read_smooth(plot, plot.band.points)
        return _square(plot, (top + bottom) / 2.0, (low, high))


def _square(plot: Plot, middle_px: float, between_px: tuple[float, float]) -> dict[str, FieldReading]:
    points = plot.band.points
    level = points.where((points.y_px <= between_px[0]) | (points.y_px >= between_px[1]))
    upper = level.y_px < middle_px
    if upper.all() or not upper.any():
        raise CannotReadError("the curve has no two levels")
    high, low = (plot.y.value(float(level.y_px[part].mean())) for part in (upper, ~upper))
    changes = np.flatnonzero(np.diff(upper.astype(np.int8)))
    middles = (level.x_px[changes] + level.x_px[changes + 1]) / 2.0
    edges = [
        Edge(time_s=plot.x.value(float(at)), rising=bool(not upper[change]))
        for at, change in zip(middles, changes, strict=True)
    ]
    return square_readings(high, low, timing_of(edges, plot.x.value(float(points.x_px[0]))))


FAMILY = TimeWaveform()
