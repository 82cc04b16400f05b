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

    Mask = npt.NDArray[np.bool_]
    Numbers = npt.NDArray[np.float64]

__all__ = ["LEAST_RADIUS_PX", "MAX_DISCS", "Disc", "touching_discs"]

MAX_DISCS = 200
"""A part that would take more discs is no cluster of spots."""

LEAST_RADIUS_PX = 1.5
"""Parts smaller than that have no shape: they are specks, no spots."""

_CUT = 0.5
_OVERLAP = 0.5
_RIM_PX = 1.5
_EXPLAINED = 0.96
_ENLARGED = 3
_SMALL_PX = 4000


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
    gives centres to a fraction of a pixel. A small part is enlarged first, for the sake of its grey rim.
    Three discs that overlap each other by half look like one that is larger, and are taken for it.

    Args:
        coverage: the part in its bounding box, 0 elsewhere.
        left: column of the box in the picture.
        top: row of the box in the picture.

    Raises:
        UnreadableError: the discs and the part differ in more than 4 % of the area: it is something else.
    """
    scale = _ENLARGED if coverage.size <= _SMALL_PX else 1
    padded = np.pad(coverage, 1)
    grown = ndimage.zoom(padded, scale, order=1, grid_mode=True, mode="nearest") if scale > 1 else padded
    inside = grown >= _CUT
    seeds = _seeds(ndimage.distance_transform_edt(inside), least_radius=LEAST_RADIUS_PX * scale)
    discs = _fitted(seeds, inside & ~ndimage.binary_erosion(inside))
    if not discs or _agreement(discs, inside) < _EXPLAINED:
        raise UnreadableError("it shows something else than round spots")
    return [
        Disc(x=disc.x / scale - 1 + left, y=disc.y / scale - 1 + top, radius=disc.radius / scale) for disc in discs
    ]


def _seeds(distance: Numbers, *, least_radius: float) -> list[Disc]:
    """Take the highest peak, then the next whose disc lies half outside those taken, and so on.

    A pixel's distance is to the nearest pixel's centre outside, half a pixel beyond the edge.
    """
    highest = ndimage.maximum_filter(distance, size=3)
    rows, columns = np.nonzero((distance >= highest) & (distance - 0.5 >= least_radius))
    order = np.argsort(-distance[rows, columns], kind="stable")
    taken: list[Disc] = []
    covered = np.zeros(distance.shape, dtype=bool)
    for row, column in zip(rows[order].tolist(), columns[order].tolist(), strict=True):
        disc = Disc(x=column + 0.5, y=row + 0.5, radius=float(distance[row, column]) - 0.5)
        window, own = _pixels(disc, covered.shape)
        if not covered[row, column] and covered[window][own].mean() <= _OVERLAP:
            covered[window] |= own
            taken.append(disc)
            if len(taken) > MAX_DISCS:
                raise UnreadableError("it shows something else than round spots")
    return taken


def _pixels(disc: Disc, shape: tuple[int, ...]) -> tuple[tuple[slice, slice], Mask]:
    """Return the window of a disc and which of its pixels have their centres inside."""
    rows, columns = (
        slice(max(0, math.floor(middle - disc.radius)), min(size, math.ceil(middle + disc.radius)))
        for middle, size in zip((disc.y, disc.x), shape, strict=True)
    )
    y, x = np.ogrid[rows, columns]
    return (rows, columns), (x + 0.5 - disc.x) ** 2 + (y + 0.5 - disc.y) ** 2 <= disc.radius**2


def _fitted(seeds: list[Disc], edge: Mask) -> list[Disc]:
    """Fit each circle to the edge pixels that are nearer to it than to any other, and near it at all."""
    rows, columns = np.nonzero(edge)
    x, y = columns + 0.5, rows + 0.5
    best = np.full(len(x), np.inf)
    nearest = np.full(len(x), -1)
    for place, seed in enumerate(seeds):
        gap = np.abs(np.hypot(x - seed.x, y - seed.y) - seed.radius)
        nearest[gap < best] = place
        best = np.minimum(gap, best)
    owner = np.where(best <= _RIM_PX, nearest, -1)
    return [_circle(x[owner == place], y[owner == place], seed) for place, seed in enumerate(seeds)]


def _circle(x: Numbers, y: Numbers, seed: Disc) -> Disc:
    """Fit a circle by least squares (Kasa 1976) to edge pixels, whose centres lie half a pixel inside the edge.

    A fit that leaves the seed by more than the rim is none: the arc was too short.
    """
    columns = np.column_stack([x - seed.x, y - seed.y, np.ones_like(x)])
    squares = (x - seed.x) ** 2 + (y - seed.y) ** 2
    (a, b, c), _, rank, _ = np.linalg.lstsq(columns, squares, rcond=None)
    radius = math.sqrt(max(0.0, float(c + (a * a + b * b) / 4))) + 0.5
    moved = math.hypot(a, b) / 2
    if rank < columns.shape[1] or max(moved, abs(radius - seed.radius)) > _RIM_PX:
        return seed
    return Disc(x=seed.x + float(a) / 2, y=seed.y + float(b) / 2, radius=radius)


def _agreement(discs: list[Disc], inside: Mask) -> float:
    """Return intersection over union of the discs and the part."""
    made = np.zeros_like(inside)
    for disc in discs:
        window, own = _pixels(disc, inside.shape)
        made[window] |= own
    return float((made & inside).sum() / (made | inside).sum())
