"""Points and directions in space: tuples of three floats, in the figure's own units."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "Vec",
    "add",
    "centroid",
    "cross",
    "distance",
    "dot",
    "foot_on_line",
    "foot_on_plane",
    "norm",
    "plane_normal",
    "point_between",
    "scaled",
    "sub",
    "unit",
]

Vec = tuple[float, float, float]


def add(a: Vec, b: Vec) -> Vec:
    """Return a + b."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def sub(a: Vec, b: Vec) -> Vec:
    """Return a − b, the direction from b to a."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def scaled(a: Vec, factor: float) -> Vec:
    """Return a times a number."""
    return a[0] * factor, a[1] * factor, a[2] * factor


def dot(a: Vec, b: Vec) -> float:
    """Return the scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vec, b: Vec) -> Vec:
    """Return the vector product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def norm(a: Vec) -> float:
    """Return the length."""
    return math.sqrt(dot(a, a))


def distance(a: Vec, b: Vec) -> float:
    """Return the distance of two points."""
    return norm(sub(a, b))


def unit(a: Vec) -> Vec:
    """Return the direction of length 1; ZeroDivisionError for the zero vector."""
    return scaled(a, 1 / norm(a))


def point_between(a: Vec, b: Vec, share: float = 0.5) -> Vec:
    """Return the point of line ab at `share` of the way: 0 is a, 1/2 the midpoint, 1 is b."""
    return add(a, scaled(sub(b, a), share))


def centroid(points: Sequence[Vec]) -> Vec:
    """Return the mean of at least one point."""
    total = (0.0, 0.0, 0.0)
    for point in points:
        total = add(total, point)
    return scaled(total, 1 / len(points))


def plane_normal(a: Vec, b: Vec, c: Vec) -> Vec:
    """Return the unit normal of plane abc; ZeroDivisionError when the points are collinear."""
    return unit(cross(sub(b, a), sub(c, a)))


def foot_on_line(p: Vec, a: Vec, b: Vec) -> Vec:
    """Return the foot of the perpendicular from p to line ab."""
    along = sub(b, a)
    return add(a, scaled(along, dot(sub(p, a), along) / dot(along, along)))


def foot_on_plane(p: Vec, a: Vec, b: Vec, c: Vec) -> Vec:
    """Return the foot of the perpendicular from p to plane abc."""
    normal = plane_normal(a, b, c)
    return sub(p, scaled(normal, dot(sub(p, a), normal)))
