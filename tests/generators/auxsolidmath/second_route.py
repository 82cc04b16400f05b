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
DISCRETE = 1e-3


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


def _g19(p: Points, _: Any) -> float:
    """Find the height at which the ball touches the slant, then integrate the circles' areas."""
    from scipy.integrate import quad  # noqa: PLC0415 - only where a volume is asked
    from scipy.optimize import brentq  # noqa: PLC0415

    lower, upper = float(np.linalg.norm(p["B"] - p["O"])), float(np.linalg.norm(p["C"] - p["O1"]))

    def gap(height: float) -> float:
        along = np.array([upper - lower, height])
        across = np.array([-lower, height / 2])
        return abs(float(along[0] * across[1] - along[1] * across[0])) / float(np.hypot(*along)) - height / 2

    height = brentq(gap, 0.1, 100.0, xtol=1e-13)
    assert abs(height - p["O1"][2]) < SEARCHED
    return float(quad(lambda z: math.pi * (lower + (upper - lower) * z / height) ** 2, 0, height)[0])


def _g20(p: Points, _: Any) -> float:
    a, b, c = (float(np.linalg.norm(p[one] - p[other])) for one, other in ("PA", "PB", "AB"))
    half = (a + b + c) / 2
    return math.sqrt(half * (half - a) * (half - b) * (half - c))


def _g21(p: Points, _: Any) -> float:
    """Minimise a polyline that winds once round the cone, by how far down its corners lie."""
    from scipy.optimize import minimize  # noqa: PLC0415 - only where a length is minimised

    radius, height = float(np.linalg.norm(p["A"] - p["O"])), float(p["P"][2])
    turns = np.linspace(0, 2 * math.pi, 41)
    rays = np.stack([radius * np.cos(turns), radius * np.sin(turns), np.full(41, -height)], axis=1)

    def length(shares: Any) -> float:
        corners = rays * np.concatenate([[1.0], shares, [1.0]])[:, None]
        return float(np.linalg.norm(np.diff(corners, axis=0), axis=1).sum())

    return float(
        minimize(length, np.full(39, 0.9), method="L-BFGS-B", options={"maxfun": 10**6, "ftol": 1e-10}).fun
    )


def _g22(p: Points, _: Any) -> float:
    normal = np.cross(p["B"] - p["A"], p["O1"] - p["O"])
    return abs(float(normal @ (p["A"] - p["O"]))) / float(np.linalg.norm(normal))


def _s1(p: Points, _: Any) -> float:
    """Find the height on the axis that is as far from the base as from the generatrix."""
    from scipy.optimize import brentq  # noqa: PLC0415 - only where a root is sought

    along = p["A"] - p["P"]

    def gap(height: float) -> float:
        across = np.cross(np.array([0.0, 0.0, height]) - p["P"], along)
        return float(np.linalg.norm(across)) / float(np.linalg.norm(along)) - height

    return float(brentq(gap, 0.0, float(p["P"][2]), xtol=1e-13))


def _s3(p: Points, _: Any) -> float:
    return hull_volume([p[label] for label in "ABCD"])


ROUTES: dict[str, Route] = {
    "G02": Route(_g02),
    "G09": Route(_g09, SEARCHED),
    "G19": Route(_g19, SEARCHED),
    "G20": Route(_g20),
    "G21": Route(_g21, DISCRETE),
    "G22": Route(_g22),
    "S1": Route(_s1),
    "S3": Route(_s3),
}
"""CALCULATION families; claims are tested by their facts."""

__all__ = ["ROUTES", "Points", "Route", "arrays"]
