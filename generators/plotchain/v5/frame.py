"""The drawn axes: where a value stands, in pixels from the left or the bottom of the axes box."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from generators.plotchain.family import PixelBox
from generators.plotchain.numeric import np

if TYPE_CHECKING:
    from generators.plotchain.numeric import FloatArray

__all__ = ["AXES_BOX", "HEIGHT_PX", "WIDTH_PX", "Axis", "AxisName", "Frame", "PlotParams"]

AXES_BOX: Final = PixelBox(left=112, bottom=88, width=810, height=432)
WIDTH_PX: Final = float(AXES_BOX.width)
HEIGHT_PX: Final = float(AXES_BOX.height)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotParams:
    """What every plot is drawn from: the limits of both axes, in their units, and seeds of side streams.

    `noise_seed` and `curve_b_seed` are None in families that draw neither.

    Raises:
        ValueError: limits that are not finite and rising.
    """

    x_min: float
    x_max: float
    y_min: float
    y_max: float
    noise_seed: int | None = None
    curve_b_seed: int | None = None

    def __post_init__(self) -> None:
        for name, low, high in (("x", self.x_min, self.x_max), ("y", self.y_min, self.y_max)):
            if not (math.isfinite(low) and math.isfinite(high) and low < high):
                raise ValueError(f"expected finite, rising limits of the {name} axis, got {low!r} to {high!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class AxisName:
    """Quantity and unit as written along an axis; a unit of "1" is not written."""

    quantity: str
    unit: str

    @property
    def text(self) -> str:
        """The axis name."""
        return self.quantity if self.unit == "1" else f"{self.quantity} ({self.unit})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """One axis: limits in its unit, drawn over `length_px`, linear or logarithmic."""

    name: AxisName
    low: float
    high: float
    length_px: float
    is_log: bool = False

    @property
    def per_px(self) -> float:
        """Axis units a pixel; decades a pixel on a logarithmic axis."""
        return (self._scaled(self.high) - self._scaled(self.low)) / self.length_px

    def px(self, value: float) -> float:
        """Return where a value stands."""
        return (self._scaled(value) - self._scaled(self.low)) / self.per_px

    def pixels(self, values: FloatArray) -> FloatArray:
        """Return where values stand on a linear axis."""
        return (values - self.low) / self.per_px

    def values(self, pixels: FloatArray) -> FloatArray:
        """Return the values that stand there."""
        scaled: FloatArray = self._scaled(self.low) + pixels * self.per_px
        return np.power(10.0, scaled) if self.is_log else scaled

    def _scaled(self, value: float) -> float:
        return math.log10(value) if self.is_log else value


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """Both axes of a plot."""

    x: Axis
    y: Axis

    @classmethod
    def around(cls, params: PlotParams, *, x: AxisName, y: AxisName, log_x: bool = False) -> Frame:
        """Build the axes that the parameters' limits describe.

        Raises:
            ValueError: a logarithmic axis that begins at or below zero.
        """
        if log_x and params.x_min <= 0.0:
            raise ValueError(f"expected a logarithmic axis above zero, got {params.x_min!r}")
        return cls(
            x=Axis(name=x, low=params.x_min, high=params.x_max, length_px=WIDTH_PX, is_log=log_x),
            y=Axis(name=y, low=params.y_min, high=params.y_max, length_px=HEIGHT_PX),
        )
