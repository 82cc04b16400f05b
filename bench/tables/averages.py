"""Means, medians and percentiles over values that may be missing."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["mean", "percentile", "rate"]


def mean(values: Iterable[float | None]) -> float | None:
    """Return the mean of the values that are there; None without one.

    Divided before they are added: a model may answer 1e308 more than once.
    """
    present = [value for value in values if value is not None]
    return math.fsum(value / len(present) for value in present) if present else None


def rate(flags: Iterable[bool]) -> float | None:
    """Return the share of true flags; None without a flag."""
    seen = list(flags)
    return sum(seen) / len(seen) if seen else None


def percentile(values: Iterable[float | None], percent: float) -> float | None:
    """Return a percentile (0 to 100) of the values that are there; None without one.

    Linear interpolation between order statistics at place (n - 1) * percent / 100, counted from 0:
    method 7 of Hyndman and Fan (1996), NumPy's default.
    """
    present = sorted(value for value in values if value is not None)
    if not present:
        return None
    place = (len(present) - 1) * percent / 100
    below = math.floor(place)
    above = min(below + 1, len(present) - 1)
    return present[below] + (present[above] - present[below]) * (place - below)
