"""Curves that fall from a value on the y axis to a zero on the x axis: pumps and motors."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from generators.plotchain.numeric import np
from generators.plotchain.v5.calculus import slope_px
from generators.plotchain.v5.frame import PlotParams
from generators.plotchain.v5.marks import vertical, zero_lines
from generators.plotchain.v5.plot import CurvePlot

if TYPE_CHECKING:
    from generators.plotchain.draws import Draws
    from generators.plotchain.numeric import FloatArray
    from generators.plotchain.v5.marks import Line

__all__ = ["FallingCurve", "FallingParams", "draw_falling"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FallingParams(PlotParams):
    """Unit of the y axis; where the curve starts (y) and ends (x), exponent, marked x, in axis units.

    Raises:
        ValueError: start, end or exponent is not positive.
    """

    height_unit: str
    start: float
    end: float
    exponent: float
    marked: float

    def __post_init__(self) -> None:
        PlotParams.__post_init__(self)
        if min(self.start, self.end, self.exponent) <= 0.0:
            raise ValueError(f"expected positive start, end and exponent, got {self!r}")


class FallingCurve(CurvePlot[FallingParams]):
    """y = start (1 - (x/end)^exponent), from the y axis to the x axis."""

    params_type = FallingParams
    has_curve_b = True
    zeros_meet = (True, True)
    mark_letter: ClassVar[str]

    def ends_px(self, params: FallingParams) -> tuple[float, float]:
        """Return both axes' crossings."""
        x = self.frame(params).x
        return x.px(0.0), x.px(params.end)

    def curve_px(self, params: FallingParams, x_px: FloatArray) -> FloatArray:
        """Return the height; beyond its end the curve goes on falling."""
        frame = self.frame(params)
        share = np.maximum(frame.x.values(x_px) / params.end, 0.0)
        return frame.y.pixels(params.start * (1.0 - np.power(share, params.exponent)))

    def marks(self, params: FallingParams) -> tuple[Line, ...]:
        """Return the lines through zero and the marked x."""
        frame = self.frame(params)
        mark = vertical(frame.x.px(params.marked), letter=self.mark_letter)
        return (*zero_lines(frame.x.px(0.0), frame.y.px(0.0)), mark)

    def height(self, params: FallingParams, x: float) -> float:
        """Return the height above a place, in axis units."""
        return params.start * (1.0 - math.pow(x / params.end, params.exponent))

    def steepness_px(self, params: FallingParams, x: float) -> float:
        """Return the slope at a place in axis units, px/px."""
        return slope_px(lambda x_px: self.curve_px(params, x_px), self.frame(params).x.px(x))


def draw_falling(draws: Draws, *, unit: str, start: float, end: float, exponent: float) -> FallingParams:
    """Draw where the curve lies in the axes, then the mark."""
    end_at, start_at = draws.uniform(0.5, 0.95), draws.uniform(0.5, 0.93)
    left, bottom = draws.uniform(0.02, 0.1), draws.uniform(0.03, 0.1)
    marked = draws.uniform(0.12, 0.88) * end
    width, height = end / (end_at - left), start / (start_at - bottom)
    return FallingParams(
        x_min=-left * width,
        x_max=(1.0 - left) * width,
        y_min=-bottom * height,
        y_max=(1.0 - bottom) * height,
        height_unit=unit,
        start=start,
        end=end,
        exponent=exponent,
        marked=marked,
    )
