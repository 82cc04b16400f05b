"""Points and faces of the solids that several families start from, standing on the plane z = 0."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from generators.auxsolidmath.space import Vec

__all__ = ["CUBOID_FACES", "PRISM_FACES", "PYRAMID_FACES", "TETRAHEDRON_FACES", "cuboid", "equilateral_triangle"]

CUBOID_FACES = "ABCD A1B1C1D1 ABB1A1 BCC1B1 CDD1C1 DAA1D1"
PRISM_FACES = "ABC A1B1C1 ABB1A1 BCC1B1 CAA1C1"
PYRAMID_FACES = "ABCD PAB PBC PCD PDA"
TETRAHEDRON_FACES = "ABC PAB PBC PCA"


def cuboid(length: float, width: float, height: float) -> dict[str, Vec]:
    """Return the corners of ABCD-A1B1C1D1 with A at the origin: AB = length, BC = width, AA1 = height."""
    base = {"A": (0.0, 0.0), "B": (length, 0.0), "C": (length, width), "D": (0.0, width)}
    bottom = {label: (x, y, 0.0) for label, (x, y) in base.items()}
    return bottom | {f"{label}1": (x, y, height) for label, (x, y) in base.items()}


def equilateral_triangle(side: float, height: float = 0.0) -> tuple[Vec, Vec, Vec]:
    """Return a horizontal equilateral triangle round the axis x = y = 0, its first two corners in front."""
    inner = side / (2 * math.sqrt(3))
    return (-side / 2, -inner, height), (side / 2, -inner, height), (0.0, 2 * inner, height)
