"""The axes of a picture as they are drawn: limits, scale and size in pixels, without drawing it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from generators.errors import PictureError

if TYPE_CHECKING:
    from generators.plotchain.family import Case, Family

__all__ = ["AxisName", "DrawnAxes", "DrawnAxis", "drawn_axes"]

AxisName = Literal["x", "y"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnAxis:
    """One axis: the values at its ends, its length in pixels, and whether its scale is logarithmic.

    Places are in pixels from the low end, and may lie beyond either.

    Raises:
        ValueError: no length, equal ends, or a logarithmic axis that is not positive.
    """

    low: float
    high: float
    length_px: float
    is_log: bool

    def __post_init__(self) -> None:
        if not self.low < self.high or self.length_px <= 0 or (self.is_log and self.low <= 0):
            raise ValueError(f"expected an axis from low to high over some pixels, got {self!r}")

    def place_px(self, value: float) -> float:
        """Return where a value stands; minus infinity for what a logarithmic axis cannot show."""
        if self.is_log:
            if value <= 0:
                return -math.inf
            share = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return share * self.length_px

    def value_at(self, place_px: float) -> float:
        """Return the value at a place."""
        share = place_px / self.length_px
        if self.is_log:
            return float(self.low * (self.high / self.low) ** share)
        return self.low + share * (self.high - self.low)


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnAxes:
    """Both axes; y grows upwards."""

    x: DrawnAxis
    y: DrawnAxis

    def named(self, name: AxisName) -> DrawnAxis:
        """Return one axis."""
        return self.x if name == "x" else self.y


def drawn_axes(family: Family[Any], case: Case[Any]) -> DrawnAxes:
    """Lay out a case as for its picture and return the axes.

    Raises:
        PictureError: the case cannot be drawn.
    """
    from generators.plotchain.rendering import build_figure, pinned_style  # noqa: PLC0415 - loads Matplotlib

    try:
        with pinned_style():
            axes = build_figure(family, case).axes[0]
            box = axes.bbox
            limits = (
                (axes.get_xlim(), axes.get_xscale(), box.width),
                (axes.get_ylim(), axes.get_yscale(), box.height),
            )
        x, y = (
            DrawnAxis(low=float(low), high=float(high), length_px=float(length), is_log=scale == "log")
            for (low, high), scale, length in limits
        )
    except (ArithmeticError, ValueError) as error:
        raise PictureError(f"{family.name}: the axes cannot be laid out: {error}") from error
    return DrawnAxes(x=x, y=y)
