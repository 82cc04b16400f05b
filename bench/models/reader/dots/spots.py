"""From coverage to spots: connected parts, their centres and diameters; parts that are several spots are split."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from scipy import ndimage

from bench.models.reader.dots.picture import UnreadableError
from bench.models.reader.dots.splitting import Disc, touching_discs

if TYPE_CHECKING:
    from bench.models.reader.dots.picture import Coverage

    Numbers = npt.NDArray[np.float64]

__all__ = ["LEAST_DIAMETER_PX", "MAX_SPOTS", "Spots", "find_spots"]

MAX_SPOTS = 5_000
"""A picture with more separate parts is noise, or nothing that can be counted with care."""

LEAST_DIAMETER_PX = 3.0
"""Parts smaller than that have no shape: they are specks, no spots."""

_RIM = 1 / 8
_ROUND = 1.06


@dataclass(frozen=True, slots=True, kw_only=True)
class Spots:
    """Spots in reading order: centres from the picture's top left corner, diameters; all in pixels.

    Pixel column i reaches from x = i to i + 1. The arrays are of equal length.
    """

    x_px: Numbers
    y_px: Numbers
    diameter_px: Numbers

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
    than 6 % (two discs in touch exceed it by 200 %) is taken apart into discs.

    Raises:
        UnreadableError: more than `MAX_SPOTS` parts, or a part that no discs make up.
    """
    covered = coverage >= _RIM
    labels, count = ndimage.label(covered, structure=np.ones((3, 3), dtype=bool))
    if count > MAX_SPOTS:
        raise UnreadableError("it is full of specks")
    parts = _measure(coverage, labels, count)
    large = parts.area >= math.pi * (LEAST_DIAMETER_PX / 2) ** 2
    lone = large & (parts.roundness <= _ROUND)
    discs = [Disc(x=x, y=y, radius=r) for x, y, r in zip(*_circles(parts, lone), strict=True)]
    joined = np.flatnonzero(large & ~lone)
    boxes = ndimage.find_objects(labels) if len(joined) else []
    for place in joined:
        box = boxes[place]
        own = np.where(labels[box] == place + 1, coverage[box], np.float32(0))
        discs += touching_discs(own, left=box[1].start, top=box[0].start)
    return _sorted(discs)


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


def _sorted(discs: list[Disc]) -> Spots:
    ordered = sorted(discs, key=lambda disc: (disc.y, disc.x))
    return Spots(
        x_px=np.array([disc.x for disc in ordered], dtype=np.float64),
        y_px=np.array([disc.y for disc in ordered], dtype=np.float64),
        diameter_px=np.array([2 * disc.radius for disc in ordered], dtype=np.float64),
    )
