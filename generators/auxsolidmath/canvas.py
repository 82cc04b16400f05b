"""Where a projected figure lies in the picture: size in pixels, scale and place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["Canvas", "Px", "fit"]

Px = tuple[float, float]
"""A place in the picture: x to the right, y downwards from the top left corner, in pixels."""

_MARGIN_PX = 52
_WIDTHS_PX = (480, 640)
_ROOM_PX = (500.0, 430.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Canvas:
    """A picture's size, pixels a unit of the figure, and the pixel of the paper's origin."""

    width_px: int
    height_px: int
    scale: float
    origin_px: Px

    def place(self, point: tuple[float, float]) -> Px:
        """Return the pixel of a point of the paper."""
        return self.origin_px[0] + self.scale * point[0], self.origin_px[1] - self.scale * point[1]


def fit(paper: Iterable[tuple[float, float]]) -> Canvas:
    """Return a canvas that holds points of the paper with a margin for labels."""
    places: Sequence[tuple[float, float]] = list(paper)
    left, right = min(x for x, _ in places), max(x for x, _ in places)
    low, high = min(y for _, y in places), max(y for _, y in places)
    scale = min(_ROOM_PX[0] / (right - left), _ROOM_PX[1] / (high - low))
    width = min(max(round(scale * (right - left)) + 2 * _MARGIN_PX, _WIDTHS_PX[0]), _WIDTHS_PX[1])
    height = round(scale * (high - low)) + 2 * _MARGIN_PX
    return Canvas(
        width_px=width,
        height_px=height,
        scale=scale,
        origin_px=(width / 2 - scale * (left + right) / 2, height / 2 + scale * (low + high) / 2),
    )
