"""What a returned drawing did to the diagram, measured in pixels: no judge, and no part of any accuracy.

The drawing is first laid over the original: resized, or cut free of padding and resized, then shifted by a few
pixels, whichever keeps most of the original's ink. Lines are known from the item's points and projection.
"""

from __future__ import annotations

import io
import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from generators.errors import PictureError
from generators.png import MAX_PIXELS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image

    from generators.auxsolidmath.canvas import Px
    from generators.items import Item

    Mask = NDArray[np.bool_]

__all__ = ["DrawingDiagnostics", "diagnose"]

_INK_BELOW = 160
_KEPT_WITHIN_PX = 2
_BAND_PX = 4
_LABEL_PX = 32
_SHIFTS_PX = tuple(range(-6, 7, 2))
_SETTLED = 0.98


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawingDiagnostics:
    """Shares of 0 to 1.

    `ink_kept`: of the original's ink, how much is still there. `gold_covered`: of the constructions' segments, by
    length and where the original has no ink, how much new ink covers. `segments`: the same for each segment, None
    where it lies on original ink throughout. `stray_ink`: of the new ink, how much lies neither near a named point
    nor on a line through two of them; 0 when there is no new ink.
    """

    ink_kept: float
    gold_covered: float
    stray_ink: float
    segments: Mapping[str, float | None]


def diagnose(item: Item, drawing: bytes) -> DrawingDiagnostics:
    """Compare a returned drawing with an item of the generator.

    Raises:
        ValueError: the item has no points and projection, as those of a data file.
        PictureError: the bytes are no picture, or one of more than `MAX_PIXELS` pixels.
    """
    if "projection" not in item.extra:
        raise ValueError(f"{item.id}: expected an item with points and projection, got one without")
    original = _opened(item.picture.png(), item.id)
    ink = _ink(original)
    returned = _registered(_opened(drawing, item.id), original.size, ink)
    new = returned & ~_widened(ink, _BAND_PX)
    places = _places(item)
    free = ~_widened(ink, _BAND_PX)
    reached = _widened(new, _BAND_PX)
    covered, lengths = {}, {}
    for start, end in _segments(item):
        line = _sampled(places[start], places[end])
        open_part = [(x, y) for x, y in line if free[y, x]]
        hit = sum(bool(reached[y, x]) for x, y in open_part)
        covered[f"{start}{end}"] = hit / len(open_part) if open_part else None
        lengths[f"{start}{end}"] = len(open_part)
    total = sum(lengths.values())
    return DrawingDiagnostics(
        ink_kept=_share(ink & _widened(returned, _KEPT_WITHIN_PX), ink),
        gold_covered=sum((covered[name] or 0.0) * lengths[name] for name in covered) / total if total else 0.0,
        stray_ink=_stray(new, list(places.values())),
        segments=covered,
    )


def _opened(data: bytes, item_id: str) -> Image:
    """Decode a picture onto white."""
    from PIL import Image, UnidentifiedImageError  # noqa: PLC0415 - only where a picture is measured

    try:
        with Image.open(io.BytesIO(data)) as image:
            if image.width * image.height > MAX_PIXELS:
                size = f"{image.width} x {image.height}"
                raise PictureError(f"{item_id}: expected a drawing of at most {MAX_PIXELS} pixels, got {size}")
            layer = image.convert("RGBA")
    except (UnidentifiedImageError, Image.DecompressionBombError, SyntaxError, ValueError) as error:
        raise PictureError(f"{item_id}: expected a picture as drawing, got {len(data)} bytes: {error}") from error
    paper = Image.new("RGBA", layer.size, "white")
    paper.alpha_composite(layer)
    return paper.convert("RGB")


def _ink(image: Image) -> Mask:
    """Mark pixels that are dark in at least one channel: black and coloured lines alike."""
    import numpy as np  # noqa: PLC0415 - only where a picture is measured

    ink: Mask = np.asarray(image).min(axis=2) < _INK_BELOW
    return ink


