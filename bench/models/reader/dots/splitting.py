"""Spots in touch: taking one connected part apart into the discs that make it up."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from scipy import ndimage

from bench.models.reader.dots.picture import UnreadableError

if TYPE_CHECKING:
    from bench.models.reader.dots.picture import Coverage

    Numbers = npt.NDArray[np.float64]

__all__ = ["MAX_DISCS", "Disc", "touching_discs"]

MAX_DISCS = 200
"""A part that would take more discs is no cluster of spots."""

_LEAST_RADIUS_PX = 1.5
_CUT = 0.5
_APART = 0.7
_RIM_PX = 1.5
_EXPLAINED = 0.93


@dataclass(frozen=True, slots=True, kw_only=True)
class Disc:
    """A disc in pixels from the picture's top left corner."""

    x: float
    y: float
    radius: float


def touching_discs(coverage: Coverage, *, left: int, top: int) -> list[Disc]:
    """Return the discs that make up one connected part.

    The distance to the part's edge has a peak in the centre of every disc that no other covers: the largest
    inscribed circle there is the disc itself. Circles are then fitted to the edge points nearest to each, which
    gives centres to a fraction of a pixel.

    Args:
        coverage: the part in its bounding box, 0 elsewhere.
        left: column of the box in the picture.
        top: row of the box in the picture.

    Raises:
        UnreadableError: the discs and the part differ in more than 7 % of the area: it is something else.
    """
    inside = np.pad(coverage >= _CUT, 1)
    distance = ndimage.distance_transform_edt(inside)
    seeds = _peaks(distance)
    if not seeds:
        raise UnreadableError("it shows lines that are no spots")
    edge = inside & ~ndimage.binary_erosion(inside)
    discs = _fitted(seeds, edge)
    if _agreement(discs, inside) < _EXPLAINED:
        raise UnreadableError("it shows shapes that are no spots")
    return [Disc(x=disc.x - 1 + left, y=disc.y - 1 + top, radius=disc.radius) for disc in discs]


def _peaks(distance: Numbers) -> list[Disc]:
    """Take the highest peak, then the next that lies outside those taken, and so on.

    A pixel's distance is to the nearest pixel's centre outside, half a pixel beyond the edge.
    """
    highest = ndimage.maximum_filter(distance, size=3)
    rows, columns = np.nonzero((distance >= highest) & (distance - 0.5 >= _LEAST_RADIUS_PX))
    order = np.argsort(-distance[rows, columns], kind="stable")
    taken: list[Disc] = []
    for row, column in zip(rows[order], columns[order], strict=True):
        radius = float(distance[row, column]) - 0.5
        x, y = float(column) + 0.5, float(row) + 0.5
        if all(math.hypot(x - disc.x, y - disc.y) > _APART * disc.radius for disc in taken):
            taken.append(Disc(x=x, y=y, radius=radius))
            if len(taken) > MAX_DISCS:
                raise UnreadableError("it shows shapes that are no spots")
    return taken


def _fitted(seeds: list[Disc], edge: npt.NDArray[np.bool_]) -> list[Disc]:
    """Fit each circle to the edge pixels that are nearer to it than to any other, and near it at all."""
    rows, columns = np.nonzero(edge)
    x, y = columns + 0.5, rows + 0.5
    gaps = np.array([np.hypot(x - disc.x, y - disc.y) - disc.radius for disc in seeds])
    nearest = np.abs(gaps).argmin(axis=0)
    near = np.abs(gaps).min(axis=0) <= _RIM_PX
    return [
        _circle(x[near & (nearest == place)], y[near & (nearest == place)], seed)
        for place, seed in enumerate(seeds)
    ]


def _circle(x: Numbers, y: Numbers, seed: Disc) -> Disc:
    """Fit a circle by least squares (Kasa 1976) to edge pixels, whose centres lie half a pixel inside the edge."""
    columns = np.column_stack([x - seed.x, y - seed.y, np.ones_like(x)])
    squares = (x - seed.x) ** 2 + (y - seed.y) ** 2
    (a, b, c), _, rank, _ = np.linalg.lstsq(columns, squares, rcond=None)
    if rank < columns.shape[1]:
        return seed
    radius = math.sqrt(max(0.0, c + (a * a + b * b) / 4)) + 0.5
    fitted = Disc(x=seed.x + a / 2, y=seed.y + b / 2, radius=radius)
    moved = math.hypot(fitted.x - seed.x, fitted.y - seed.y)
    return fitted if moved <= _RIM_PX and abs(radius - seed.radius) <= _RIM_PX else seed


def _agreement(discs: list[Disc], inside: npt.NDArray[np.bool_]) -> float:
    """Return intersection over union of the discs and the part."""
    y, x = np.mgrid[0.5 : inside.shape[0], 0.5 : inside.shape[1]]
    made = np.zeros_like(inside)
    for disc in discs:
        made |= (x - disc.x) ** 2 + (y - disc.y) ** 2 <= disc.radius**2
    return float((made & inside).sum() / (made | inside).sum())
