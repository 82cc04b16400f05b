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

if TYPE_CHECKING:
    from generators.plotchain.v5.frame import Axis

__all__ = ["READING_PX", "Kind", "Reading", "crossing", "difference", "extremum", "level", "ratio", "slope"]

READING_PX: Final = 4.5
_STRICT_SHARE = 0.5
_SHOWN_DIGITS = 6
_GRAINS = 50.0

Kind = Literal["level", "level at a mark", "crossing", "extremum", "difference", "slope", "ratio"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
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


def level(axis: Axis, value: float, *, base: float = 1.0, slope_px: float = 0.0) -> Reading:
    """Read one place on an axis.

    Args:
        axis: the axis read from.
        value: the place, in axis units.
        base: base units in one axis unit.
        slope_px: where a sloping curve is read at a mark: the curve's slope, px/px; the mark is read too.
    """
    sensitivities = _on(axis, base, (1.0, slope_px) if slope_px else (1.0,))
    kind: Kind = "level at a mark" if slope_px else "level"
    return Reading(value=value * base, kind=kind, sensitivities=sensitivities, in_decades=axis.is_log)


def crossing(
    axis: Axis, value: float, *, slope_px: float, levels: tuple[float, ...] = (), base: float = 1.0
) -> Reading:
    """Read along the x axis where a curve crosses a level.

    Args:
        axis: the x axis.
        value: the crossing, in axis units.
        slope_px: the curve's slope there, px/px.
        levels: share of the crossed level that hangs on each level to be read as well.
        base: base units in one axis unit.
    """
    shares = (1.0, *(share / abs(slope_px) for share in (1.0, *levels)))
    return Reading(
        value=value * base, kind="crossing", sensitivities=_on(axis, base, shares), in_decades=axis.is_log
    )


def extremum(axis: Axis, value: float, *, half_width_px: float, base: float = 1.0) -> Reading:
    """Read along the x axis where a curve is highest or lowest.

    Args:
        axis: the x axis, linear.
        value: the place, in axis units.
        half_width_px: how far on either side the curve stays within 1 px of its extreme.
        base: base units in one axis unit.
    """
    return Reading(
        value=value * base,
        kind="extremum",
        sensitivities=_on(axis, base, (1.0, half_width_px / READING_PX)),
    )


def difference(axis: Axis, value: float, *, shares: tuple[float, ...] = (1.0, 1.0), base: float = 1.0) -> Reading:
    """Read a length along a linear axis; `shares` weigh the readings, in px of length a px of reading."""
    return Reading(value=value * base, kind="difference", sensitivities=_on(axis, base, shares))


def slope(value: float, *, rise_px: float, run_px: float) -> Reading:
    """Read a slope off the two ends of a straight piece, `rise_px` and `run_px` apart."""
    shares = (1.0 / rise_px, 1.0 / rise_px, 1.0 / run_px, 1.0 / run_px)
    return Reading(value=value, kind="slope", sensitivities=tuple(abs(value * share) for share in shares))


def ratio(value: float, sensitivities: tuple[float, ...], *, in_decades: bool = False) -> Reading:
    """Compute a value from readings; `sensitivities` are the formula's partial derivatives, a pixel each."""
    return Reading(value=value, kind="ratio", sensitivities=sensitivities, in_decades=in_decades)


def _on(axis: Axis, base: float, shares: tuple[float, ...]) -> tuple[float, ...]:
    per_px = axis.per_px if axis.is_log else axis.per_px * base
    return tuple(abs(per_px * share) for share in shares)
