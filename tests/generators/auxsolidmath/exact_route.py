"""Each family's answer from exact coordinates by symbolic computation, with no formula of the family's.

All coordinates of the figures are square roots of rational numbers, so that the exact ones can be recovered from
floats; SymPy then computes the quantity asked for.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import sympy as sp

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Exact = dict[str, sp.Matrix]

_DENOMINATORS = 20_000


def exact(points: Mapping[str, tuple[float, float, float]], labels: str) -> Exact:
    """Recover exact coordinates of points; labels apart by spaces."""
    return {label: sp.Matrix([_root(value) for value in points[label]]) for label in labels.split()}


def _root(value: float) -> Any:
    square = Fraction(value * value).limit_denominator(_DENOMINATORS)
    assert abs(float(square) - value * value) < 1e-9 * max(1.0, value * value), value
    return sp.sign(round(value, 12)) * sp.sqrt(sp.Rational(square.numerator, square.denominator))


def written(text: str) -> Any:
    """Read an answer's text as a person would, of the few forms there are: −2√5/3, 4π√3/3, 60° (as its cosine)."""
    if text.endswith("°"):
        return sp.cos(sp.rad(int(text[:-1])))
    top, _, below = text.removeprefix("−").partition("/")
    whole, _, radicand = top.replace("π", "").partition("√")
    size = sp.Integer(whole or 1) * sp.sqrt(int(radicand or 1)) / int(below or 1)
    return (-size if text.startswith("−") else size) * (sp.pi if "π" in top else 1)


def _normal(p: Exact, plane: tuple[str, str, str]) -> Any:
    return (p[plane[1]] - p[plane[0]]).cross(p[plane[2]] - p[plane[0]])


def _size(vector: Any) -> Any:
    return sp.sqrt(sp.expand(vector.dot(vector)))


def _between(u: Any, v: Any) -> Any:
    return u.dot(v) / (_size(u) * _size(v))


def _volume(p: Exact, corners: tuple[str, str, str, str]) -> Any:
    a, b, c, d = (p[label] for label in corners)
    return abs(sp.Matrix.hstack(b - a, c - a, d - a).det()) / 6


def _sphere(p: Exact, corners: tuple[str, str, str, str]) -> Any:
    """Return the squared radius of the sphere through four points."""
    first, *others = (p[label] for label in corners)
    rows = sp.Matrix([list(2 * (other - first).T) for other in others])
    sizes = sp.Matrix([other.dot(other) - first.dot(first) for other in others])
    away = rows.LUsolve(sizes) - first
    return away.dot(away)


def _half_planes(p: Exact, edge: tuple[str, str], faces: tuple[str, str]) -> Any:
    """Return the cosine of a dihedral angle: of the parts of two arms at right angles to the edge."""
    along = p[edge[1]] - p[edge[0]]
    arms = []
    for label in faces:
        arm = p[label] - p[edge[0]]
        arms.append(arm - along * arm.dot(along) / along.dot(along))
    return _between(*arms)


def _g01(p: Exact, params: Any) -> Any:
    lines = {"diagonals": "A1 B A C", "to_midpoint": "A1 E B D", "from_midpoint": "B E A C"}[
        params.pairing
    ].split()
    return abs(_between(p[lines[1]] - p[lines[0]], p[lines[3]] - p[lines[2]]))


def _g04(p: Exact, params: Any) -> Any:
    cosine = _half_planes(p, ("B", "D"), ("A1", "A"))
    return cosine if params.asked == "cosine" else sp.sqrt(1 / cosine**2 - 1)


def _g15(p: Exact, _: Any) -> Any:
    fall = p["B"] - p["P"]
    return -fall[2] / sp.sqrt(fall[0] ** 2 + fall[1] ** 2)


def _g16(p: Exact, _: Any) -> Any:
    normal = (p["E"] - p["D1"]).cross(p["C"] - p["A"])
    return abs(normal.dot(p["A"] - p["D1"])) / _size(normal)


def _g22(p: Exact, _: Any) -> Any:
    normal = (p["B"] - p["A"]).cross(p["O1"] - p["O"])
    return abs(normal.dot(p["A"] - p["O"])) / _size(normal)


def _prism(p: Exact, _: Any) -> Any:
    return 3 * _volume(p, ("A", "B", "C", "A1"))


def _frustum(p: Exact, _: Any) -> Any:
    """Cut the frustum into six tetrahedra with a common corner A."""
    parts = ("A B C A1", "A C D A1", "C A1 B1 B", "C A1 C1 B1", "C A1 D1 C1", "C A1 D D1")
    return sum(_volume(p, tuple(part.split())) for part in parts)  # type: ignore[arg-type]


MEASURES: dict[str, tuple[str, Callable[[Exact, Any], Any]]] = {
    "G01": ("A B C D A1 E", _g01),
    "G02": ("A C C1", lambda p, _: (p["C1"] - p["A"])[2] / _size(p["C1"] - p["A"])),
    "G03": (
        "A A1 B D",
        lambda p, _: abs(_normal(p, ("A1", "B", "D")).dot(p["A"] - p["B"])) / _size(_normal(p, ("A1", "B", "D"))),
    ),
    "G04": ("A A1 B D", _g04),
    "G07": ("A B C A1", _prism),
    "G08": ("P A A1 C", lambda p, _: _volume(p, ("P", "A", "A1", "C"))),
    "G09": ("P B C D", lambda p, _: _half_planes(p, ("P", "C"), ("B", "D"))),
    "G10": ("P A B C", lambda p, _: 4 * sp.pi * _sphere(p, ("P", "A", "B", "C"))),
    "G13": ("A C D E", lambda p, _: _half_planes(p, ("A", "E"), ("D", "C"))),
    "G14": ("P A B C", lambda p, _: 4 * sp.pi * _sphere(p, ("P", "A", "B", "C"))),
    "G15": ("P B", _g15),
    "G16": ("A C D1 E", _g16),
    "G18": ("A B C D A1 B1 C1 D1", _frustum),
    "G20": ("P A B", lambda p, _: _size((p["A"] - p["P"]).cross(p["B"] - p["P"])) / 2),
    "G22": ("A B O O1", _g22),
    "G23": ("A B C A1", lambda p, _: 4 * sp.pi * _sphere(p, ("A", "B", "C", "A1"))),
    "S3": ("A B C D", lambda p, _: _volume(p, ("A", "B", "C", "D"))),
}
"""Families: the labels whose coordinates are needed, and the quantity."""
