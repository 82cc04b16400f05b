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
    from bench.models.reader.picture import FloatArray

__all__ = ["INK", "Glyph", "recognise"]

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
FONT_STEP_PX = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Glyph:
    """A character that was recognised: `small` for one of superscript size."""

    character: str
    small: bool
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Template:
    character: str
    small: bool
    height_px: int
    width_px: int
    shape: FloatArray


def recognise(ink: FloatArray, digit_px: float) -> Glyph | None:
    """Recognise one character by its darkness (rows, columns), cropped; None where nothing fits.

    `digit_px` is the height of a full-size digit in this text.
    """
    height, width = ink.shape
    if height <= FLAT_SHARE * digit_px:
        character = "-" if width >= DASH_SHARE * digit_px else "."
        return Glyph(character=character, small=False, score=1.0)
    shape = _normalised(ink)
    slack = max(2.0, SIZE_SLACK * digit_px)
    best: Glyph | None = None
    for template in _templates(round(digit_px / DIGIT_EM / FONT_STEP_PX) * FONT_STEP_PX):
        off = abs(template.height_px - height), abs(template.width_px - width)
        if max(off) <= slack:
            score = float(shape @ template.shape) - SIZE_PENALTY * sum(off) / digit_px
            if score >= LEAST_SCORE and (best is None or score > best.score):
                best = Glyph(character=template.character, small=template.small, score=score)
    return best


@lru_cache(maxsize=64)
def _templates(font_px: float) -> tuple[_Template, ...]:
    found: dict[tuple[str, bool, bytes], _Template] = {}
    for small, size in ((False, font_px), (True, font_px * SUPERSCRIPT_SCALE)):
        font = ImageFont.truetype(str(_font_file()), size)
        for character in CHARACTERS:
            for phase in PHASES_PX:
                ink = _rendered(character, font, size, phase)
                template = _Template(
                    character=character,
                    small=small,
                    height_px=ink.shape[0],
                    width_px=ink.shape[1],
                    shape=_normalised(ink),
                )
                found[character, small, template.shape.tobytes()] = template
    return tuple(found.values())


def _rendered(character: str, font: ImageFont.FreeTypeFont, size_px: float, phase_px: float) -> FloatArray:
    side = int(2 * size_px) + 4
    page = Image.new("L", (side, side), 0)
    ImageDraw.Draw(page).text((side // 4 + phase_px, side // 4 + phase_px), character, fill=255, font=font)
    ink = np.asarray(page, dtype=np.float64) / 255.0
    rows, columns = np.flatnonzero((ink > INK).any(axis=1)), np.flatnonzero((ink > INK).any(axis=0))
    if rows.size == 0:
        return np.ones((1, 1))
    return ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def _normalised(ink: FloatArray) -> FloatArray:
    grid = np.asarray(Image.fromarray(ink.astype(np.float32)).resize(GRID, Image.Resampling.BILINEAR)).ravel()
    centred = grid.astype(np.float64) - grid.mean()
    return np.asarray(centred / (np.sqrt((centred**2).sum()) + 1e-9))


def _font_file() -> Path:
    spec = find_spec("matplotlib")
    if spec is None or spec.origin is None:
        raise CannotReadError("the font DejaVu Sans, which comes with Matplotlib, is not installed")
    return Path(spec.origin).parent / "mpl-data" / "fonts" / "ttf" / "DejaVuSans.ttf"
