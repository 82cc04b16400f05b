"""A plot as it can be measured: its box, its scales and its pixels."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from bench.models.reader.plots.axes_box import AxesBox, find_box
from bench.models.reader.plots.ink import Ink, find_ink
from bench.models.reader.plots.labels import read_labels
from bench.models.reader.plots.scale import Scale, find_scale
from bench.models.reader.plots.ticks import find_ticks
from bench.models.reader.plots.trace import Trace, trace_curve

if TYPE_CHECKING:
    from bench.models.reader.picture import Picture

__all__ = ["Plot", "measure"]


@dataclass(frozen=True, kw_only=True)
class Plot:
    """One plot: `x` and `y` map pixel indices of the picture to values."""

    picture: Picture
    box: AxesBox
    x: Scale
    y: Scale

    @cached_property
    def ink(self) -> Ink:
        """The curve's colour and where it lies."""
        return find_ink(self.picture, self.box)

    @cached_property
    def curve(self) -> Trace:
        """The curve's points."""
        return trace_curve(self.ink)

    def reaches(self, x: float) -> bool:
        """Whether the curve is drawn at this value of x, two strokes beyond its ends included.

        Nothing is extrapolated: what a law says beyond the drawn curve is no reading.
        """
        if not math.isfinite(x) or (self.x.log and x <= 0):
            return False
        slack = 2 * self.curve.stroke_px
        return self.curve.left_px - slack <= self.x.px(x) <= self.curve.right_px + slack


def measure(picture: Picture) -> Plot:
    """Find axes and scales.

    Raises:
        CannotReadError: a stage finds nothing that it can be sure of.
    """
    darkness = picture.darkness
    box = find_box(picture)
    x_ticks, y_ticks = find_ticks(darkness, box)
    x_labels, y_labels = read_labels(darkness, box, x_ticks, y_ticks)
    return Plot(
        picture=picture,
        box=box,
        x=find_scale(x_labels, x_ticks, "x"),
        y=find_scale(y_labels, y_ticks, "y"),
    )
