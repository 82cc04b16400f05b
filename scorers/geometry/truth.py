"""Taking typed values out of an item's truth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["TrueDot", "dots_of", "number_of", "optional_number", "text_of", "whole_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrueDot:
    """A dot's centre and diameter in micrometres from the top left corner, y downwards."""

    x_um: float
    y_um: float
    diameter_um: float


def dots_of(truth: Mapping[str, object]) -> tuple[TrueDot, ...]:
    """Return the dots.

    Raises:
        TypeError: `dots` is no list of objects with these numbers.
    """
    dots = truth["dots"]
    if not isinstance(dots, list):
        raise TypeError(f"expected the truth's dots as a list, got {dots!r}")
    return tuple(
        TrueDot(
            x_um=number_of(dot, "x_um"), y_um=number_of(dot, "y_um"), diameter_um=number_of(dot, "diameter_um")
        )
        for dot in dots
    )


def optional_number(truth: Mapping[str, object], name: str) -> float | None:
    """Return a number, or None when it is absent or null.

    Raises:
        TypeError: it is something else.
    """
    return None if truth.get(name) is None else number_of(truth, name)


def number_of(truth: Mapping[str, object], name: str) -> float:
    """Return a number.

    Raises:
        TypeError: it is absent or no number.
    """
    value = truth.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"expected the truth's {name} as a number, got {value!r}")
    return value


def whole_of(truth: Mapping[str, object], name: str) -> int:
    """Return a whole number.

    Raises:
        TypeError: it is absent or no whole number.
    """
    value = number_of(truth, name)
    if not isinstance(value, int):
        raise TypeError(f"expected the truth's {name} as a whole number, got {value!r}")
    return value


def text_of(truth: Mapping[str, object], name: str) -> str:
    """Return a text.

    Raises:
        TypeError: it is absent or no text.
    """
    value = truth.get(name)
    if not isinstance(value, str):
        raise TypeError(f"expected the truth's {name} as a text, got {value!r}")
    return value
