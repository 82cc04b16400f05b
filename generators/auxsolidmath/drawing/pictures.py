"""Diagrams as pixels: drawn, and compared with what an image model returned."""

from __future__ import annotations

import hashlib
import io
import itertools
import math
import zlib
from dataclasses import asdict, dataclass
from functools import cache, cached_property
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generators.auxsolidmath.drawing.labels import Diagram, draw_text, make_diagram
from generators.auxsolidmath.registry import family_named
from generators.errors import PictureError
from generators.items import Item, canonical_json
from generators.png import MAX_PIXELS, PngSize, encode_rgb

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generators.auxsolidmath.drawing.projection import View
    from generators.auxsolidmath.exact import GivenIn
    from generators.auxsolidmath.naming import Naming
    from generators.auxsolidmath.problem import Problem
    from generators.items import JsonValue

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw

    from generators.auxsolidmath.drawing.labels import Diagram
    from generators.auxsolidmath.drawing.projection import Px
    from generators.items import Item

    Mask = NDArray[np.bool_]

__all__ = ["RED", "DiagramPicture", "DrawingDiagnostics", "ProblemSpec", "diagnose"]


@dataclass(frozen=True, kw_only=True)
class DiagramPicture:
    """The original diagram of a spec, or the one with the constructions."""

    item_id: str
    spec: ProblemSpec
    auxiliary: bool = False

    @cached_property
    def key(self) -> str:
        """SHA-256 over content, drawing sources and library versions, as 64 hex digits; imports none of them."""
        content = {
            "family": self.spec.family,
            "spec": self.spec.json(),
            "auxiliary": self.auxiliary,
            "source": _source_digest(self.spec.family),
            "libraries": [_version("pillow"), _version("matplotlib"), zlib.ZLIB_RUNTIME_VERSION],
        }
        return hashlib.sha256(canonical_json(content).encode()).hexdigest()

    def png(self) -> bytes:
        """Draw the picture and return the PNG file's bytes: the same on every run and in every process.

        Raises:
            PictureError: fonts or Pillow are missing or cannot be used.
        """
        try:
            return _drawn(self.spec.diagram(), auxiliary=self.auxiliary)
        except (ImportError, OSError, MemoryError) as error:
            raise PictureError(f"{self.item_id}: cannot draw the picture: {error}") from error


@cache
def _source_digest(family: str) -> str:
    package = Path(__file__).parents[1]
    families = package / "families"
    shared = [*sorted(package.glob("*.py")), *sorted((package / "drawing").glob("*.py")), families / "__init__.py"]
    digest = hashlib.sha256()
    for path in (*shared, families / f"{family.lower()}.py", package.parent / "png.py"):
        digest.update(path.read_bytes())
    return digest.hexdigest()


@cache
def _version(distribution: str) -> str:
    return version(distribution)


RED = (200, 0, 0)
"""Colour of what the constructions add."""

_SCALE = 4
_LINE_PX = 2.0
_MARK_PX = 1.5
_DOT_PX = 3.0
_DASH_PX = 8.0
_GAP_PX = 6.0


def _drawn(diagram: Diagram, *, auxiliary: bool) -> bytes:
    """Draw the original, black on white, as PNG; constructions go over it in red and change nothing else."""
    from PIL import Image, ImageChops  # noqa: PLC0415 - only where something is drawn

    ink = ImageChops.invert(_coverage(diagram, added=False))
    picture = Image.merge("RGB", (ink, ink, ink))
    if auxiliary:
        picture.paste(Image.new("RGB", picture.size, RED), mask=_coverage(diagram, added=True))
    return encode_rgb(picture.tobytes(), PngSize(width=picture.width, height=picture.height))


