"""The unit in parentheses at the end of an axis's name, and scales in its base unit."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image, ImageDraw, ImageFont
from scipy import ndimage

from bench.models.reader.picture import EIGHT, runs_of
from bench.models.reader.plots.labels import INK, cropped, font_file
from bench.models.reader.plots.readings import CannotReadError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.reader.picture import FloatArray, MaskArray
    from bench.models.reader.plots.axes import AxesBox, AxisScale
    from bench.models.reader.plots.plot import MeasuredPlot

__all__ = ["UNITS", "in_base_units"]

PREFIXES = {"n": 1e-9, "µ": 1e-6, "m": 1e-3, "": 1.0, "k": 1e3, "M": 1e6, "G": 1e9}
PREFIXED = ("s", "Hz", "V", "A", "N·m", "rad/s")
ALONE = ("dB", "deg", "rpm", "m³/h", "m", "MPa")
UNITS: Mapping[str, tuple[float, str]] = {
    "%": (1e-2, ""),
    **{unit: (1.0, unit) for unit in ALONE},
    **{prefix + unit: (size, unit) for prefix, size in PREFIXES.items() for unit in PREFIXED},
}
"""Each unit that is known: how many base units it is, and which; a plain number has the base unit ""."""
PLAIN_NUMBER = (1.0, "")

FINER = 8
LARGE_PX = 200
FONT_STEP_PX = 0.25
SLIMMEST = 2.2
LEAST_HEIGHT_PX = 8
LEAST_BEND = 0.15
WIDEST_GAP = 1.2
END_SHARE = 0.2
SIZE_SLACK = 0.1
LEAST_SCORE = 0.75
LEAST_LEAD = 0.02
SHIFTS_PX = (-1, 0, 1)


def in_base_units(plot: MeasuredPlot, bases: tuple[str, str]) -> MeasuredPlot:
    """Return the plot with scales in the base units of what is written along its x and y axis.

    Raises:
        CannotReadError: an axis has no name, a unit that cannot be read, or one of another base unit.
    """
    darkness = plot.picture.darkness
    below, beside = _name_below(darkness, plot.box), _name_beside(darkness, plot.box)
    x_size, y_size = _size(below, "x", bases[0]), _size(beside, "y", bases[1])
    return replace(plot, x=_scaled(plot.x, x_size), y=_scaled(plot.y, y_size))


def _size(line: FloatArray, name: str, base: str) -> float:
    size, found = _unit(line, name)
    if found != base:
        shown, wanted = found or "a plain number", base or "a plain number"
        raise CannotReadError(f"the {name} axis shows {shown} instead of {wanted}")
    return size


def _scaled(scale: AxisScale, size: float) -> AxisScale:
    if scale.log:
        return replace(scale, origin_px=scale.origin_px - scale.px_per_unit * float(np.log10(size)))
    return replace(scale, px_per_unit=scale.px_per_unit / size)


def _name_below(darkness: FloatArray, box: AxesBox) -> FloatArray:
    """Return the lowest line of text under the axes."""
    return _outermost_line(darkness[box.bottom.last + 1 :][::-1], "x")[::-1]


def _name_beside(darkness: FloatArray, box: AxesBox) -> FloatArray:
    """Return the leftmost line of text beside the axes, turned upright."""
    return _outermost_line(darkness[:, : box.left.first].T, "y")[:, ::-1]


def _outermost_line(margin: FloatArray, name: str) -> FloatArray:
    """Return the first line of text of a margin whose row 0 is the picture's rim."""
    lines = runs_of(np.any(margin > INK, axis=1))
    first, after = lines[0] if lines else (0, 0)
    if len(lines) < 2 or not _is_one_word(margin[first:after]):  # noqa: PLR2004 - labels follow
        raise CannotReadError(f"the {name} axis has no name")
    if first == 0:
        raise CannotReadError(f"the name of the {name} axis is cut off")
    return margin[first:after]


def _is_one_word(line: FloatArray) -> bool:
    """Whether no gap along a line is as wide as those between the labels of an axis."""
    inked = np.flatnonzero(np.any(line > INK, axis=0))
    return bool(np.diff(inked).max(initial=0) <= WIDEST_GAP * line.shape[0])


