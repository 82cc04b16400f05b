"""NumPy at first use, rounding as NumPy does it, tick steps, and bisection.

Listing items, loading records and building prompts need no arrays, and must not pay for importing NumPy:
family modules therefore take `np` from here.
"""

from __future__ import annotations

import importlib
import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["bisect", "nice_step", "np", "round_half_even", "span"]


if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    FloatArray = NDArray[np.float64]
else:

    class _NumpyAtFirstUse:
        """Stands for the `numpy` module and imports it when an attribute is asked for."""

        def __getattr__(self, name: str) -> object:
            return getattr(importlib.import_module("numpy"), name)

    np = _NumpyAtFirstUse()


def round_half_even(value: float, decimals: int) -> float:
    """Round as NumPy does: scale by a power of ten, round half to even, scale back.

    Python's `round(value, decimals)` rounds the exact binary value instead and differs on ties: 0.0125
    (five periods of 1/80 s) becomes 0.012 here and 0.013 there. Negative `decimals` round to tens, hundreds.
    """
    if decimals < 0:
        grain = 10.0**-decimals
        return float(round(value / grain)) * grain
    scale = 10.0**decimals
    return float(round(value * scale)) / scale


def nice_step(extent: float, intervals: int) -> float:
    """Smallest of 1, 2, 5, 10 times a power of ten that is not below `extent / intervals`.

    `extent` is a positive axis length in any unit; the step has the same unit.
    """
    raw = extent / intervals
    magnitude = 10.0 ** math.floor(math.log10(raw))
    return next(factor for factor in (1, 2, 5, 10) if raw / magnitude <= factor) * magnitude


def span(values: FloatArray) -> tuple[float, float]:
    """Smallest and largest value of an array, as plain floats."""
    return float(values.min()), float(values.max())


def bisect(function: Callable[[float], float], low: float, high: float, *, halvings: int = 200) -> float:
    """Find where a function changes sign between two points, to the last bit or 2^-halvings of their distance.

    The signs at the two points must differ; the function may rise or fall.
    """
    sign = function(low) > 0.0
    for _ in range(halvings):
        middle = 0.5 * (low + high)
        if (function(middle) > 0.0) == sign:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)
