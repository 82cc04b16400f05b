"""Each family's answer once more, by another way than its formula: from coordinates, by search or by integration.

Every route takes the named points of a problem's figure and the family's parameters. Coordinates in turn are
checked against the sizes that the problem gives.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Points = dict[str, np.ndarray[Any, Any]]

EXACT = 1e-9
SEARCHED = 1e-7


@dataclass(frozen=True)
class Route:
    compute: Callable[[Points, Any], float]
    tolerance: float = EXACT


def arrays(points: Mapping[str, tuple[float, float, float]]) -> Points:
    return {label: np.array(place) for label, place in points.items()}


def angle_at(p: Points, arm: str, vertex: str, other: str) -> float:
    u, v = p[arm] - p[vertex], p[other] - p[vertex]
    return math.atan2(float(np.linalg.norm(np.cross(u, v))), float(u @ v))


def foot_by_search(point: Any, start: Any, end: Any) -> Any:
    """Return the nearest point of a line, by golden-section search."""
    low, high = -10.0, 10.0
    ratio = (math.sqrt(5) - 1) / 2
    for _ in range(90):
        first, second = high - ratio * (high - low), low + ratio * (high - low)
        if np.linalg.norm(start + first * (end - start) - point) < np.linalg.norm(
            start + second * (end - start) - point
        ):
            high = second
        else:
            low = first
    return start + (low + high) / 2 * (end - start)


def dihedral(p: Points, edge: str, faces: str) -> float:
    """Return the angle between the half-planes of an edge through two points, by feet found by search."""
    start, end = (p[label] for label in edge)
    arms = [p[label] - foot_by_search(p[label], start, end) for label in faces]
    u, v = (arm / np.linalg.norm(arm) for arm in arms)
    return math.atan2(float(np.linalg.norm(np.cross(u, v))), float(u @ v))


def hull_volume(points: list[Any]) -> float:
    from scipy.spatial import ConvexHull  # noqa: PLC0415 - only where a volume is asked

    return float(ConvexHull(np.array(points)).volume)


def _g02(p: Points, _: Any) -> float:
    rise, run = abs(p["C1"][2] - p["A"][2]), math.hypot(*(p["C1"] - p["A"])[:2])
    return math.sin(math.atan2(rise, run))


def _g09(p: Points, _: Any) -> float:
    return math.cos(dihedral(p, "PC", "BD"))


ROUTES: dict[str, Route] = {
    "G02": Route(_g02),
    "G09": Route(_g09, SEARCHED),
}
"""CALCULATION families; claims are tested by their facts."""

__all__ = ["ROUTES", "Points", "Route", "arrays"]
