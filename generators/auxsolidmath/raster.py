"""Diagrams as pixels: drawn four times too large with Pillow, then reduced; constructions red on top."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from generators.auxsolidmath.lettering import draw_text
from generators.png import PngSize, encode_rgb

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw

    from generators.auxsolidmath.canvas import Px
    from generators.auxsolidmath.diagram import Diagram

__all__ = ["RED", "auxiliary_image", "original_image", "png_of"]

RED = (200, 0, 0)
"""Colour of what the constructions add."""

_SCALE = 4
_LINE_PX = 2.0
_MARK_PX = 1.5
_DOT_PX = 3.0
_DASH_PX = 8.0
_GAP_PX = 6.0


def original_image(diagram: Diagram) -> Image:
    """Draw the original: black on white, RGB."""
    from PIL import Image, ImageChops  # noqa: PLC0415 - only where something is drawn

    ink = ImageChops.invert(_ink(diagram, added=False))
    return Image.merge("RGB", (ink, ink, ink))


def auxiliary_image(diagram: Diagram) -> Image:
    """Draw the original and, over it, the constructions in red; elsewhere both pictures are equal."""
    from PIL import Image  # noqa: PLC0415 - only where something is drawn

    picture = original_image(diagram)
    picture.paste(Image.new("RGB", picture.size, RED), mask=_ink(diagram, added=True))
    return picture


def png_of(image: Image) -> bytes:
    """Return an RGB image as a PNG file without metadata."""
    return encode_rgb(image.tobytes(), PngSize(width=image.width, height=image.height))


def _ink(diagram: Diagram, *, added: bool) -> Image:
    """Draw one of the two layers as coverage, 255 where there is ink."""
    from PIL import Image, ImageDraw  # noqa: PLC0415 - only where something is drawn

    sketch = diagram.sketch
    size = sketch.canvas.width_px * _SCALE, sketch.canvas.height_px * _SCALE
    layer = Image.new("L", size, 0)
    draw = ImageDraw.Draw(layer)
    lines, marks, dots = (
        (sketch.added_lines, sketch.added_marks, sketch.added_dots)
        if added
        else (sketch.lines, sketch.marks, sketch.dots)
    )
    for line in lines:
        for run in _dashes(line.places) if line.hidden else [line.places]:
            _stroke(draw, run, _LINE_PX)
    for mark in marks:
        _stroke(draw, mark.places, _MARK_PX)
    for label in dots:
        _disc(draw, sketch.places[label], _DOT_PX)
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
