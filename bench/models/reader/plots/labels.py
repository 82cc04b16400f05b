"""Tick labels: the numbers beside the ticks, with decimals, signs, powers of ten and an axis's common factor.

Single characters are recognised by their shape in DejaVu Sans, the font that Matplotlib ships.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image, ImageDraw, ImageFont
from scipy import ndimage

from bench.models.reader.picture import EIGHT
from bench.models.reader.plots.axes import TickLabel
from bench.models.reader.plots.readings import CannotReadError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bench.models.reader.picture import FloatArray, IndexArray
    from bench.models.reader.plots.axes import AxesBox, FoundTicks

__all__ = ["INK", "Glyph", "cropped", "font_file", "read_labels", "recognise"]

NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d{1,3})?")
FACTOR = re.compile(r"1e[+-]?\d{1,3}")
EXPONENT = re.compile(r"-?\d{1,3}")
MOST_COMPONENTS = 4000
WIDEST_GAP = 0.42
FIRST_GAP = 1.6
WORD_GAP = 0.5
LIFTED_FOOT = 0.24
LIFTED_DASH = 0.62
BAND_GAP = 0.3
FACTOR_DIGITS = 5
FACTOR_RISE = 1.7
MOST_DIGIT_WIDTH = 0.95

INK = 0.42
CHARACTERS = "0123456789e+"
DIGIT_EM = 0.729
SUPERSCRIPT_SCALE = 0.7
GRID = (16, 24)
FLAT_SHARE = 0.27
DASH_SHARE = 0.33
SIZE_PENALTY = 0.48
SIZE_SLACK = 0.13
LEAST_SCORE = 0.55
PHASES_PX = (0.0, 0.34, 0.67)
FINER = 8
FONT_STEP_PX = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class _Component:
    top: int
    bottom: int
    left: int
    right: int
    ink: FloatArray

    @property
    def height(self) -> int:
        return self.bottom - self.top

    @property
    def middle(self) -> float:
        return (self.top + self.bottom - 1) / 2

    @property
    def centre(self) -> float:
        return (self.left + self.right - 1) / 2


def read_labels(
    darkness: FloatArray, box: AxesBox, x_ticks: FoundTicks, y_ticks: FoundTicks
) -> tuple[list[TickLabel], list[TickLabel]]:
    """Return the labels of the x axis and of the y axis that can be read; the others are left out.

    Raises:
        CannotReadError: there is no text where labels stand, or an axis's common factor cannot be read.
    """
    parts = _components(darkness, box, max(x_ticks.length_px, y_ticks.length_px))
    edge_px = box.left.first - y_ticks.length_px
    below = [part for part in parts if part.top >= box.bottom.last + x_ticks.length_px]
    beside = [part for part in parts if part.right <= edge_px + 1]
    band = _first_band(below)
    if not band:
        raise CannotReadError("no labels under the x axis")
    digit_px = float(np.percentile([part.height for part in band if part.height > 0.5 * _tallest(band)], 75))
    line_end_px = box.right.last - FACTOR_DIGITS * digit_px
    x_factor = _factor([part for part in below if part not in band and part.left > line_end_px], digit_px)
    y_factor = _factor([part for part in parts if _is_above_corner(part, box, digit_px)], digit_px)
    x_labels = _read_all(_at_columns(band, x_ticks.major_px), digit_px)
    y_labels = _read_all(_at_rows(beside, y_ticks.major_px, edge_px, digit_px), digit_px)
    return _scaled(x_labels, x_factor), _scaled(y_labels, y_factor)


def _components(darkness: FloatArray, box: AxesBox, ticks_px: int) -> list[_Component]:
    """Return what is dark and connected outside the box and its ticks."""
    outside = darkness.copy()
    rows = slice(max(0, box.top.first - 1), box.bottom.last + ticks_px + 2)
    columns = slice(max(0, box.left.first - ticks_px - 1), box.right.last + 2)
    outside[rows, box.left.first - 1 : columns.stop] = 0.0
    outside[rows.start : box.bottom.last + 2, columns] = 0.0
    labelled, count = ndimage.label(outside > INK, structure=EIGHT)
    if count > MOST_COMPONENTS:
        raise CannotReadError("noise instead of tick labels")
    found = []
    for number, (own_rows, own_columns) in enumerate(ndimage.find_objects(labelled), 1):
        ink = np.where(labelled[own_rows, own_columns] == number, outside[own_rows, own_columns], 0.0)
        found.append(
            _Component(
                top=own_rows.start,
                bottom=own_rows.stop,
                left=own_columns.start,
                right=own_columns.stop,
                ink=ink,
            )
        )
    return found


def _is_above_corner(part: _Component, box: AxesBox, digit_px: float) -> bool:
    """Whether a component stands on the left end of the upper spine, where the y axis has its factor."""
    high = box.top.first - FACTOR_RISE * digit_px <= part.top and part.bottom <= box.top.first
    return high and box.left.first - 2 <= part.left <= box.left.first + FACTOR_DIGITS * digit_px


def _tallest(parts: Iterable[_Component]) -> int:
    return max(part.height for part in parts)


def _first_band(parts: Sequence[_Component]) -> list[_Component]:
    """Return the topmost line of text: components whose rows overlap or nearly touch."""
    band: list[_Component] = []
    bottom: float | None = None
    for part in sorted(parts, key=lambda part: part.top):
        if bottom is not None and part.top > bottom + BAND_GAP * _tallest(band):
            break
        band.append(part)
        bottom = max(bottom or 0.0, part.bottom)
    return band


def _at_columns(band: Sequence[_Component], ticks_px: FloatArray) -> dict[float, list[_Component]]:
    """Give each component of the x labels to the tick that is nearest, within half the tick spacing."""
    spacing = np.diff(ticks_px).min() if ticks_px.size > 1 else np.inf
    found: dict[float, list[_Component]] = {float(px): [] for px in ticks_px}
    for part in band:
        nearest = float(ticks_px[np.abs(ticks_px - part.centre).argmin()])
        if abs(nearest - part.centre) <= spacing / 2:
            found[nearest].append(part)
    return found


def _at_rows(
    parts: Sequence[_Component], ticks_px: FloatArray, edge_px: int, digit_px: float
) -> dict[float, list[_Component]]:
    """Give each y tick the word that ends beside it, walking away from the axis to the first wide gap."""
    found: dict[float, list[_Component]] = {}
    for px in ticks_px:
        near = [part for part in parts if abs(part.middle - px) <= 0.9 * digit_px]
        word: list[_Component] = []
        end, gap = float(edge_px), FIRST_GAP * digit_px
        for part in sorted(near, key=lambda part: -part.right):
            if end - part.right > gap:
                break
            word.append(part)
            end, gap = min(end, part.left), WORD_GAP * digit_px
        found[float(px)] = word
    return found


def _read_all(words: dict[float, list[_Component]], digit_px: float) -> list[TickLabel]:
    found = []
    for px, word in words.items():
        read = _number(word, digit_px)
        if read is not None:
            found.append(TickLabel(px=px, value=read[0], power=read[1]))
    return found


def _number(word: Sequence[_Component], digit_px: float) -> tuple[float, bool] | None:
    """Return the number that a word spells and whether it is a power of ten; None where it spells none."""
    texts = _spelling(word, digit_px)
    if texts is None:
        return None
    main, lifted = texts
    if lifted:
        return (10.0 ** int(lifted), True) if main == "10" and EXPONENT.fullmatch(lifted) else None
    return (float(main), "e" in main) if NUMBER.fullmatch(main) else None


def _spelling(word: Sequence[_Component], digit_px: float) -> tuple[str, str] | None:
    """Return the characters on the line and those raised above it; None where one is not recognised."""
    parts = [piece for part in sorted(word, key=lambda part: part.left) for piece in _split(part, digit_px)]
    full = [part.bottom for part in parts if part.height > 0.85 * digit_px]
    if not full:
        return None
    foot = float(np.median(full))
    main, lifted = "", ""
    for before, part in zip([None, *parts], parts, strict=False):
        glyph = recognise(part.ink, digit_px)
        if glyph is None or (before is not None and part.left - before.right > WIDEST_GAP * digit_px):
            return None  # a wide gap is a point too faint to be seen
        rise = foot - (part.middle if glyph.character == "-" else part.bottom)
        if rise > (LIFTED_DASH if glyph.character == "-" else LIFTED_FOOT) * digit_px:
            lifted += glyph.character
        elif lifted or (glyph.small and glyph.character != "e"):
            return None
        else:
            main += glyph.character
    return main, lifted


def _split(part: _Component, digit_px: float) -> list[_Component]:
    """Cut characters that touch: at the thinnest column near the middle, as long as the pieces are too wide."""
    width = part.right - part.left
    if width <= MOST_DIGIT_WIDTH * digit_px or part.height <= 0.5 * digit_px:
        return [part]
    pieces = max(2, round(width / (0.87 * digit_px)))
    ink = part.ink.sum(axis=0)
    expected = round(width / pieces)
    low, high = max(2, expected - 3), min(width - 2, expected + 4)
    if low >= high:
        return [part]
    cut = low + int(ink[low:high].argmin())
    first, rest = _cut_out(part, 0, cut), _cut_out(part, cut, width)
    return [first, *_split(rest, digit_px)] if rest.right - rest.left < width else [part]


def _cut_out(part: _Component, first: int, after: int) -> _Component:
    ink = part.ink[:, first:after]
    box = _inked_box(ink)
    if box is None:
        return replace(part, left=part.left + first, right=part.left + after, ink=ink)
    rows, columns = box
    return _Component(
        top=part.top + rows.start,
        bottom=part.top + rows.stop,
        left=part.left + first + columns.start,
        right=part.left + first + columns.stop,
        ink=ink[box],
    )


def _factor(parts: Sequence[_Component], digit_px: float) -> float:
    """Return the factor that stands at the end of an axis, such as 1e-5; 1 where there is none.

    Raises:
        CannotReadError: something begins like a factor and cannot be read as one.
    """
    line = [part for part in parts if part.height <= 1.3 * digit_px]
    if not line:
        return 1.0
    texts = _spelling(line, digit_px)
    if texts is not None and FACTOR.fullmatch("".join(texts)):
        return float("".join(texts))
    first = recognise(min(line, key=lambda part: part.left).ink, digit_px)
    second = sorted(line, key=lambda part: part.left)[1:2]
    follows = recognise(second[0].ink, digit_px) if second else None
    if first is not None and follows is not None and (first.character, follows.character) == ("1", "e"):
        raise CannotReadError("an axis has a common factor that cannot be read")
    return 1.0


def _scaled(labels: Sequence[TickLabel], factor: float) -> list[TickLabel]:
    return [replace(label, value=label.value * factor) for label in labels]


@dataclass(frozen=True, slots=True, kw_only=True)
class Glyph:
    """A character that was recognised: `small` for one of superscript size."""

    character: str
    small: bool
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Templates:
    """Rendered characters: `shapes` has a normalised one in each row; the others say in that order which."""

    characters: tuple[str, ...]
    small: tuple[bool, ...]
    heights_px: IndexArray
    widths_px: IndexArray
    shapes: FloatArray


def recognise(ink: FloatArray, digit_px: float) -> Glyph | None:
    """Recognise one character by its darkness (rows, columns), cropped; None where nothing fits.

    `digit_px` is the height of a full-size digit in this text.
    """
    height, width = ink.shape
    if height <= FLAT_SHARE * digit_px:
        character = "-" if width >= DASH_SHARE * digit_px else "."
        return Glyph(character=character, small=False, score=1.0)
    templates = _templates(round(digit_px / DIGIT_EM / FONT_STEP_PX) * FONT_STEP_PX)
    off_height, off_width = np.abs(templates.heights_px - height), np.abs(templates.widths_px - width)
    scores = templates.shapes @ _normalised(ink) - SIZE_PENALTY * (off_height + off_width) / digit_px
    scores[np.maximum(off_height, off_width) > max(2.0, SIZE_SLACK * digit_px)] = -np.inf
    best = int(scores.argmax())
    if scores[best] < LEAST_SCORE:
        return None
    return Glyph(character=templates.characters[best], small=templates.small[best], score=float(scores[best]))


@lru_cache(maxsize=64)
def _templates(font_px: float) -> _Templates:
    """Render every character in both sizes, hinted and not, at several fractions of a pixel."""
    rendered = [
        (character, small, ink)
        for small, size in ((False, font_px), (True, font_px * SUPERSCRIPT_SCALE))
        for character in CHARACTERS
        for ink in (*_hinted(character, size), *_unhinted(character, size))
    ]
    return _Templates(
        characters=tuple(character for character, _, _ in rendered),
        small=tuple(small for _, small, _ in rendered),
        heights_px=np.array([ink.shape[0] for _, _, ink in rendered]),
        widths_px=np.array([ink.shape[1] for _, _, ink in rendered]),
        shapes=np.stack([_normalised(ink) for _, _, ink in rendered]),
    )


def _hinted(character: str, size_px: float) -> list[FloatArray]:
    font = ImageFont.truetype(str(font_file()), size_px)
    return [cropped(_page(character, font, size_px, phase)) for phase in PHASES_PX]


def _unhinted(character: str, size_px: float) -> list[FloatArray]:
    """Render large, and average down from several places: outlines as they are, at any fraction of a pixel."""
    font = ImageFont.truetype(str(font_file()), size_px * FINER)
    page = _page(character, font, size_px * FINER, 0.0)
    found = []
    for down in range(0, FINER, FINER // 4):
        for right in range(0, FINER, FINER // 4):
            moved = page[down:, right:]
            rows, columns = moved.shape[0] // FINER, moved.shape[1] // FINER
            blocks = moved[: rows * FINER, : columns * FINER].reshape(rows, FINER, columns, FINER)
            found.append(cropped(blocks.mean(axis=(1, 3))))
    return found


def _page(character: str, font: ImageFont.FreeTypeFont, size_px: float, phase_px: float) -> FloatArray:
    side = int(2 * size_px) + 4
    page = Image.new("L", (side, side), 0)
    ImageDraw.Draw(page).text((side // 4 + phase_px, side // 4 + phase_px), character, fill=255, font=font)
    return np.asarray(page, dtype=np.float64) / 255.0


def cropped(ink: FloatArray) -> FloatArray:
    """Return the part of a page that has ink; one inked pixel where nothing has."""
    box = _inked_box(ink)
    return np.ones((1, 1)) if box is None else ink[box]


def _inked_box(ink: FloatArray) -> tuple[slice, slice] | None:
    rows, columns = (np.flatnonzero((ink > INK).any(axis=axis)) for axis in (1, 0))
    return (slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)) if rows.size else None


def _normalised(ink: FloatArray) -> FloatArray:
    grid = np.asarray(Image.fromarray(ink.astype(np.float32)).resize(GRID, Image.Resampling.BILINEAR)).ravel()
    centred = grid.astype(np.float64) - grid.mean()
    return np.asarray(centred / (np.sqrt((centred**2).sum()) + 1e-9))


def font_file() -> Path:
    """Return the file of DejaVu Sans.

    Raises:
        CannotReadError: Matplotlib, which brings it along, is not installed.
    """
    spec = find_spec("matplotlib")
    if spec is None or spec.origin is None:
        raise CannotReadError("the font DejaVu Sans, which comes with Matplotlib, is not installed")
    return Path(spec.origin).parent / "mpl-data" / "fonts" / "ttf" / "DejaVuSans.ttf"
