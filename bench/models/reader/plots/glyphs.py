"""Single characters of tick labels, recognised by their shape in DejaVu Sans, the font that Matplotlib ships."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from bench.models.reader.plots.readings import CannotReadError

if TYPE_CHECKING:
    from bench.models.reader.picture import FloatArray, IndexArray

__all__ = ["INK", "Glyph", "font_file", "recognise"]

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
    return [_cropped(_page(character, font, size_px, phase)) for phase in PHASES_PX]


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
            found.append(_cropped(blocks.mean(axis=(1, 3))))
    return found


def _page(character: str, font: ImageFont.FreeTypeFont, size_px: float, phase_px: float) -> FloatArray:
    side = int(2 * size_px) + 4
    page = Image.new("L", (side, side), 0)
    ImageDraw.Draw(page).text((side // 4 + phase_px, side // 4 + phase_px), character, fill=255, font=font)
    return np.asarray(page, dtype=np.float64) / 255.0


def _cropped(ink: FloatArray) -> FloatArray:
    rows, columns = np.flatnonzero((ink > INK).any(axis=1)), np.flatnonzero((ink > INK).any(axis=0))
    if rows.size == 0:
        return np.ones((1, 1))
    return ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


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
