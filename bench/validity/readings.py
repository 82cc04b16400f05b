"""Which places on a picture a field is read from, and how many pixels its tolerance leaves for each.

A field's value is a formula of readings: values read off an axis, each at a place in pixels. Two figures say how
fine the reading must be, both for an answer that still passes:

* `one`: by how many pixels the most sensitive reading may be off when all others are exact;
* `all`: by how many pixels every reading may be off at once, each in its worst direction.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from generators.plotchain.drawn_axes import AxisName, DrawnAxes

__all__ = ["FieldReading", "PixelTolerance", "Reading", "passes_at", "pixel_tolerance"]

MOST_PX = 2000.0
"""No tolerance is given above this: it is wider than any picture."""

_HALVINGS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A value on an axis that must be read; no `is_place` when it only corrects another (a crossing's level)."""

    axis: AxisName
    value: float
    is_place: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldReading:
    """A field's readings, and its value as a formula of what was read (same order).

    The formula may raise ArithmeticError or ValueError where readings make no sense; such an answer fails.
    `is_shape` says that the value is a pure number of the curve's shape, for which the axes do not matter.
    """

    readings: tuple[Reading, ...]
    formula: Callable[[Sequence[float]], float]
    is_shape: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PixelTolerance:
    """Pixels that a passing answer may be off: the most sensitive reading alone, and all readings together."""

    one_px: float
    all_px: float


def pixel_tolerance(field: FieldReading, axes: DrawnAxes, passes: Callable[[float], bool]) -> PixelTolerance:
    """Find both figures by bisection; formulas are monotone in each reading near the truth, so corners suffice.

    A field whose exact readings do not give a passing answer (its truth is rounded too coarsely) gets 0.

    Args:
        field: the field.
        axes: the drawn axes.
        passes: whether an answer passes.
    """
    places = [axes.named(reading.axis).place_px(reading.value) for reading in field.readings]

    def holds(shifts: Sequence[float]) -> bool:
        shifted = [place + shift for place, shift in zip(places, shifts, strict=True)]
        return passes_at(field, [axes] * len(shifted), shifted, passes)

    count = len(places)
    alone = [
        [sign if place == moved else 0.0 for place in range(count)]
        for moved in range(count)
        for sign in (-1.0, 1.0)
    ]
    together = [list(signs) for signs in itertools.product((-1.0, 1.0), repeat=count)]
    return PixelTolerance(
        one_px=min(_widest(holds, direction) for direction in alone),
        all_px=min(_widest(holds, direction) for direction in together),
    )


def passes_at(
    field: FieldReading,
    axes: Sequence[DrawnAxes],
    places_px: Sequence[float],
    passes: Callable[[float], bool],
) -> bool:
    """Whether readings at these places, each on axes of its own, give a passing answer."""
    values = [
        on.named(reading.axis).value_at(place)
        for reading, on, place in zip(field.readings, axes, places_px, strict=True)
    ]
    try:
        answer = field.formula(values)
    except (ArithmeticError, ValueError):
        return False
    return math.isfinite(answer) and passes(answer)


def _widest(holds: Callable[[Sequence[float]], bool], direction: Sequence[float]) -> float:
    """Return the largest step along a direction up to which every answer passes, to a thousandth of a pixel."""
    if not holds([0.0] * len(direction)):
        return 0.0
    low, high = 0.0, 0.25
    while holds([high * part for part in direction]):
        low, high = high, 2 * high
        if high > MOST_PX:
            return MOST_PX
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if holds([middle * part for part in direction]) else (low, middle)
        if high - low < 0.001:  # noqa: PLR2004
            break
    return low
