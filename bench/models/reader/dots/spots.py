"""From coverage to spots: connected parts, their centres and diameters; parts that are several spots are split."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from scipy import ndimage

from bench.models.reader.dots.picture import UnreadableError
from bench.models.reader.dots.splitting import LEAST_RADIUS_PX, Disc, touching_discs

if TYPE_CHECKING:
    from bench.models.reader.dots.picture import Coverage

    Numbers = npt.NDArray[np.float64]

__all__ = ["MAX_SPOTS", "Spots", "find_spots"]

MAX_SPOTS = 5_000
"""A picture with more separate parts is noise, or nothing that can be counted with care."""

_RIM = 1 / 8
_ROUND = 1.06
_HALF_ROUND = 1.3


@dataclass(frozen=True, slots=True, kw_only=True)
class Spots:
    """Spots in reading order: centres from the picture's top left corner, diameters; all in pixels.

    Pixel column i reaches from x = i to i + 1. `whole` are those that the picture's border does not cut; of the
    others only what shows is measured. The arrays are of equal length.
    """

    x_px: Numbers
    y_px: Numbers
    diameter_px: Numbers
    whole: npt.NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.x_px)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Parts:
    """Sums over each connected part; `roundness` is 1 for a disc and larger for any other shape."""

    x: Numbers
    y: Numbers
    area: Numbers
    roundness: Numbers


def find_spots(coverage: Coverage) -> Spots:
    """Return all spots of a picture.

    A part is all that hangs together of the pixels covered by an eighth or more: rims between black gaps of one
    pixel stay apart. Its centre is the centroid of coverage and its diameter that of a disc of equal area, both
    exact for a rim that grows evenly, and good to 0.05 px.

    A disc has the least polar moment of all shapes of its area, area^2 / (2 pi): a part that exceeds it by more
    than 6 % (two discs in touch exceed it by 50 %) is taken apart into discs. What the border cuts is one spot if
    at least about half of it shows (half a disc exceeds the least moment by 28 %).

    Raises:
        UnreadableError: more than `MAX_SPOTS` parts, or a part that no discs make up.
    """
    covered = coverage >= _RIM
    labels, count = ndimage.label(covered, structure=np.ones((3, 3), dtype=bool))
    if count > MAX_SPOTS:
        raise UnreadableError("it is full of specks")
    parts = _measure(coverage, labels, count)
    large = parts.area >= math.pi * LEAST_RADIUS_PX**2
    touches = np.zeros(count + 1, dtype=bool)
    touches[np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])] = True
    lone = large & (parts.roundness <= np.where(touches[1:], _HALF_ROUND, _ROUND))
    discs = [Disc(x=x, y=y, radius=r) for x, y, r in zip(*_circles(parts, lone), strict=True)]
    joined = np.flatnonzero(large & ~lone)
    boxes = ndimage.find_objects(labels) if len(joined) else []
    for place in joined:
        box = boxes[place]
        own = np.where(labels[box] == place + 1, coverage[box], np.float32(0))
        discs += touching_discs(own, left=box[1].start, top=box[0].start)
    return _sorted(discs, width_px=coverage.shape[1], height_px=coverage.shape[0])


def _measure(coverage: Coverage, labels: npt.NDArray[np.int32], count: int) -> _Parts:
    places = np.flatnonzero(coverage >= _RIM)
    owner = labels.ravel()[places]
    weight = coverage.ravel()[places].astype(np.float64)
    rows, columns = np.divmod(places, coverage.shape[1])
    x, y = columns + 0.5, rows + 0.5

    def total(values: Numbers) -> Numbers:
        return np.bincount(owner, weights=values, minlength=count + 1)[1:].astype(np.float64)

    area = total(weight)
    centre_x, centre_y = total(weight * x) / area, total(weight * y) / area
    moment = total(weight * ((x - centre_x[owner - 1]) ** 2 + (y - centre_y[owner - 1]) ** 2))
    return _Parts(x=centre_x, y=centre_y, area=area, roundness=2 * math.pi * moment / area**2)


def _circles(parts: _Parts, chosen: npt.NDArray[np.bool_]) -> tuple[list[float], list[float], list[float]]:
    radius = np.sqrt(parts.area[chosen] / math.pi)
    return parts.x[chosen].tolist(), parts.y[chosen].tolist(), radius.tolist()


def _sorted(discs: list[Disc], *, width_px: int, height_px: int) -> Spots:
    ordered = sorted(discs, key=lambda disc: (disc.y, disc.x))
    x = np.array([disc.x for disc in ordered], dtype=np.float64)
    y = np.array([disc.y for disc in ordered], dtype=np.float64)
    radius = np.array([disc.radius for disc in ordered], dtype=np.float64)
    inside = (np.minimum(x, y) >= radius) & (x + radius <= width_px) & (y + radius <= height_px)
    return Spots(x_px=x, y_px=y, diameter_px=2 * radius, whole=inside)
