"""The lattice that points lie on: whether they repeat by more than chance, its sites, missing and extra points.

The structure factor S(q) = |sum exp(-i q.p)|^2 / N of N points is N at the wave vectors of a lattice (less, by a
Debye-Waller factor, when points are displaced) and about 1, exponentially distributed, everywhere else for points
at random. Summed over the m shortest wave vectors of a lattice it follows a gamma law of shape m; the logarithm of
its tail is how improbable the periodicity is by chance.
"""

from __future__ import annotations

import cmath
import math
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
import numpy.typing as npt
from scipy.spatial import cKDTree

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bench.models.reader.picture import FloatArray, MaskArray

    ComplexArray = npt.NDArray[np.complex128]
    Indices = npt.NDArray[np.int64]

__all__ = [
    "CHANCE_LOG",
    "LEAST_POINTS",
    "FittedLattice",
    "LatticeDefects",
    "Periodicity",
    "Symmetry",
    "arrangement",
    "find_defects",
    "fit_hexagonal",
    "nearest_distance",
    "strongest_periodicity",
    "surrounded_gaps",
]

Symmetry = Literal["hexagonal", "square"]
Site = tuple[int, int]

CHANCE_LOG = -25.0
"""Log-probability below which a periodicity is no chance: e^-25 times some 5,000 trials is one in ten million.

Points that keep a distance from each other fluctuate up to 1.6 times as much as independent ones at the densest;
the worst of 3,600 random pictures then stands at about -16, the weakest of 3,600 displaced lattices at -57.
"""

LEAST_POINTS = 11
"""Below that number even an exact lattice may be chance: S sums to 3 N, less than what `CHANCE_LOG` asks for."""

_WAVES: dict[Symmetry, tuple[tuple[float, float], ...]] = {
    # (length times the spacing, direction in degrees from that of the lattice's first wave)
    "hexagonal": tuple((4 * math.pi / math.sqrt(3), angle) for angle in (0, 60, 120)),
    "square": (
        *((2 * math.pi, angle) for angle in (0, 90)),
        *((2 * math.pi * math.sqrt(2), angle) for angle in (45, 135)),
    ),
}
_PERIOD_DEG: dict[Symmetry, float] = {"hexagonal": 60.0, "square": 90.0}
_TOO_FINE = 0.85
_TOO_COARSE = 1.75
_SPACING_STEP = 0.02
_ANGLE_STEP_DEG = 1.5
_OVERSAMPLING = 4
_MAX_POINTS = 400

_OF_SITE = 1 / 3
_ROUNDS = 12
_SIXTH_TURN = cmath.exp(1j * math.pi / 3)


@dataclass(frozen=True, slots=True, kw_only=True)
class Periodicity:
    """A lattice that may underlie points: spacing in their unit, direction of its first wave vector.

    `log_chance` is the log-probability of such a sum at one given lattice for points at random.
    """

    symmetry: Symmetry
    spacing: float
    wave_angle: float
    log_chance: float


def nearest_distance(points: FloatArray) -> float:
    """Return the median distance from a point to its nearest neighbour; `points` is (N, 2), N >= 2."""
    distances, _ = cKDTree(points).query(points, k=2)
    return float(np.median(distances[:, 1]))


def arrangement(points: FloatArray) -> Periodicity | None:
    """Return the lattice that points lie on, the less likely by chance of two; None for points at random.

    Args:
        points: (N, 2), in any unit; fewer than `LEAST_POINTS` show no lattice.
    """
    if len(points) < LEAST_POINTS:
        return None
    hexagonal, square = (strongest_periodicity(points, symmetry) for symmetry in get_args(Symmetry))
    best: Periodicity = hexagonal if hexagonal.log_chance <= square.log_chance else square
    return best if best.log_chance < CHANCE_LOG else None


def strongest_periodicity(points: FloatArray, symmetry: Symmetry) -> Periodicity:
    """Return the best lattice with a spacing of 0.85 to 1.75 times the median distance to the nearest neighbour.

    Displaced and extra points shorten that distance, to 0.6 of the spacing at the most. Finer lattices that
    contain the true one would fit as well: they begin at 0.58 of its spacing (hexagonal) and 0.71 (square). Beyond
    400 points those in the middle are looked at: a lattice shows in any part of it.

    Args:
        points: (N, 2), N >= 2, in any unit.
        symmetry: of the lattice that is looked for.
    """
    chosen = _middle(points)
    nearest = nearest_distance(chosen)
    spacings = nearest * np.exp(np.arange(math.log(_TOO_FINE), math.log(_TOO_COARSE), _SPACING_STEP))
    angles = np.deg2rad(np.arange(0, _PERIOD_DEG[symmetry], _ANGLE_STEP_DEG))
    waves = _WAVES[symmetry]
    step = 2 * math.pi / float(np.ptp(chosen, axis=0).max()) / _OVERSAMPLING
    factor = _structure_factor(chosen, step, max(length for length, _ in waves) / float(spacings[0]))
    middle = factor.shape[1] // 2
    total = np.zeros((len(spacings), len(angles)))
    for length, turn in waves:
        q = (length / spacings)[:, None] * np.exp(1j * (angles + math.radians(turn)))
        q *= np.where(q.real < 0, -1, 1)
        total += factor[np.rint(q.real / step).astype(int), np.rint(q.imag / step).astype(int) + middle]
    best = np.unravel_index(int(total.argmax()), total.shape)
    return Periodicity(
        symmetry=symmetry,
        spacing=float(spacings[best[0]]),
        wave_angle=float(angles[best[1]]),
        log_chance=_gamma_tail_log(float(total[best]), len(waves)),
    )


