"""Each family's answer once more, by another way than its formula: from coordinates, by search or by integration.

Every route takes the named points of a problem's figure and the family's parameters. Coordinates in turn are
checked against the sizes that the problem gives.
"""

from __future__ import annotations

import itertools
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


def line_angle_cosine(p: Points, first: tuple[str, str], second: tuple[str, str]) -> float:
    """Return |cos| of the angle of two lines: the second is moved to the first's start, then the cosine rule."""
    start, end = p[first[0]], p[first[1]]
    moved = start + p[second[1]] - p[second[0]]
    a, b, c = (float(np.linalg.norm(side)) for side in (end - start, moved - start, moved - end))
    return abs(a * a + b * b - c * c) / (2 * a * b)


def distance_to_plane(p: Points, point: str, plane: str | tuple[str, str, str]) -> float:
    """Return three times the tetrahedron's volume over its base's area by Heron's formula."""
    corners = [p[label] for label in plane]
    return 3 * hull_volume([p[point], *corners]) / heron(*corners)


def heron(a: Any, b: Any, c: Any) -> float:
    sides = [float(np.linalg.norm(side)) for side in (a - b, b - c, c - a)]
    half = sum(sides) / 2
    return math.sqrt(half * math.prod(half - side for side in sides))


def circumradius(corners: list[Any]) -> float:
    """Return the radius of the sphere through four points, from the linear system of equal distances."""
    rows = np.array([2 * (corner - corners[0]) for corner in corners[1:]])
    sizes = np.array([corner @ corner - corners[0] @ corners[0] for corner in corners[1:]])
    centre = np.linalg.solve(rows, sizes)
    return float(np.linalg.norm(centre - corners[0]))


def _g01(p: Points, params: Any) -> float:
    lines = {
        "diagonals": (("A1", "B"), ("A", "C")),
        "to_midpoint": (("A1", "E"), ("B", "D")),
        "from_midpoint": (("B", "E"), ("A", "C")),
    }
    cosine = line_angle_cosine(p, *lines[params.pairing])
    degrees = math.degrees(math.acos(cosine))
    return next((whole for whole in (30.0, 45.0, 60.0) if abs(degrees - whole) < 1e-9), cosine)


def _g02(p: Points, _: Any) -> float:
    rise, run = abs(p["C1"][2] - p["A"][2]), math.hypot(*(p["C1"] - p["A"])[:2])
    return math.sin(math.atan2(rise, run))


def _g03(p: Points, _: Any) -> float:
    return distance_to_plane(p, "A", ("A1", "B", "D"))


def _g04(p: Points, params: Any) -> float:
    angle = dihedral({"B": p["B"], "D": p["D"], "X": p["A1"], "A": p["A"]}, "BD", "XA")
    return math.cos(angle) if params.asked == "cosine" else math.tan(angle)


def _g07(p: Points, _: Any) -> float:
    return hull_volume([p[label] for label in ("A", "B", "C", "A1", "B1", "C1")])


def _g08(p: Points, _: Any) -> float:
    return hull_volume([p[label] for label in ("P", "A", "A1", "C")])


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


def _g10(p: Points, _: Any) -> float:
    return 4 * math.pi * circumradius([p[label] for label in "PABC"]) ** 2


def _g11(p: Points, _: Any) -> float:
    faces = [heron(p["P"], p[a], p[b]) for a, b in ("AB", "BC", "CD", "DA")]
    base = heron(p["A"], p["B"], p["C"]) + heron(p["A"], p["C"], p["D"])
    return 3 * hull_volume([p[label] for label in "PABCD"]) / (sum(faces) + base)


def _g05(p: Points, params: Any) -> float:
    planes = {"pentagon": ("D1", "E", "F"), "hexagon": ("E", "F", "G"), "trapezoid": ("A", "C", "M")}
    return section_area(p, params.edge, planes[params.cut])


