"""Axes of edition v5: their units, where values stand in pixels, where ticks stand and what is written there."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypedDict

from generators.plotchain.family import PixelBox
from generators.plotchain.numeric import np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from generators.plotchain.family import Difficulty
    from generators.plotchain.numeric import FloatArray

__all__ = [
    "AXES_BOX",
    "CURRENT",
    "FREQUENCY",
    "HEIGHT_PX",
    "LABEL_SIZE_PT",
    "POLE",
    "STRAIN",
    "TIME",
    "TORQUE",
    "VOLTAGE",
    "WAVE_VOLTAGE",
    "WIDTH_PX",
    "Axis",
    "AxisLabel",
    "AxisTicks",
    "Frame",
    "PlotParams",
    "in_base_unit",
    "linear_ticks",
    "log_ticks",
    "tick_text",
    "ticks_of",
]

Units = MappingProxyType[str, float]

TIME: Units = MappingProxyType({"s": 1.0, "ms": 1e-3, "µs": 1e-6})
FREQUENCY: Units = MappingProxyType({"Hz": 1.0, "kHz": 1e3, "MHz": 1e6})
VOLTAGE: Units = MappingProxyType({"mV": 1e-3, "V": 1.0})
WAVE_VOLTAGE: Units = MappingProxyType({"mV": 1e-3, "V": 1.0, "kV": 1e3})
CURRENT: Units = MappingProxyType({"µA": 1e-6, "mA": 1e-3, "A": 1.0})
TORQUE: Units = MappingProxyType({"mN·m": 1e-3, "N·m": 1.0, "kN·m": 1e3})
POLE: Units = MappingProxyType({"rad/s": 1.0, "krad/s": 1e3})
STRAIN: Units = MappingProxyType({"1": 1.0, "%": 1e-2})


def in_base_unit(units: Mapping[str, float], symbol: str) -> float:
    """Return how many base units one unit of that symbol is.

    Raises:
        ValueError: no such unit among those allowed.
    """
    if symbol not in units:
        raise ValueError(f"expected one of the units {', '.join(units)}, got {symbol!r}")
    return units[symbol]


AXES_BOX: Final = PixelBox(left=112, bottom=88, width=810, height=432)
WIDTH_PX: Final = float(AXES_BOX.width)
HEIGHT_PX: Final = float(AXES_BOX.height)


class AxisLimits(TypedDict):
    """The limits of both axes, as arguments of `PlotParams`."""

    x_min: float
    x_max: float
    y_min: float
    y_max: float


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

    @staticmethod
    def limits(x: tuple[float, float], y: tuple[float, float]) -> AxisLimits:
        """Return the limits as arguments, from both ranges, low and high."""
        return AxisLimits(x_min=x[0], x_max=x[1], y_min=y[0], y_max=y[1])


@dataclass(frozen=True, slots=True)
class AxisLabel:
    """Quantity and unit as written along an axis; a unit of "1" is not written.

    `units` are those that may stand there, each with its size in the unit that fields are asked in; None: this
    one alone.
    """

    quantity: str
    unit: str
    units: Mapping[str, float] | None = None

    @property
    def text(self) -> str:
        """The axis name."""
        return self.quantity if self.unit == "1" else f"{self.quantity} ({self.unit})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """One axis: limits in its unit, drawn over `length_px`, linear or logarithmic."""

    name: AxisLabel
    low: float
    high: float
    length_px: float
    is_log: bool = False

    @property
    def base(self) -> float:
        """Units that fields are asked in, in one unit of the axis.

        Raises:
            ValueError: the label shows a unit that is not among those allowed.
        """
        return 1.0 if self.name.units is None else in_base_unit(self.name.units, self.name.unit)

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
    def around(cls, params: PlotParams, x: AxisLabel, y: AxisLabel, *, log_x: bool = False) -> Frame:
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


LABEL_SIZE_PT: Final = 9.0
_LABEL_EM_PX = LABEL_SIZE_PT * 160.0 / 72.0
_GAP_PX = 10.0
# Advance widths of DejaVu Sans, in em; a digit's stands for every other character.
_WIDTHS_EM: Mapping[str, float] = MappingProxyType({".": 0.318, "−": 0.838, "⁻": 0.53})
_DIGIT_EM = 0.636
_SUPERSCRIPT_EM = 0.40
_SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_STEPS = (1.0, 2.0, 2.5, 5.0)
_INTERVALS: Final[Mapping[Difficulty, tuple[int, int]]] = {"clean": (9, 8), "moderate": (6, 5), "edge": (4, 3)}
_MINOR_PARTS = 5
_DECADES_ALONE_OVER: Final[Mapping[Difficulty, float]] = {"clean": 4.2, "moderate": 2.5, "edge": 1.5}
_MANTISSAS: Final[Mapping[Difficulty, tuple[int, ...]]] = {"clean": (1, 2, 5), "moderate": (1, 3), "edge": (1, 5)}
_FIRST_POWER_EXPONENT = 4
_FEWEST_LABELS = 2
_SLACK = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class AxisTicks:
    """Labelled ticks and minor ticks of one axis, in axis units; `step` is None on a logarithmic axis."""

    values: tuple[float, ...]
    labels: tuple[str, ...]
    minor: tuple[float, ...]
    step: float | None


def ticks_of(frame: Frame, difficulty: Difficulty) -> tuple[AxisTicks, AxisTicks]:
    """Return the ticks of the x and the y axis."""
    columns, rows = _INTERVALS[difficulty]
    has_minor = difficulty == "clean"
    x = (
        log_ticks(frame.x, difficulty)
        if frame.x.is_log
        else linear_ticks(frame.x, intervals=columns, has_minor=has_minor, side_by_side=True)
    )
    return x, linear_ticks(frame.y, intervals=rows, has_minor=has_minor, side_by_side=False)


def linear_ticks(axis: Axis, *, intervals: int, has_minor: bool, side_by_side: bool) -> AxisTicks:
    """Put ticks at the multiples of a round step, about `intervals` apart.

    The step is the one of 1, 2, 2.5, 5, 10 times a power of ten that is nearest to span / intervals in log
    distance; where labels that stand `side_by_side` would touch, the next larger one.
    """
    span = axis.high - axis.low
    rank = _nearest_rank(span / intervals)
    while True:
        step = _step(rank)
        values = tuple(_multiple(step, count) for count in _counts(step, axis))
        labels = tuple(map(tick_text, values))
        if not side_by_side or _fit(axis, values, labels):
            break
        rank += 1
    parts = _counts(step / _MINOR_PARTS, axis) if has_minor else ()
    minor = tuple(_multiple(step / _MINOR_PARTS, count) for count in parts if count % _MINOR_PARTS)
    return AxisTicks(values=values, labels=labels, minor=minor, step=step)


def log_ticks(axis: Axis, difficulty: Difficulty) -> AxisTicks:
    """Label decades, and 1, 2, 5 (clean), 1, 3 (moderate) or 1, 5 (edge) in each where there is room.

    An axis with fewer than two decade ticks gets the finer labels, because one alone gives no scale.
    """
    decades = _marks(axis, (1,))
    finer = _marks(axis, _MANTISSAS[difficulty])
    span = math.log10(axis.high / axis.low)
    is_fine = span <= _DECADES_ALONE_OVER[difficulty] or len(decades) < _FEWEST_LABELS
    fits = _fit(axis, finer, tuple(map(_log_text, finer)))
    values = finer if is_fine and (fits or len(decades) < _FEWEST_LABELS) else decades
    shown = set(values)
    minor = tuple(value for value in _marks(axis, tuple(range(1, 10))) if value not in shown)
    return AxisTicks(
        values=values, labels=tuple(map(_log_text, values)), minor=() if difficulty == "edge" else minor, step=None
    )


def tick_text(value: float) -> str:
    """Write a tick's value: six digits at most, a true minus sign."""
    return f"{value:.6g}".replace("-", "−")


