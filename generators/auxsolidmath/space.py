"""Points, lines and convex bodies in space, and which parts of a line the bodies hide."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = [
    "Arc",
    "Body",
    "Frustum",
    "Polyhedron",
    "Polyline",
    "Segment",
    "Sphere",
    "Stroke",
    "StrokePiece",
    "Vec",
    "add",
    "centroid",
    "circle",
    "cross",
    "distance",
    "dot",
    "foot_on_line",
    "foot_on_plane",
    "hidden_at",
    "norm",
    "perpendicular_pair",
    "plane_normal",
    "point_between",
    "scaled",
    "split_by_visibility",
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


_CHORD_LIMIT = 1e9
_PARALLEL = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A straight stroke from `start` to `end`."""

    start: Vec
    end: Vec

    def at(self, share: float) -> Vec:
        """Return the point at a share of 0 to 1 of the way."""
        return point_between(self.start, self.end, share)


@dataclass(frozen=True, slots=True, kw_only=True)
class Arc:
    """Part of an ellipse: centre + cos φ · `first` + sin φ · `second`, φ from `start` to `end` in radians."""

    centre: Vec
    first: Vec
    second: Vec
    start: float = 0.0
    end: float = 2 * math.pi

    def at(self, share: float) -> Vec:
        """Return the point at a share of 0 to 1 of the angle."""
        angle = self.start + (self.end - self.start) * share
        return add(self.centre, add(scaled(self.first, math.cos(angle)), scaled(self.second, math.sin(angle))))


@dataclass(frozen=True, slots=True, kw_only=True)
class Polyline:
    """A curve through at least two points, straight between neighbours."""

    points: tuple[Vec, ...]

    def at(self, share: float) -> Vec:
        """Return the point at a share of 0 to 1 of the number of steps."""
        place = share * (len(self.points) - 1)
        step = min(int(place), len(self.points) - 2)
        return point_between(self.points[step], self.points[step + 1], place - step)


Stroke = Segment | Arc | Polyline


class Body(Protocol):
    """A convex body."""

    def chord(self, point: Vec, direction: Vec) -> float:
        """Return the length, in units of `direction`, of the ray from `point` that lies inside the body."""
        ...

    def strokes(self, towards_viewer: Vec) -> Sequence[Stroke]:
        """Return the lines that are drawn of the body, silhouettes included."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Polyhedron:
    """A convex polyhedron, given by its faces: plane polygons, corners in order round each."""

    faces: tuple[tuple[Vec, ...], ...]

    def chord(self, point: Vec, direction: Vec) -> float:
        """Return how far the ray runs inside: what all half-spaces leave of it."""
        enters, leaves = 0.0, _CHORD_LIMIT
        for outward, offset in _half_spaces(self.faces):
            height, rate = offset - dot(outward, point), dot(outward, direction)
            if abs(rate) < _PARALLEL:
                if height < _PARALLEL:  # along the face or outside of it
                    return 0.0
            elif rate > 0:
                leaves = min(leaves, height / rate)
            else:
                enters = max(enters, height / rate)
        return max(0.0, leaves - enters)

    def strokes(self, towards_viewer: Vec) -> Sequence[Stroke]:  # noqa: ARG002 - edges are the same from everywhere
        """Return the edges, each once."""
        pairs = {
            frozenset((face[at - 1], face[at])): (face[at - 1], face[at])
            for face in self.faces
            for at in range(len(face))
        }
        return [Segment(start=start, end=end) for start, end in pairs.values()]


@lru_cache(maxsize=256)
def _half_spaces(faces: tuple[tuple[Vec, ...], ...]) -> tuple[tuple[Vec, float], ...]:
    """Return the outward unit normal of each face and its product with the face's points."""
    inside = centroid([corner for face in faces for corner in face])
    spaces = []
    for face in faces:
        normal = plane_normal(face[0], face[1], face[2])
        outward = normal if dot(normal, sub(inside, face[0])) < 0 else scaled(normal, -1.0)
        spaces.append((outward, dot(outward, face[0])))
    return tuple(spaces)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sphere:
    """A sphere, drawn as its outline circle and, when `equator` is set, the horizontal great circle."""

    centre: Vec
    radius: float
    equator: bool = True

    def chord(self, point: Vec, direction: Vec) -> float:
        """Return how far the ray runs inside."""
        from_centre = sub(point, self.centre)
        return _positive_part(
            dot(direction, direction),
            2 * dot(from_centre, direction),
            dot(from_centre, from_centre) - self.radius**2,
        )

    def strokes(self, towards_viewer: Vec) -> Sequence[Stroke]:
        """Return the outline (seen along `towards_viewer`, at right angles to the paper) and the equator."""
        first, second = perpendicular_pair(towards_viewer)
        outline = Arc(centre=self.centre, first=scaled(first, self.radius), second=scaled(second, self.radius))
        return [outline, circle(self.centre, self.radius)] if self.equator else [outline]


