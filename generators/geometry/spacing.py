"""The spacing of a lattice, from its positions."""

from __future__ import annotations

import math
import statistics
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generators.geometry.arrangement import Dot

__all__ = ["nearest_distance_um"]


def nearest_distance_um(dots: Sequence[Dot]) -> float | None:
    """Return the median distance from a dot to its nearest neighbour, rounded to 0.01 um; None below two dots."""
    nearest = [
        min(math.hypot(dot.x_um - other.x_um, dot.y_um - other.y_um) for other in dots if other is not dot)
        for dot in dots
        if len(dots) > 1
    ]
    return round(statistics.median(nearest), 2) if nearest else None