def _log_text(value: float) -> str:
    exponent = math.floor(math.log10(value) + _SLACK)
    if abs(exponent) < _FIRST_POWER_EXPONENT:
        return tick_text(value)
    mantissa = round(value / 10.0**exponent)
    power = "10" + str(exponent).translate(_SUPERSCRIPTS)
    return power if mantissa == 1 else f"{mantissa}·{power}"


def _nearest_rank(raw: float) -> int:
    """Return the rank of the step nearest to `raw`; steps are counted up from 1.0, rank 0."""
    first = len(_STEPS) * math.floor(math.log10(raw))
    return min(range(first, first + len(_STEPS) + 1), key=lambda rank: abs(math.log(_step(rank) / raw)))


def _step(rank: int) -> float:
    exponent, place = divmod(rank, len(_STEPS))
    return float(f"{_STEPS[place]}e{exponent}")


def _counts(step: float, axis: Axis) -> range:
    """Return which multiples of a step lie on an axis."""
    return range(math.ceil(axis.low / step - _SLACK), math.floor(axis.high / step + _SLACK) + 1)


def _multiple(step: float, count: int) -> float:
    return float(f"{step * count:.12g}")


def _marks(axis: Axis, mantissas: tuple[int, ...]) -> tuple[float, ...]:
    first, last = math.floor(math.log10(axis.low)), math.floor(math.log10(axis.high))
    candidates = (float(f"{mantissa}e{exponent}") for exponent in range(first, last + 1) for mantissa in mantissas)
    return tuple(value for value in candidates if axis.low <= value <= axis.high)


def _fit(axis: Axis, values: Sequence[float], labels: Sequence[str]) -> bool:
    """Whether labels side by side keep a gap."""
    widths = [_width_px(label) for label in labels]
    places = [axis.px(value) for value in values]
    boxes = [(place - width / 2.0, place + width / 2.0) for place, width in zip(places, widths, strict=True)]
    return all(left[1] + _GAP_PX <= right[0] for left, right in pairwise(boxes))


def _width_px(label: str) -> float:
    return _LABEL_EM_PX * sum(
        _WIDTHS_EM.get(letter, _DIGIT_EM if letter.isascii() else _SUPERSCRIPT_EM) for letter in label
    )
