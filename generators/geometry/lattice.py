"""The hexagonal lattice: rows of pitch s * sqrt(3) / 2, every other row shifted by s / 2."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from generators.geometry.arrangement import Place, rounded
from generators.geometry.canvas import MARGIN_UM, STANDARD_CANVAS

if TYPE_CHECKING:
    from generators.geometry.draws import Draws

__all__ = ["ROUNDING_UM", "Lattice", "hexagonal_lattice"]

ROUNDING_UM = 0.01
"""Two positions nearer than this are the same site: rounding moves a site by at most 0.0008 um."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lattice:
    """All sites, row by row from the top left; `interior` are those with all six neighbours."""

    spacing_um: float
    sites: tuple[Place, ...]
    interior: tuple[Place, ...]


def hexagonal_lattice(spacing_um: float, draws: Draws) -> Lattice:
    """Lay the lattice inside the margin, at a random place among those that change no count.

    The count is that of a lattice begun in the corner of the margin (104, 45 and 30 sites for 8, 12 and 16 um);
    what is left over to the right and below is shared out at random.
    """
    pitch = spacing_um * math.sqrt(3) / 2
    rows = _fitting(STANDARD_CANVAS.height_um - 2 * MARGIN_UM, pitch)
    room = STANDARD_CANVAS.width_um - 2 * MARGIN_UM
    lengths = [_fitting(room - _shift(row, spacing_um), spacing_um) for row in range(rows)]
    right = max(_shift(row, spacing_um) + (length - 1) * spacing_um for row, length in enumerate(lengths))
    left = MARGIN_UM + draws.uniform(0, max(0.0, room - right))
    top = MARGIN_UM + draws.uniform(0, STANDARD_CANVAS.height_um - 2 * MARGIN_UM - (rows - 1) * pitch)
    grid = {
        (row, column): rounded(left + _shift(row, spacing_um) + column * spacing_um, top + row * pitch)
        for row, length in enumerate(lengths)
        for column in range(length)
    }
    interior = tuple(site for at, site in grid.items() if all(near in grid for near in _neighbours(*at)))
    return Lattice(spacing_um=spacing_um, sites=tuple(grid.values()), interior=interior)


def _fitting(room: float, step: float) -> int:
    """Return how many points `step` apart fit into a stretch, both ends included."""
    return math.floor(room / step + 1e-9) + 1


def _shift(row: int, spacing_um: float) -> float:
    return spacing_um / 2 if row % 2 else 0.0


def _neighbours(row: int, column: int) -> tuple[tuple[int, int], ...]:
    left = column - 1 + row % 2
    return (
        (row, column - 1),
        (row, column + 1),
        (row - 1, left),
        (row - 1, left + 1),
        (row + 1, left),
        (row + 1, left + 1),
    )
