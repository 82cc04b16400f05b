"""Whether places repeat: the strongest hexagonal and square periodicity in a set of points, and its significance.

The structure factor S(q) = |sum exp(-i q.p)|^2 / N of N points is N at the wave vectors of a lattice (less, by a
Debye-Waller factor, when points are displaced) and about 1, exponentially distributed, everywhere else for points
at random. Summed over the m shortest wave vectors of a lattice it follows a gamma law of shape m; the logarithm of
its tail is how improbable the periodicity is by chance.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
import numpy.typing as npt
from scipy.spatial import cKDTree

if TYPE_CHECKING:
    Amplitudes = npt.NDArray[np.complex128]
    Numbers = npt.NDArray[np.float64]

__all__ = [
    "CHANCE_LOG",
    "LEAST_POINTS",
    "Periodicity",
    "Symmetry",
    "arrangement",
    "nearest_distance",
    "strongest_periodicity",
]

Symmetry = Literal["hexagonal", "square"]

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Periodicity:
    """A lattice that may underlie points: spacing in their unit, direction of its first wave vector.

    `log_chance` is the log-probability of such a sum at one given lattice for points at random.
    """

    symmetry: Symmetry
    spacing: float
    wave_angle: float
    log_chance: float


def nearest_distance(points: Numbers) -> float:
    """Return the median distance from a point to its nearest neighbour; `points` is (N, 2), N >= 2."""
    distances, _ = cKDTree(points).query(points, k=2)
    return float(np.median(distances[:, 1]))


def arrangement(points: Numbers) -> Periodicity | None:
    """Return the lattice that points lie on, the less likely by chance of two; None for points at random.

    Args:
        points: (N, 2), in any unit; fewer than `LEAST_POINTS` show no lattice.
    """
    if len(points) < LEAST_POINTS:
        return None
    hexagonal, square = (strongest_periodicity(points, symmetry) for symmetry in get_args(Symmetry))
    best: Periodicity = hexagonal if hexagonal.log_chance <= square.log_chance else square
    return best if best.log_chance < CHANCE_LOG else None


def strongest_periodicity(points: Numbers, symmetry: Symmetry) -> Periodicity:
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


def _middle(points: Numbers) -> Numbers:
    if len(points) <= _MAX_POINTS:
        return points
    distance = np.linalg.norm(points - np.median(points, axis=0), axis=1)
    return points[np.argsort(distance, kind="stable")[:_MAX_POINTS]]


def _structure_factor(points: Numbers, step: float, longest: float) -> Numbers:
    """Return S on a grid of wave vectors: rows qx = 0, step, ...; columns qy from -longest to longest."""
    reach = math.ceil(longest / step) + 1
    across, down = (_powers(np.exp(-1j * step * points[:, axis]), reach) for axis in (0, 1))
    both = np.concatenate([down[:0:-1].conj(), down])
    # No matrix product: at this size its library wakes threads on every core, at three times the cost.
    amplitude: Amplitudes = np.einsum("xp,yp->xy", across, both)
    return (amplitude.real**2 + amplitude.imag**2) / len(points)


def _powers(bases: Amplitudes, highest: int) -> Amplitudes:
    """Return rows base^0, base^1, ..., base^highest."""
    factors = np.ones((highest + 1, len(bases)), dtype=np.complex128)
    factors[1:] = bases
    return np.multiply.accumulate(factors, axis=0)


def _gamma_tail_log(total: float, shape: int) -> float:
    """Return log P(X >= total) for a gamma law of whole shape and scale 1: e^-x times the first terms of e^x."""
    return -total + math.log(sum(total**k / math.factorial(k) for k in range(shape)))
