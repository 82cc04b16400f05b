"""Problem families, one module each, and the solids that several of them start from."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from generators.auxsolidmath.exact import Given, labels_in, lengths
from generators.auxsolidmath.space import Vec, point_between

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "CUBOID_FACES",
    "PRISM_FACES",
    "PYRAMID_FACES",
    "TETRAHEDRON_FACES",
    "CuboidEdges",
    "RegularPrism",
    "RightPyramid",
    "add_midpoints",
    "cuboid",
    "cuboid_sizes",
    "equilateral_triangle",
    "pyramid_on_rectangle",
    "square_pyramid",
    "triangular_prism",
]

CUBOID_FACES = "ABCD A1B1C1D1 ABB1A1 BCC1B1 CDD1C1 DAA1D1"
PRISM_FACES = "ABC A1B1C1 ABB1A1 BCC1B1 CAA1C1"
PYRAMID_FACES = "ABCD PAB PBC PCD PDA"
TETRAHEDRON_FACES = "ABC PAB PBC PCA"


@dataclass(frozen=True, slots=True, kw_only=True)
class CuboidEdges:
    """Edges AB, BC and AA1 of a rectangular box."""

    a: int
    b: int
    c: int

    @property
    def givens(self) -> tuple[Given, ...]:
        """The three edges as given sizes."""
        return lengths(AB=self.a, BC=self.b, AA1=self.c)


@dataclass(frozen=True, slots=True, kw_only=True)
class RegularPrism:
    """Side of the base and height of a regular triangular prism."""

    side: int
    height: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RightPyramid:
    """AB, AD and PA of a pyramid on the rectangle ABCD, PA at right angles to it."""

    b: int
    d: int
    p: int


def cuboid_sizes(largest: int, *, longest: float = 4.0) -> Sequence[CuboidEdges]:
    """Return all boxes with edges of 1 to `largest`, none longer than `longest` times another."""
    sizes = range(1, largest + 1)
    edges = [CuboidEdges(a=a, b=b, c=c) for a in sizes for b in sizes for c in sizes]
    return [edge for edge in edges if max(edge.a, edge.b, edge.c) <= longest * min(edge.a, edge.b, edge.c)]


def cuboid(length: float, width: float, height: float) -> dict[str, Vec]:
    """Return the corners of ABCD-A1B1C1D1 with A at the origin: AB = length, BC = width, AA1 = height."""
    base = {"A": (0.0, 0.0), "B": (length, 0.0), "C": (length, width), "D": (0.0, width)}
    bottom = {label: (x, y, 0.0) for label, (x, y) in base.items()}
    return bottom | {f"{label}1": (x, y, height) for label, (x, y) in base.items()}


def equilateral_triangle(side: float, height: float = 0.0) -> tuple[Vec, Vec, Vec]:
    """Return a horizontal equilateral triangle round the axis x = y = 0, its first two corners in front."""
    inner = side / (2 * math.sqrt(3))
    return (-side / 2, -inner, height), (side / 2, -inner, height), (0.0, 2 * inner, height)


def triangular_prism(side: float, height: float) -> dict[str, Vec]:
    """Return the corners of the regular prism ABC-A1B1C1."""
    bottom, top = equilateral_triangle(side), equilateral_triangle(side, height)
    return dict(zip("ABC", bottom, strict=True)) | dict(zip(("A1", "B1", "C1"), top, strict=True))


def square_pyramid(side: float, height: float) -> dict[str, Vec]:
    """Return the corners of the regular pyramid P-ABCD and the centre O of its base, at the origin."""
    half = side / 2
    return {
        "A": (-half, -half, 0.0),
        "B": (half, -half, 0.0),
        "C": (half, half, 0.0),
        "D": (-half, half, 0.0),
        "P": (0.0, 0.0, height),
        "O": (0.0, 0.0, 0.0),
    }


def pyramid_on_rectangle(length_x: float, length_y: float, apex: Vec) -> dict[str, Vec]:
    """Return the corners of P-ABCD with A at the origin, AB = length_x, AD = length_y and P at `apex`."""
    return {
        "A": (0.0, 0.0, 0.0),
        "B": (length_x, 0.0, 0.0),
        "C": (length_x, length_y, 0.0),
        "D": (0.0, length_y, 0.0),
        "P": apex,
    }


def add_midpoints(points: dict[str, Vec], **segments: str) -> None:
    """Add the midpoints of segments, each given by its two ends: `M="AB"`."""
    for label, segment in segments.items():
        start, end = labels_in(segment)
        points[label] = point_between(points[start], points[end])
