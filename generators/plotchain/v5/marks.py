"""What is drawn besides the curve, as data: lines across the axes with a letter outside, and dots."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Dot", "Line", "Look", "Mark", "horizontal", "vertical", "zero_lines"]

Look = Literal["dotted", "dashed", "zero"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line across the whole axes at a pixel; the letter stands beyond its end, above or right of the axes."""

    at_px: float
    is_vertical: bool
    look: Look
    letter: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Dot:
    """A dot at a place in pixels."""

    x_px: float
    y_px: float


Mark = Line | Dot


def vertical(x_px: float, look: Look = "dotted", letter: str = "") -> Line:
    """Mark a place on the x axis."""
    return Line(at_px=x_px, is_vertical=True, look=look, letter=letter)


def horizontal(y_px: float, look: Look = "dotted", letter: str = "") -> Line:
    """Mark a level on the y axis."""
    return Line(at_px=y_px, is_vertical=False, look=look, letter=letter)


def zero_lines(x_px: float, y_px: float) -> tuple[Line, Line]:
    """Mark where both axes are zero."""
    return vertical(x_px, "zero"), horizontal(y_px, "zero")