def _coverage(diagram: Diagram, *, added: bool) -> Image:
    """Draw one of the two layers as coverage, 255 where there is ink."""
    from PIL import Image, ImageDraw  # noqa: PLC0415 - only where something is drawn

    projected = diagram.projected
    size = projected.canvas.width_px * _SCALE, projected.canvas.height_px * _SCALE
    layer = Image.new("L", size, 0)
    draw = ImageDraw.Draw(layer)
    lines, marks, dots = (
        (projected.added_lines, projected.added_marks, projected.added)
        if added
        else (projected.lines, projected.marks, projected.dots)
    )
    for line in lines:
        for run in _dashes(line.places) if line.hidden else [line.places]:
            _stroke(draw, run, _LINE_PX)
    for mark in marks:
        _stroke(draw, mark.places, _MARK_PX)
    for label in dots:
        _disc(draw, projected.places[label], _DOT_PX)
    for text in diagram.lettering:
        if text.added is added:
            draw_text(draw, text.text, middle_px=text.middle_px, scale=_SCALE)
    return layer.reduce(_SCALE)


def _stroke(draw: ImageDraw, places: Sequence[Px], width_px: float) -> None:
    """Draw a run with round ends and joints."""
    enlarged = [(x * _SCALE, y * _SCALE) for x, y in places]
    draw.line(enlarged, fill=255, width=round(width_px * _SCALE))
    for x, y in places:
        _disc(draw, (x, y), width_px / 2)


def _disc(draw: ImageDraw, place: Px, radius_px: float) -> None:
    x, y, radius = place[0] * _SCALE, place[1] * _SCALE, radius_px * _SCALE
    draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=255)


def _dashes(places: Sequence[Px]) -> Iterator[list[Px]]:
    """Cut a run into dashes of equal length; the run begins and ends with a whole one."""
    total = math.fsum(math.dist(places[at], places[at + 1]) for at in range(len(places) - 1))
    count = max(1, round((total + _GAP_PX) / (_DASH_PX + _GAP_PX)))
    period = (total + _GAP_PX) / count
    for dash in range(count):
        start = dash * period
        yield list(_between(places, start, min(total, start + period - _GAP_PX)))


def _between(places: Sequence[Px], start: float, end: float) -> Iterator[Px]:
    """Yield the places of a run from one distance along it to another."""
    walked = 0.0
    for first, last in _steps(places):
        length = math.dist(first, last)
        for at in _inside(walked, length, (start, end)):
            share = (at - walked) / length
            yield first[0] + (last[0] - first[0]) * share, first[1] + (last[1] - first[1]) * share
        walked += length


def _steps(places: Sequence[Px]) -> Iterable[tuple[Px, Px]]:
    return ((places[at], places[at + 1]) for at in range(len(places) - 1) if places[at] != places[at + 1])


def _inside(walked: float, length: float, part: tuple[float, float]) -> tuple[float, ...]:
    """Return the distances at which a part enters and leaves one step of a run, if it does."""
    start, end = max(walked, part[0]), min(walked + length, part[1])
    return (start, end) if start <= end else ()


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
    """Mark all pixels that are at most `by_px` away from a marked one, across and up or down."""
    wide = mask.copy()
    for step in range(1, by_px + 1):
        wide[:, step:] |= mask[:, :-step]
        wide[:, :-step] |= mask[:, step:]
    tall = wide.copy()
    for step in range(1, by_px + 1):
        tall[step:] |= wide[:-step]
        tall[:-step] |= wide[step:]
    return tall


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


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemSpec:
    """A family's parameters, where sizes are given, the letters and the view."""

    family: str
    params: object
    given_in: GivenIn
    naming: Naming
    view: View

    def problem(self) -> Problem:
        """Return the problem in the family's own letters."""
        return family_named(self.family).build(self.params)

    def diagram(self) -> Diagram:
        """Return both drawings, laid out."""
        givens = family_named(self.family).givens(self.params)
        marked = givens if self.given_in == "figure" else ()
        return make_diagram(self.problem(), self.view, self.naming, marked)

    def json(self) -> dict[str, JsonValue]:
        """Return what the pictures are drawn from, for records and cache keys."""
        return {
            "given_in": self.given_in,
            "labels": dict(self.naming.letters),
            "solid": asdict(self.params),  # type: ignore[call-overload]
            "view": self.view.json(),
        }
