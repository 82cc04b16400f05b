"""A plot as it can be measured: its box, its scales and its pixels."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from bench.models.reader.plots.axes_box import AxesBox, find_box
from bench.models.reader.plots.band import Band, find_band
from bench.models.reader.plots.ink import Ink, find_ink
from bench.models.reader.plots.labels import read_labels
from bench.models.reader.plots.prompt_words import Said
from bench.models.reader.plots.scale import Scale, find_scale
from bench.models.reader.plots.ticks import find_ticks
from bench.models.reader.plots.trace import Trace, trace_curve

if TYPE_CHECKING:
    from bench.models.reader.picture import Picture

__all__ = ["Plot", "measure"]

BESIDE_BAND_PX = 6.0


@dataclass(frozen=True, kw_only=True)
class Plot:
    """One plot: `x` and `y` map pixel indices of the picture to values; `said`: what the prompt says of it."""

    picture: Picture
    box: AxesBox
    x: Scale
    y: Scale
    said: Said

    @cached_property
    def ink(self) -> Ink:
        """The curve's colour and where it lies."""
        return find_ink(self.picture, self.box, only_blue=self.said.blue)

    @cached_property
    def curve(self) -> Trace:
        """The curve's points."""
        return trace_curve(self.ink)

    @cached_property
    def band(self) -> Band:
        """The centres of the curve's ink, for curves with one height in each column."""
        return find_band(self.ink)

    def reaches(self, x: float) -> bool:
        """Whether the curve is drawn at this value of x, two strokes beyond its ends included.

        Nothing is extrapolated: what a law says beyond the drawn curve is no reading.
        """
        slack = 2 * self.curve.stroke_px
        return self._is_between(x, self.curve.left_px - slack, self.curve.right_px + slack)

    def covers(self, x: float) -> bool:
        """Whether the band of ink is drawn at this value of x, a few pixels beyond its ends included."""
        return self._is_between(x, self.band.left_px - BESIDE_BAND_PX, self.band.right_px + BESIDE_BAND_PX)

    def _is_between(self, x: float, first_px: float, last_px: float) -> bool:
        if not math.isfinite(x) or (self.x.log and x <= 0):
            return False
        return first_px <= self.x.px(x) <= last_px


def measure(picture: Picture, said: Said | None = None) -> Plot:
    """Find axes and scales.

    Raises:
        CannotReadError: a stage finds nothing that it can be sure of.
    """
    darkness = picture.darkness
    box = find_box(picture)
    x_ticks, y_ticks = find_ticks(darkness, box)
    x_labels, y_labels = read_labels(darkness, box, x_ticks, y_ticks)
    said = said or Said()
    return Plot(
        picture=picture,
        box=box,
        said=said,
        x=find_scale(x_labels, x_ticks, "x", only_log=said.log_x),
        y=find_scale(y_labels, y_ticks, "y"),
    )
