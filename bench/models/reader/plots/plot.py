"""A plot as it can be measured: what its prompt says of it, its box, its scales and its pixels."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from bench.models.reader.plots.axes import AxesBox, AxisScale, find_box, find_scale, find_ticks
from bench.models.reader.plots.curve import CurveTrace, InkBand, find_band, trace_curve
from bench.models.reader.plots.ink import CurveInk, find_ink
from bench.models.reader.plots.labels import read_labels

if TYPE_CHECKING:
    from bench.models.reader.picture import DecodedImage

__all__ = ["MeasuredPlot", "PromptHints", "measure", "read_hints"]

BESIDE_BAND_PX = 6.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptHints:
    """What a prompt says about the drawing.

    `log_x`: the x axis is logarithmic; `blue`: the curve is; `own_units`: answers are in units of the prompt,
    whatever the axes show. `prompt`: all of its text.
    """

    prompt: str = ""
    log_x: bool = False
    blue: bool = False
    own_units: bool = False


def read_hints(prompt: str) -> PromptHints:
    """Return what the prompt says."""
    return PromptHints(
        prompt=prompt,
        log_x="over a logarithmic frequency axis" in prompt,
        blue="curve A (solid blue" in prompt,
        own_units="in the units named here whatever the axes show" in prompt,
    )


@dataclass(frozen=True, kw_only=True)
class MeasuredPlot:
    """One plot: `x` and `y` map pixel indices of the picture to values."""

    picture: DecodedImage
    box: AxesBox
    x: AxisScale
    y: AxisScale
    hints: PromptHints

    @cached_property
    def ink(self) -> CurveInk:
        """The curve's colour and where it lies."""
        return find_ink(self.picture, self.box, only_blue=self.hints.blue)

    @cached_property
    def curve(self) -> CurveTrace:
        """The curve's points."""
        return trace_curve(self.ink)

    @cached_property
    def band(self) -> InkBand:
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


def measure(picture: DecodedImage, hints: PromptHints) -> MeasuredPlot:
    """Find axes and scales.

    Raises:
        CannotReadError: a stage finds nothing that it can be sure of.
    """
    darkness = picture.darkness
    box = find_box(picture)
    x_ticks, y_ticks = find_ticks(darkness, box)
    x_labels, y_labels = read_labels(darkness, box, x_ticks, y_ticks)
    return MeasuredPlot(
        picture=picture,
        box=box,
        hints=hints,
        x=find_scale(x_labels, x_ticks, "x", only_log=hints.log_x),
        y=find_scale(y_labels, y_ticks, "y"),
    )