@dataclass(frozen=True, slots=True, kw_only=True)
class Frustum:
    """A solid of revolution with a vertical axis: `base_radius` at the bottom, `top_radius` at the top.

    Equal radii make a cylinder, a `top_radius` of 0 a cone. `base` is the centre of the bottom circle.
    """

    base: Vec
    height: float
    base_radius: float
    top_radius: float

    def chord(self, point: Vec, direction: Vec) -> float:
        """Return how far the ray runs inside: between the two planes and within the lateral surface."""
        x, y, z = sub(point, self.base)
        dx, dy, dz = direction
        taper = (self.top_radius - self.base_radius) / self.height
        reach, growth = self.base_radius + taper * z, taper * dz
        low, high = _slab(z, dz, self.height)
        return _inside_cone(
            dx * dx + dy * dy - growth * growth,
            2 * (x * dx + y * dy - reach * growth),
            x * x + y * y - reach * reach,
            low,
            high,
        )

    def strokes(self, towards_viewer: Vec) -> Sequence[Stroke]:
        """Return the rims and the two generatrices where the lateral surface turns away from the viewer."""
        top = add(self.base, (0.0, 0.0, self.height))
        rims: list[Stroke] = [
            circle(centre, radius)
            for centre, radius in ((self.base, self.base_radius), (top, self.top_radius))
            if radius > 0
        ]
        return [*rims, *(self.generatrix(angle) for angle in self.silhouette_angles(towards_viewer))]

    def generatrix(self, angle: float) -> Segment:
        """Return the line of the lateral surface above one angle of the base circle, from bottom to top."""
        x, y = math.cos(angle), math.sin(angle)
        return Segment(
            start=add(self.base, (self.base_radius * x, self.base_radius * y, 0.0)),
            end=add(self.base, (self.top_radius * x, self.top_radius * y, self.height)),
        )

    def silhouette_angles(self, towards_viewer: Vec) -> tuple[float, ...]:
        """Return the angles of the base circle at which the surface is seen edge-on: two, or none from above."""
        across = math.hypot(towards_viewer[0], towards_viewer[1])
        slope = (self.base_radius - self.top_radius) * towards_viewer[2]
        if abs(slope) >= self.height * across:
            return ()
        middle = math.atan2(towards_viewer[1], towards_viewer[0])
        half = math.acos(-slope / (self.height * across))
        return middle - half, middle + half


def circle(centre: Vec, radius: float) -> Arc:
    """Return a horizontal circle."""
    return Arc(centre=centre, first=(radius, 0.0, 0.0), second=(0.0, radius, 0.0))


def perpendicular_pair(direction: Vec) -> tuple[Vec, Vec]:
    """Return two unit vectors at right angles to each other and to a direction; the first is horizontal."""
    level = (1.0, 0.0, 0.0) if direction[0] == direction[1] == 0 else unit((-direction[1], direction[0], 0.0))
    upright = cross(direction, level)
    return level, scaled(upright, 1 / norm(upright))


def _positive_part(a: float, b: float, c: float) -> float:
    """Return the length of the part t >= 0 where a t² + b t + c <= 0, for a > 0."""
    spread = b * b - 4 * a * c
    if spread <= 0:
        return 0.0
    half = math.sqrt(spread)
    return max(0.0, (-b + half) / (2 * a) - max(0.0, (-b - half) / (2 * a)))


def _slab(z: float, dz: float, height: float) -> tuple[float, float]:
    """Return the range t >= 0 of a ray within 0 <= height; empty ranges have low >= high."""
    if abs(dz) < _PARALLEL:
        return (0.0, _CHORD_LIMIT) if _PARALLEL < z < height - _PARALLEL else (0.0, 0.0)
    ends = sorted((-z / dz, (height - z) / dz))
    return max(0.0, ends[0]), ends[1]


def _inside_cone(a: float, b: float, c: float, low: float, high: float) -> float:
    """Return the length of low <= t <= high where a t² + b t + c <= 0: the nappe is convex within the slab."""
    if high <= low:
        return 0.0
    if abs(a) < _PARALLEL:
        if abs(b) < _PARALLEL:
            return high - low if c < 0 else 0.0
        edge = -c / b
        return max(0.0, min(high, edge) - low) if b > 0 else max(0.0, high - max(low, edge))
    spread = b * b - 4 * a * c
    if spread <= 0:
        return high - low if a < 0 else 0.0
    half = math.sqrt(spread)
    first, last = sorted(((-b - half) / (2 * a), (-b + half) / (2 * a)))
    if a > 0:
        return max(0.0, min(high, last) - max(low, first))
    return max(0.0, min(high, first) - low) + max(0.0, high - max(low, last))


_TOUCHING = 1e-5
_SAMPLES = {"segment": 48, "curve": 180}
_HALVINGS = 14


@dataclass(frozen=True, slots=True, kw_only=True)
class StrokePiece:
    """The part of a stroke between two shares of it, all hidden or all visible."""

    start: float
    end: float
    hidden: bool


def hidden_at(point: Vec, bodies: Sequence[Body], towards_viewer: Vec) -> bool:
    """Tell whether the ray from a point to the viewer runs through a body."""
    return any(body.chord(point, towards_viewer) > _TOUCHING for body in bodies)


def split_by_visibility(stroke: Stroke, bodies: Sequence[Body], towards_viewer: Vec) -> list[StrokePiece]:
    """Cut a stroke where it passes out of sight or comes into view, found by halving to 1e-4 of a step."""

    def hidden(share: float) -> bool:
        return hidden_at(stroke.at(share), bodies, towards_viewer)

    steps = _SAMPLES["segment" if isinstance(stroke, Segment) else "curve"]
    middles = [(step + 0.5) / steps for step in range(steps)]
    states = [hidden(share) for share in middles]
    cuts = [0.0]
    kinds = [states[0]]
    for at in range(1, steps):
        if states[at] != states[at - 1]:
            cuts.append(_change(hidden, middles[at - 1], middles[at]))
            kinds.append(states[at])
    return [
        StrokePiece(start=start, end=end, hidden=kind)
        for start, end, kind in zip(cuts, [*cuts[1:], 1.0], kinds, strict=True)
    ]


def _change(hidden: Callable[[float], bool], low: float, high: float) -> float:
    """Return where `hidden` changes between two shares at which it differs."""
    before = hidden(low)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if hidden(middle) == before:
            low = middle
        else:
            high = middle
    return (low + high) / 2
