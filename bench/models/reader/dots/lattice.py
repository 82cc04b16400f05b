"""A hexagonal lattice laid through spots: where its sites are, and which spot sits on which."""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from bench.models.reader.dots.periodicity import arrangement

if TYPE_CHECKING:
    from bench.models.reader.dots.periodicity import Periodicity

    Numbers = npt.NDArray[np.float64]
    Indices = npt.NDArray[np.int64]

__all__ = ["FittedLattice", "fit_hexagonal"]

_OF_SITE = 1 / 3
_ROUNDS = 12
_SIXTH_TURN = cmath.exp(1j * math.pi / 3)


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedLattice:
    """A lattice fitted to N points, in their unit.

    `sites` (N, 2) holds the whole-number coordinates of the site nearest to each point, along two directions 60
    degrees apart; `offset` (N) its distance to that site; `on_site` (N) whether the point belongs to it.
    """

    spacing: float
    sites: Indices
    offset: Numbers
    on_site: npt.NDArray[np.bool_]


def fit_hexagonal(points: Numbers) -> FittedLattice | None:
    """Fit a hexagonal lattice to points; None when they show none, or a square one.

    Begins with the strongest periodicity and its phases; then sites and lattice are found from each other by
    least squares until they agree. A point belongs to a site within a third of the spacing, two thirds of the way
    to where the neighbouring site is nearer; the nearest point of several, the others are extra.

    Args:
        points: (N, 2), x to the right and y downwards.
    """
    found = arrangement(points)
    if found is None or found.symmetry != "hexagonal":
        return None
    place = points[:, 0] + 1j * points[:, 1]
    origin, step = _begun(place, found)
    sites = np.zeros((len(points), 2), dtype=np.int64)
    for _ in range(_ROUNDS):
        before, sites = sites, _nearest_sites((place - origin) / step)
        if np.array_equal(before, sites):
            break
        index = sites[:, 0] + _SIXTH_TURN * sites[:, 1]
        origin, step = _least_squares(place, index, np.abs(place - origin - step * index) <= _OF_SITE * abs(step))
    offset = np.abs(place - origin - step * (sites[:, 0] + _SIXTH_TURN * sites[:, 1]))
    return FittedLattice(
        spacing=abs(step), sites=sites, offset=offset, on_site=_owners(sites, offset, _OF_SITE * abs(step))
    )


def _begun(place: npt.NDArray[np.complex128], found: Periodicity) -> tuple[complex, complex]:
    """Return origin and first step of the lattice: wave vectors and steps of a lattice are dual to each other.

    The steps lie 30 degrees off the wave vectors; the origin is where the waves' phases vanish.
    """
    length = 4 * math.pi / math.sqrt(3) / found.spacing
    waves = [length * cmath.exp(1j * (found.wave_angle + turn)) for turn in (0.0, math.pi / 3)]
    phases = [cmath.phase(np.exp(1j * (place * wave.conjugate()).real).sum()) for wave in waves]
    rows = np.array([[wave.real, wave.imag] for wave in waves])
    x, y = np.linalg.solve(rows, np.array(phases))
    return complex(x, y), found.spacing * cmath.exp(1j * (found.wave_angle - math.pi / 6))


def _nearest_sites(index: npt.NDArray[np.complex128]) -> Indices:
    """Round to the nearest site: of three coordinates with sum 0 the one moved most follows from the others."""
    second = index.imag / _SIXTH_TURN.imag
    first = index.real - second * _SIXTH_TURN.real
    exact = np.stack([first, second, -first - second])
    whole = np.rint(exact)
    error = np.abs(whole - exact)
    moved = error.argmax(axis=0)
    columns = np.arange(len(index))
    whole[moved, columns] -= whole.sum(axis=0)
    return whole[:2].T.astype(np.int64)


def _least_squares(
    place: npt.NDArray[np.complex128], index: npt.NDArray[np.complex128], chosen: npt.NDArray[np.bool_]
) -> tuple[complex, complex]:
    """Fit place = origin + step * index, complex numbers, over the chosen points."""
    middle, centre = index[chosen].mean(), place[chosen].mean()
    spread = index[chosen] - middle
    step = complex((spread.conj() * (place[chosen] - centre)).sum() / (np.abs(spread) ** 2).sum())
    return complex(centre - step * middle), step


def _owners(sites: Indices, offset: Numbers, reach: float) -> npt.NDArray[np.bool_]:
    """Mark the nearest point of each site, if it is within reach."""
    owner = np.zeros(len(sites), dtype=bool)
    order = np.lexsort((offset, sites[:, 1], sites[:, 0]))
    first = np.ones(len(sites), dtype=bool)
    first[1:] = (np.diff(sites[order], axis=0) != 0).any(axis=1)
    owner[order[first]] = True
    return owner & (offset <= reach)
