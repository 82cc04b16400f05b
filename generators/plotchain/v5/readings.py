"""How exactly a field can be read: its tolerance follows from the readings that it needs.

One reading from the picture is good to 4.5 px: 1/180 of the axes' width, 1/96 of their height. The
tolerance is the root of the sum of squares of 4.5 px times the field's sensitivity to each reading; under
the strict policy it is half of that. With at most five readings at least 2 px are left for each even when
all err at once in the worst direction. Sensitivities are in field units a pixel, or in decades a pixel where
the value is read from a logarithmic axis or through a logarithm.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from generators.plotchain.numeric import np

if TYPE_CHECKING:
    from collections.abc import Callable

    from generators.plotchain.numeric import FloatArray
    from generators.plotchain.v5.axes import Axis

    PixelCurve = Callable[[FloatArray], FloatArray]

__all__ = [
    "READING_PX",
    "ExactReading",
    "Kind",
    "crossing",
    "difference",
    "extremum",
    "half_width_px",
    "level",
    "ratio",
    "slope",
    "slope_px",
]

READING_PX: Final = 4.5
_STRICT_SHARE = 0.5
_SHOWN_DIGITS = 6
_GRAINS = 50.0

Kind = Literal["level", "level at a mark", "crossing", "extremum", "difference", "slope", "ratio"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExactReading:
    """A field's exact value, in its own unit, with its sensitivity to every reading that it needs.

    Raises:
        ValueError: no reading, or a value or sensitivity that is not finite.
    """

    value: float
    kind: Kind
    sensitivities: tuple[float, ...]
    in_decades: bool = False

    def __post_init__(self) -> None:
        if not self.sensitivities or not all(map(math.isfinite, (self.value, *self.sensitivities))):
            raise ValueError(
                f"expected finite value and sensitivities, got {self.value!r}, {self.sensitivities!r}"
            )

    @property
    def plotread(self) -> float:
        """Largest error that passes, in field units, to six digits."""
        reach = READING_PX * math.hypot(*self.sensitivities)
        exact = abs(self.value) * (10.0**reach - 1.0) if self.in_decades else reach
        return float(f"{exact:.{_SHOWN_DIGITS}g}")

    @property
    def strict(self) -> float:
        """Largest error that passes under the strict policy."""
        return self.plotread * _STRICT_SHARE

    @property
    def decimals(self) -> int:
        """Fewest decimals of which a unit is at most a fiftieth of the tolerance; negative: tens, hundreds."""
        return math.ceil(math.log10(_GRAINS / self.plotread))

    @property
    def lone_px(self) -> float:
        """By how much the most sensitive reading may err when all others are exact."""
        return READING_PX * math.hypot(*self.sensitivities) / max(map(abs, self.sensitivities))

    @property
    def joint_px(self) -> float:
        """By how much all readings may err at once in the worst direction."""
        return READING_PX * math.hypot(*self.sensitivities) / sum(map(abs, self.sensitivities))


def level(axis: Axis, value: float, *, slope_px: float = 0.0) -> ExactReading:
    """Read one place on an axis.

    Args:
        axis: the axis read from.
        value: the place, in axis units.
        slope_px: where a sloping curve is read at a mark: the curve's slope, px/px; the mark is read too.
    """
    sensitivities = _on(axis, (1.0, slope_px) if slope_px else (1.0,))
    kind: Kind = "level at a mark" if slope_px else "level"
    return ExactReading(value=value * axis.base, kind=kind, sensitivities=sensitivities, in_decades=axis.is_log)


def crossing(axis: Axis, value: float, *, slope_px: float, levels: tuple[float, ...] = ()) -> ExactReading:
    """Read along the x axis where a curve crosses a level.

    Args:
        axis: the x axis.
        value: the crossing, in axis units.
        slope_px: the curve's slope there, px/px.
        levels: share of the crossed level that hangs on each level to be read as well.
    """
    shares = (1.0, *(share / abs(slope_px) for share in (1.0, *levels)))
    return ExactReading(
        value=value * axis.base, kind="crossing", sensitivities=_on(axis, shares), in_decades=axis.is_log
    )


def extremum(axis: Axis, value: float, *, half_width_px: float) -> ExactReading:
    """Read along the x axis where a curve is highest or lowest.

    Args:
        axis: the x axis, linear.
        value: the place, in axis units.
        half_width_px: how far on either side the curve stays within 1 px of its extreme.
    """
    return ExactReading(
        value=value * axis.base, kind="extremum", sensitivities=_on(axis, (1.0, half_width_px / READING_PX))
    )


def difference(axis: Axis, value: float, *, shares: tuple[float, ...] = (1.0, 1.0)) -> ExactReading:
    """Read a length along a linear axis; `shares` weigh the readings, in px of length a px of reading."""
    return ExactReading(value=value * axis.base, kind="difference", sensitivities=_on(axis, shares))


def slope(value: float, *, rise_px: float, run_px: float) -> ExactReading:
    """Read a slope off the two ends of a straight piece, `rise_px` and `run_px` apart."""
    shares = (1.0 / rise_px, 1.0 / rise_px, 1.0 / run_px, 1.0 / run_px)
    return ExactReading(value=value, kind="slope", sensitivities=tuple(abs(value * share) for share in shares))


def ratio(value: float, sensitivities: tuple[float, ...], *, in_decades: bool = False) -> ExactReading:
    """Compute a value from readings; `sensitivities` are the formula's partial derivatives, a pixel each."""
    return ExactReading(value=value, kind="ratio", sensitivities=sensitivities, in_decades=in_decades)


def _on(axis: Axis, shares: tuple[float, ...]) -> tuple[float, ...]:
    per_px = axis.per_px if axis.is_log else axis.per_px * axis.base
    return tuple(abs(per_px * share) for share in shares)


_STEP_PX = 1e-3
_DEPTH_PX = 1.0
_ROUNDS, _GRID = 3, 1001


def slope_px(curve: PixelCurve, x_px: float) -> float:
    """Return a curve's slope at a place, in pixels a pixel, by central difference."""
    low, high = curve(np.array([x_px - _STEP_PX, x_px + _STEP_PX]))
    return float(high - low) / (2.0 * _STEP_PX)


def half_width_px(curve: PixelCurve, peak_px: float, *, left_px: float, right_px: float) -> float:
    """Return how far from an extreme the curve stays within 1 px of it: the mean of both sides.

    The curve must depart steadily from its extreme between `left_px` and `right_px`; a side on which it never
    departs by 1 px counts whole.
    """
    return 0.5 * (_reach_px(curve, peak_px, left_px) + _reach_px(curve, peak_px, right_px))


def _reach_px(curve: PixelCurve, peak_px: float, end_px: float) -> float:
    """Narrow down on ever finer grids where the curve has departed."""
    peak = curve(np.array([peak_px]))[0]
    near, far = peak_px, end_px
    for _ in range(_ROUNDS):
        places = np.linspace(near, far, _GRID)
        departed = np.abs(curve(places) - peak) >= _DEPTH_PX
        if not departed.any():
            return abs(far - peak_px)
        first = int(departed.argmax())
        near, far = float(places[first - 1]), float(places[first])
    return abs(far - peak_px)
