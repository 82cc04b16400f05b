"""Where a function changes sign, by halving alone: a route to a value that needs no formula for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["bisect"]

_HALVINGS = 200


def bisect(function: Callable[[float], float], low: float, high: float) -> float:
    """Find where a function changes sign between two points, to the last bit or 2^-200 of their distance.

    The signs at the two points must differ; the function may rise or fall.
    """
    sign = function(low) > 0.0
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        if (function(middle) > 0.0) == sign:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)
