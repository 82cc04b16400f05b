"""Where ticks stand and what is written there, by difficulty."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from generators.plotchain.family import Difficulty
    from generators.plotchain.v5.frame import Axis, Frame

__all__ = ["LABEL_SIZE_PT", "Ticks", "linear_ticks", "log_ticks", "tick_text", "ticks_of"]

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
class Ticks:
    """Labelled ticks and minor ticks of one axis, in axis units; `step` is None on a logarithmic axis."""

    values: tuple[float, ...]
    labels: tuple[str, ...]
    minor: tuple[float, ...]
    step: float | None


def ticks_of(frame: Frame, difficulty: Difficulty) -> tuple[Ticks, Ticks]:
    """Return the ticks of the x and the y axis."""
    columns, rows = _INTERVALS[difficulty]
    has_minor = difficulty == "clean"
    x = (
        log_ticks(frame.x, difficulty)
        if frame.x.is_log
        else linear_ticks(frame.x, intervals=columns, has_minor=has_minor, side_by_side=True)
    )
    return x, linear_ticks(frame.y, intervals=rows, has_minor=has_minor, side_by_side=False)


def linear_ticks(axis: Axis, *, intervals: int, has_minor: bool, side_by_side: bool) -> Ticks:
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
    return Ticks(values=values, labels=labels, minor=minor, step=step)


def log_ticks(axis: Axis, difficulty: Difficulty) -> Ticks:
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
    return Ticks(
        values=values,
        labels=tuple(map(_log_text, values)),
        minor=() if difficulty == "edge" else minor,
        step=None,
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
    return _LABEL_EM_PX * sum(_WIDTHS_EM.get(letter, _advance_em(letter)) for letter in label)


def _advance_em(letter: str) -> float:
    return _DIGIT_EM if letter.isascii() else _SUPERSCRIPT_EM
