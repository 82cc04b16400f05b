"""From a PNG file to spots: how much of each pixel they cover, their centres and diameters; those in touch too."""

from __future__ import annotations

import io
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from PIL import Image
from scipy import ndimage

from generators.png import check_png

if TYPE_CHECKING:
    from bench.models.reader.picture import FloatArray, MaskArray

    Coverage = npt.NDArray[np.float32]

__all__ = [
    "LEAST_RADIUS_PX",
    "MAX_DISCS",
    "MAX_PIXELS",
    "MAX_SPOTS",
    "Disc",
    "Spots",
    "UnreadableError",
    "find_spots",
    "spot_coverage",
    "touching_discs",
]

MAX_PIXELS = 8_000_000
"""Largest picture looked at, width times height; more would cost seconds and half a gigabyte."""

_LEAST_CONTRAST = 0.1
"""Share of the whole range from black to white that spots must differ by from the ground."""

_PLATEAU_PERCENTILE = 75
_DEEP_MODE = 65535.0
_BYTE = 255.0

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

MAX_SPOTS = 5_000
"""A picture with more separate parts is noise, or nothing that can be counted with care."""

_COVERED = 1 / 8
_ROUND = 1.06
_HALF_ROUND = 1.3


class UnreadableError(ValueError):
    """The picture, or what it shows, cannot be read.

    The message is fit for a reply, and worded so that no scorer takes it for an answer ("no spots" would be one).
    """


def spot_coverage(picture: bytes) -> Coverage:
    """Return for each pixel, in rows from the top, the share covered by spots, 0 to 1.

    The ground is the median grey; spots are what differs from it most, brighter or darker. Their full level is the
    upper quartile of the pixels beyond half the largest difference: most of a spot's pixels lie inside its rim.
    A picture of one colour has no coverage anywhere.

    Raises:
        UnreadableError: no whole PNG file, or too large.
    """
    difference = _grey(picture)
    difference -= np.float32(np.median(difference))
    low, high = float(difference.min()), float(difference.max())
    if max(-low, high) < _LEAST_CONTRAST:
        return np.zeros_like(difference)
    if -low > high:
        np.negative(difference, out=difference)
        high = -low
    level = np.percentile(difference[difference > high / 2], _PLATEAU_PERCENTILE)
    difference /= np.float32(level)
    return np.clip(difference, 0.0, 1.0, out=difference)


def _grey(picture: bytes) -> Coverage:
    """Return luminance from 0 (black) to 1 (white); what is transparent lies on white."""
    try:
        size = check_png(picture)
    except ValueError:
        raise UnreadableError("the file is damaged, or far too large") from None
    if size.width * size.height > MAX_PIXELS:
        raise UnreadableError("it is larger than what I look at")
    try:
        with Image.open(io.BytesIO(picture), formats=["PNG"]) as opened:
            return _luminance(opened)
    except (OSError, SyntaxError, ValueError):
        raise UnreadableError("its pixels cannot be decoded") from None


def _luminance(image: Image.Image) -> Coverage:
    if image.mode.startswith("I"):
        return np.asarray(image, dtype=np.float32) / np.float32(_DEEP_MODE)
    if image.has_transparency_data:
        paper = Image.new("RGBA", image.size, "white")
        image = Image.alpha_composite(paper, image.convert("RGBA"))
    return np.asarray(image.convert("L"), dtype=np.float32) / np.float32(_BYTE)


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


def _seeds(distance: FloatArray, *, least_radius: float) -> list[Disc]:
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


def _pixels(disc: Disc, shape: tuple[int, ...]) -> tuple[tuple[slice, slice], MaskArray]:
    """Return the window of a disc and which of its pixels have their centres inside."""
    rows, columns = (
        slice(max(0, math.floor(middle - disc.radius)), min(size, math.ceil(middle + disc.radius)))
        for middle, size in zip((disc.y, disc.x), shape, strict=True)
    )
    y, x = np.ogrid[rows, columns]
    return (rows, columns), (x + 0.5 - disc.x) ** 2 + (y + 0.5 - disc.y) ** 2 <= disc.radius**2


def _fitted(seeds: list[Disc], edge: MaskArray) -> list[Disc]:
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


def _circle(x: FloatArray, y: FloatArray, seed: Disc) -> Disc:
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


def _agreement(discs: list[Disc], inside: MaskArray) -> float:
    """Return intersection over union of the discs and the part."""
    made = np.zeros_like(inside)
    for disc in discs:
        window, own = _pixels(disc, inside.shape)
        made[window] |= own
    return float((made & inside).sum() / (made | inside).sum())


@dataclass(frozen=True, slots=True, kw_only=True)
class Spots:
    """Spots in reading order: centres from the picture's top left corner, diameters; all in pixels.

    Pixel column i reaches from x = i to i + 1. `whole` are those that the picture's border does not cut; of the
    others only what shows is measured. The arrays are of equal length.
    """

    x_px: FloatArray
    y_px: FloatArray
    diameter_px: FloatArray
    whole: MaskArray

    def __len__(self) -> int:
        return len(self.x_px)

    @property
    def places_px(self) -> FloatArray:
        """Centres, (N, 2), x and y."""
        return np.column_stack([self.x_px, self.y_px])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Parts:
    """Sums over each connected part; `roundness` is 1 for a disc and larger for any other shape."""

    x: FloatArray
    y: FloatArray
    area: FloatArray
    roundness: FloatArray


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
    covered = coverage >= _COVERED
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
    places = np.flatnonzero(coverage >= _COVERED)
    owner = labels.ravel()[places]
    weight = coverage.ravel()[places].astype(np.float64)
    rows, columns = np.divmod(places, coverage.shape[1])
    x, y = columns + 0.5, rows + 0.5

    def total(values: FloatArray) -> FloatArray:
        return np.bincount(owner, weights=values, minlength=count + 1)[1:].astype(np.float64)

    area = total(weight)
    centre_x, centre_y = total(weight * x) / area, total(weight * y) / area
    moment = total(weight * ((x - centre_x[owner - 1]) ** 2 + (y - centre_y[owner - 1]) ** 2))
    return _Parts(x=centre_x, y=centre_y, area=area, roundness=2 * math.pi * moment / area**2)


def _circles(parts: _Parts, chosen: MaskArray) -> tuple[list[float], list[float], list[float]]:
    radius = np.sqrt(parts.area[chosen] / math.pi)
    return parts.x[chosen].tolist(), parts.y[chosen].tolist(), radius.tolist()


def _sorted(discs: list[Disc], *, width_px: int, height_px: int) -> Spots:
    ordered = sorted(discs, key=lambda disc: (disc.y, disc.x))
    x = np.array([disc.x for disc in ordered], dtype=np.float64)
    y = np.array([disc.y for disc in ordered], dtype=np.float64)
    radius = np.array([disc.radius for disc in ordered], dtype=np.float64)
    inside = (np.minimum(x, y) >= radius) & (x + radius <= width_px) & (y + radius <= height_px)
    return Spots(x_px=x, y_px=y, diameter_px=2 * radius, whole=inside)
