"""What the scores of all tasks share: the tasks, the thresholds, typed values out of an item's truth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "TASKS",
    "THRESHOLDS",
    "Metrics",
    "Task",
    "Thresholds",
    "TrueDot",
    "dots_of",
    "number_of",
    "optional_number",
    "text_of",
    "whole_of",
]

Task = Literal["COUNT", "LOCATE", "PATTERN", "SIZE", "DEFECT", "SPACING", "REGULARITY"]

TASKS: tuple[Task, ...] = get_args(Task)

Metrics = dict[str, bool | int | float | str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """What a passing answer may miss the truth by; bounds are inclusive.

    | task | passes when |
    |---|---|
    | COUNT | the count is exact |
    | PATTERN, REGULARITY | the label is the truth |
    | SIZE, SPACING | every length within `length_rel` of the truth |
    | LOCATE | F1 at least `locate_f1` |
    | DEFECT | the verdict is right, and both counts within `defect_count` |

    A predicted position counts for a dot within one dot diameter, at most `locate_share` of the lattice spacing
    or, without a lattice, of sqrt(area / count).
    """

    count_within: int = 2
    length_rel: float = 0.20
    locate_f1: float = 0.9
    locate_share: float = 0.25
    defect_count: int = 1


THRESHOLDS = Thresholds()


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