def section_area(p: Points, edge: float, plane: tuple[str, str, str]) -> float:
    """Cut the twelve edges of a cube with a plane and measure the polygon of the cuts."""
    origin = p[plane[0]]
    normal = np.cross(p[plane[1]] - origin, p[plane[2]] - origin)
    normal = normal / np.linalg.norm(normal)
    corners = [np.array(corner, dtype=float) * edge for corner in itertools.product((0, 1), repeat=3)]
    cuts: list[Any] = []
    for a, b in itertools.combinations(corners, 2):
        if np.count_nonzero(a - b) == 1:
            high, low = float((a - origin) @ normal), float((b - origin) @ normal)
            if high * low <= 1e-12 and abs(high - low) > 1e-12:
                cuts.append(a + (b - a) * high / (high - low))
    middle = np.mean(cuts, axis=0)
    across = cuts[0] - middle
    beside = np.cross(normal, across)
    ordered = sorted(cuts, key=lambda cut: math.atan2((cut - middle) @ beside, (cut - middle) @ across))
    return sum(heron(middle, ordered[at - 1], ordered[at]) for at in range(len(ordered)))


def _g13(p: Points, _: Any) -> float:
    foot = foot_by_search(p["D"], p["A"], p["E"])
    return math.cos(math.atan2(float(np.linalg.norm(p["C"] - p["D"])), float(np.linalg.norm(p["D"] - foot))))


def _g15(p: Points, _: Any) -> float:
    fall = (p["B"] - p["P"]) / np.linalg.norm(p["B"] - p["P"])
    return 1 / math.tan(math.acos(-float(fall[2])))


def _g16(p: Points, _: Any) -> float:
    """Least distance of two points that run along the lines, by linear least squares."""
    first, second = p["E"] - p["D1"], p["C"] - p["A"]
    system = np.stack([first, -second], axis=1)
    shares = np.linalg.lstsq(system, p["A"] - p["D1"], rcond=None)[0]
    return float(np.linalg.norm(p["D1"] + shares[0] * first - p["A"] - shares[1] * second))


def _g17(p: Points, _: Any) -> float:
    return hull_volume([p[label] for label in "PAEMF"]) / hull_volume([p[label] for label in "PABCD"])


def _g18(p: Points, _: Any) -> float:
    return hull_volume([p[label + level] for label in "ABCD" for level in ("", "1")])


def _g23(p: Points, _: Any) -> float:
    return 4 * math.pi * circumradius([p[label] for label in ("A", "B", "C", "A1")]) ** 2


def _s2(p: Points, _: Any) -> float:
    """Halve the range of λ until the dihedral angle E-AC-D is 45 degrees."""
    low, high = 0.01, 0.99
    for _step in range(50):
        middle = (low + high) / 2
        moved = p["P"] + middle * (p["D"] - p["P"])
        angle = dihedral({"A": p["A"], "C": p["C"], "E": moved, "D": p["D"]}, "AC", "ED")
        low, high = (middle, high) if angle > math.pi / 4 else (low, middle)
    return (low + high) / 2


ROUTES: dict[str, Route] = {
    "G01": Route(_g01),
    "G02": Route(_g02),
    "G03": Route(_g03),
    "G04": Route(_g04, SEARCHED),
    "G05": Route(_g05),
    "G07": Route(_g07),
    "G08": Route(_g08),
    "G09": Route(_g09, SEARCHED),
    "G10": Route(_g10),
    "G11": Route(_g11),
    "G13": Route(_g13, SEARCHED),
    "G14": Route(_g10),
    "G15": Route(_g15),
    "G16": Route(_g16),
    "G17": Route(_g17),
    "G18": Route(_g18),
    "G19": Route(_g19, SEARCHED),
    "G20": Route(_g20),
    "G21": Route(_g21, DISCRETE),
    "G22": Route(_g22),
    "G23": Route(_g23),
    "S1": Route(_s1),
    "S2": Route(_s2, SEARCHED),
    "S3": Route(lambda p, _: hull_volume([p[label] for label in "ABCD"])),
}
"""CALCULATION families; claims are tested by their facts."""

__all__ = ["ROUTES", "Points", "Route", "arrays"]