def _registered(drawing: Image, size: tuple[int, int], ink: Mask) -> Mask:
    """Return the drawing's ink where it fits the original best."""
    near = _widened(ink, _KEPT_WITHIN_PX)
    fits = [_ink(drawing.resize(size, box=box)) for box in _boxes(drawing.size, size)]
    best = max(fits, key=lambda found: _share(found & near, ink))
    if _share(ink & _widened(best, 1), ink) >= _SETTLED:
        return best
    shifts = itertools.product(fits, _SHIFTS_PX, _SHIFTS_PX)
    moved = (_shifted(found, dx, dy) for found, dx, dy in shifts)
    return max(moved, key=lambda found: _share(found & near, ink))


def _boxes(given: tuple[int, int], wanted: tuple[int, int]) -> Iterator[tuple[float, float, float, float]]:
    """Yield the part of a drawing that may hold the original: all of it, or its middle in the same proportion."""
    width, height = given
    yield 0.0, 0.0, float(width), float(height)
    scale = min(width / wanted[0], height / wanted[1])
    across, up = (width - scale * wanted[0]) / 2, (height - scale * wanted[1]) / 2
    yield across, up, width - across, height - up


def _shifted(mask: Mask, dx: int, dy: int) -> Mask:
    import numpy as np  # noqa: PLC0415 - only where a picture is measured

    moved = np.zeros_like(mask)
    height, width = mask.shape
    moved[max(0, dy) : height + min(0, dy), max(0, dx) : width + min(0, dx)] = mask[
        max(0, -dy) : height + min(0, -dy), max(0, -dx) : width + min(0, -dx)
    ]
    return moved


def _widened(mask: Mask, by_px: int) -> Mask:
    import numpy as np  # noqa: PLC0415 - only where a picture is measured
    from PIL import Image, ImageFilter  # noqa: PLC0415

    grown = Image.fromarray(mask.astype(np.uint8) * 255).filter(ImageFilter.MaxFilter(2 * by_px + 1))
    wide: Mask = np.asarray(grown) > 0
    return wide


def _share(part: Mask, whole: Mask) -> float:
    total = int(whole.sum())
    return int(part.sum()) / total if total else 0.0


def _places(item: Item) -> dict[str, Px]:
    """Return the pixel of every named point."""
    projection: Any = item.extra["projection"]
    points: Any = item.extra["points3d"]
    left, top = projection["origin_px"]
    scale = projection["scale_px"]

    def along(axis: Sequence[float], point: Sequence[float]) -> float:
        return float(scale) * math.fsum(a * b for a, b in zip(axis, point, strict=True))

    return {
        label: (left + along(projection["right"], point), top - along(projection["up"], point))
        for label, point in points.items()
    }


def _segments(item: Item) -> list[tuple[str, str]]:
    steps: Any = item.extra["aux_ops"]
    return [(start, end) for step in steps for start, end in step["segments"]]


def _sampled(start: Px, end: Px) -> list[tuple[int, int]]:
    """Return the pixels at each step of a pixel along a segment; the canvas holds all of it."""
    steps = max(1, round(math.dist(start, end)))
    shares = [step / steps for step in range(steps + 1)]
    return [
        (int(start[0] + (end[0] - start[0]) * share), int(start[1] + (end[1] - start[1]) * share))
        for share in shares
    ]


def _stray(new: Mask, places: Sequence[Px]) -> float:
    """Return the share of new ink that is neither near a named point nor on a line through two of them."""
    import numpy as np  # noqa: PLC0415 - only where a picture is measured

    rows, columns = np.nonzero(new)
    if not rows.size:
        return 0.0
    explained = np.zeros(rows.shape, dtype=bool)
    for x, y in places:
        explained |= np.hypot(columns - x, rows - y) <= _LABEL_PX
    for (x0, y0), (x1, y1) in itertools.combinations(places, 2):
        off = (columns - x0) * (y1 - y0) - (rows - y0) * (x1 - x0)
        explained |= np.abs(off) <= _BAND_PX * math.hypot(x1 - x0, y1 - y0)
    return 1.0 - float(explained.mean())
