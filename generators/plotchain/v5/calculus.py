"""Slope and flatness of a curve that is given in pixels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generators.plotchain.numeric import np

if TYPE_CHECKING:
    from collections.abc import Callable

    from generators.plotchain.numeric import FloatArray

    PixelCurve = Callable[[FloatArray], FloatArray]

__all__ = ["half_width_px", "slope_px"]

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