def _unit(line: FloatArray, name: str) -> tuple[float, str]:
    """Return how many base units one unit of an axis is, and which; a name without parentheses has none.

    Raises:
        CannotReadError: there is a parenthesis, but no unit between two that can be read.
    """
    labelled, _ = ndimage.label(line > INK, structure=EIGHT)
    places = sorted(ndimage.find_objects(labelled), key=lambda place: place[1].start)
    shapes = [(line[place] > INK, place) for place in places]
    closing = next((place for shape, place in shapes[-1:] if _is_bent(shape, towards=1)), None)
    opening = next((place for shape, place in shapes[::-1] if _is_bent(shape, towards=-1)), None)
    if opening is None and closing is None:
        return PLAIN_NUMBER
    if opening is None or closing is None:
        raise CannotReadError(f"the unit of the {name} axis cannot be read")
    word = line[:, opening[1].start : closing[1].stop]
    return UNITS[_recognised(cropped(word), closing[0].stop - closing[0].start, name)]


def _is_bent(shape: MaskArray, *, towards: int) -> bool:
    """Whether a character is slim and its middle lies farther right (1) or left (-1) than both ends."""
    height, width = shape.shape
    if height < SLIMMEST * width or height < LEAST_HEIGHT_PX:
        return False
    ends = max(1, round(END_SHARE * height))
    columns = np.arange(width)
    half = (height - ends) // 2
    top, middle, bottom = (
        float((part * columns).sum()) / max(1, int(part.sum()))
        for part in (shape[:ends], shape[half : half + ends], shape[-ends:])
    )
    return bool(min(towards * (middle - top), towards * (middle - bottom)) > LEAST_BEND * width)


def _recognised(word: FloatArray, parenthesis_px: int, name: str) -> str:
    """Return the unit whose rendering, parentheses included, is most like the word."""
    usual_px = parenthesis_px / _size_em(")")[1]
    scores = sorted((_likeness(word, f"({unit})", usual_px), unit) for unit in UNITS)
    (second, _), (best, unit) = scores[-2:]
    if best < LEAST_SCORE or best - second < LEAST_LEAD:
        raise CannotReadError(f"the unit of the {name} axis cannot be read")
    return unit


def _likeness(word: FloatArray, text: str, usual_px: float) -> float:
    """Return the best correlation with a text as wide as the word; -1 where its size is unusual."""
    size_px = round(word.shape[1] / _size_em(text)[0] / FONT_STEP_PX) * FONT_STEP_PX
    if abs(size_px - usual_px) > SIZE_SLACK * usual_px:
        return -1.0
    other = _rendered(text, size_px)
    rows, columns = (max(word.shape[axis], other.shape[axis]) + 2 for axis in (0, 1))
    here = _laid(word, rows, columns, 1, 1)
    there = [_laid(other, rows, columns, 1 + down, 1 + right) for down in SHIFTS_PX for right in SHIFTS_PX]
    return max(float((here * one).sum()) for one in there)


def _laid(ink: FloatArray, rows: int, columns: int, down: int, right: int) -> FloatArray:
    """Lay ink on a page, soften it by a pixel and normalise it."""
    page = np.zeros((rows + 2, columns + 2))
    page[down : down + ink.shape[0], right : right + ink.shape[1]] = ink
    soft = ndimage.uniform_filter(page, 2)
    soft -= soft.mean()
    return np.asarray(soft / max(float(np.linalg.norm(soft)), 1e-12))


@lru_cache(maxsize=128)
def _size_em(text: str) -> tuple[float, float]:
    """Return width and height of a text's ink at size 1."""
    left, top, right, bottom = ImageFont.truetype(str(font_file()), LARGE_PX).getmask(text).getbbox()
    return (right - left) / LARGE_PX, (bottom - top) / LARGE_PX


@lru_cache(maxsize=512)
def _rendered(text: str, size_px: float) -> FloatArray:
    """Render a text large and average it down: outlines as they are, not fitted to pixels."""
    font = ImageFont.truetype(str(font_file()), size_px * FINER)
    left, top, right, bottom = (int(edge) for edge in font.getbbox(text))
    width, height = ((right - left) // FINER + 3) * FINER, ((bottom - top) // FINER + 3) * FINER
    page = Image.new("L", (width, height), 0)
    ImageDraw.Draw(page).text((FINER - left, FINER - top), text, fill=255, font=font)
    ink = np.asarray(page, dtype=np.float64) / 255.0
    blocks = ink.reshape(height // FINER, FINER, width // FINER, FINER)
    return cropped(blocks.mean(axis=(1, 3)))