def _middle(points: FloatArray) -> FloatArray:
    if len(points) <= _MAX_POINTS:
        return points
    distance = np.linalg.norm(points - np.median(points, axis=0), axis=1)
    return points[np.argsort(distance, kind="stable")[:_MAX_POINTS]]


def _structure_factor(points: FloatArray, step: float, longest: float) -> FloatArray:
    """Return S on a grid of wave vectors: rows qx = 0, step, ...; columns qy from -longest to longest."""
    reach = math.ceil(longest / step) + 1
    across, down = (_powers(np.exp(-1j * step * points[:, axis]), reach) for axis in (0, 1))
    both = np.concatenate([down[:0:-1].conj(), down])
    # No matrix product: at this size its library wakes threads on every core, at three times the cost.
    amplitude: ComplexArray = np.einsum("xp,yp->xy", across, both)
    return (amplitude.real**2 + amplitude.imag**2) / len(points)


def _powers(bases: ComplexArray, highest: int) -> ComplexArray:
    """Return rows base^0, base^1, ..., base^highest."""
    factors = np.ones((highest + 1, len(bases)), dtype=np.complex128)
    factors[1:] = bases
    return np.multiply.accumulate(factors, axis=0)


def _gamma_tail_log(total: float, shape: int) -> float:
    """Return log P(X >= total) for a gamma law of whole shape and scale 1: e^-x times the first terms of e^x."""
    return -total + math.log(sum(total**k / math.factorial(k) for k in range(shape)))


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedLattice:
    """A lattice fitted to N points, in their unit.

    `sites` (N, 2) holds the whole-number coordinates of the site nearest to each point, along two directions 60
    degrees apart; `offset` (N) its distance to that site; `on_site` (N) whether the point belongs to it.
    """

    spacing: float
    sites: Indices
    offset: FloatArray
    on_site: MaskArray


def fit_hexagonal(points: FloatArray) -> FittedLattice | None:
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


def _begun(place: ComplexArray, found: Periodicity) -> tuple[complex, complex]:
    """Return origin and first step of the lattice: wave vectors and steps of a lattice are dual to each other.

    The steps lie 30 degrees off the wave vectors; the origin is where the waves' phases vanish.
    """
    length = 4 * math.pi / math.sqrt(3) / found.spacing
    waves = [length * cmath.exp(1j * (found.wave_angle + turn)) for turn in (0.0, math.pi / 3)]
    phases = [cmath.phase(np.exp(1j * (place * wave.conjugate()).real).sum()) for wave in waves]
    rows = np.array([[wave.real, wave.imag] for wave in waves])
    x, y = np.linalg.solve(rows, np.array(phases))
    return complex(x, y), found.spacing * cmath.exp(1j * (found.wave_angle - math.pi / 6))


def _nearest_sites(index: ComplexArray) -> Indices:
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


def _least_squares(place: ComplexArray, index: ComplexArray, chosen: MaskArray) -> tuple[complex, complex]:
    """Fit place = origin + step * index, complex numbers, over the chosen points."""
    middle, centre = index[chosen].mean(), place[chosen].mean()
    spread = index[chosen] - middle
    step = complex((spread.conj() * (place[chosen] - centre)).sum() / (np.abs(spread) ** 2).sum())
    return complex(centre - step * middle), step


def _owners(sites: Indices, offset: FloatArray, reach: float) -> MaskArray:
    """Mark the nearest point of each site, if it is within reach."""
    owner = np.zeros(len(sites), dtype=bool)
    order = np.lexsort((offset, sites[:, 1], sites[:, 0]))
    first = np.ones(len(sites), dtype=bool)
    first[1:] = (np.diff(sites[order], axis=0) != 0).any(axis=1)
    owner[order[first]] = True
    return owner & (offset <= reach)


@dataclass(frozen=True, slots=True, kw_only=True)
class LatticeDefects:
    """How many sites are empty, and how many spots lie between the sites."""

    missing: int
    extra: int


def find_defects(lattice: FittedLattice) -> LatticeDefects:
    """Count empty sites surrounded by others, and spots that belong to no site."""
    taken = [(int(first), int(second)) for first, second in lattice.sites[lattice.on_site]]
    return LatticeDefects(missing=len(surrounded_gaps(taken)), extra=int((~lattice.on_site).sum()))


def surrounded_gaps(taken: Iterable[Site]) -> set[Site]:
    """Return the empty sites that have taken ones on both sides along all three directions of the lattice.

    That is what being surrounded means when neighbours are missing too; beyond the lattice's edge, in its notches
    as well, one direction at least has none.
    """
    rows: dict[int, list[int]] = defaultdict(list)
    columns: dict[int, list[int]] = defaultdict(list)
    diagonals: dict[int, list[int]] = defaultdict(list)
    filled = set(taken)
    for first, second in filled:
        rows[second].append(first)
        columns[first].append(second)
        diagonals[first + second].append(first)
    return {
        (first, second)
        for second, places in rows.items()
        for first in range(min(places) + 1, max(places))
        if (first, second) not in filled
        and _between(second, columns.get(first))
        and _between(first, diagonals.get(first + second))
    }


def _between(place: int, others: list[int] | None) -> bool:
    return others is not None and min(others) < place < max(others)
