"""Letters of the diagrams: italic capitals, lowered digits, upright numbers, in fonts that Matplotlib ships.

Measuring needs no font: the advance widths of the letters used are listed here, and a test compares them.
"""

from __future__ import annotations

import importlib.util
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

__all__ = ["draw_text", "height_px", "width_px"]

_Style = Literal["italic", "upright", "lowered"]
_FILES: dict[_Style, str] = {
    "italic": "DejaVuSerif-Italic.ttf",
    "upright": "DejaVuSerif.ttf",
    "lowered": "DejaVuSerif.ttf",
}
_SIZES_PX: dict[_Style, float] = {"italic": 20.0, "upright": 18.0, "lowered": 13.0}
_UNITS_AN_EM = 2048
_ADVANCES = {
    **dict(zip("ABCDEFGH", (1479, 1505, 1567, 1642, 1495, 1421, 1636, 1786), strict=True)),
    **dict(zip("IJKLMNOP", (809, 821, 1530, 1360, 2097, 1792, 1679, 1378), strict=True)),
    **dict(zip("QRSTUVWXYZ", (1679, 1542, 1403, 1366, 1726, 1479, 2105, 1458, 1352, 1423), strict=True)),
    **dict.fromkeys("0123456789", 1303),
    "′": 465,
    "=": 1716,
    "√": 1305,
    "°": 1024,
    "/": 690,
    "π": 1346,
    ":": 690,
}
"""Advance widths in font units: capitals and the prime in italics, all else upright."""
_CAP_PX = 14.6
_LOWERED_BY_PX = 4.5
_LABEL = re.compile(r"[A-Z][0-9]?['′]?|.")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    text: str
    style: _Style


def width_px(text: str) -> float:
    """Return how wide a label or a marked size is."""
    return sum(_run_width_px(run) for run in _runs(text))


def height_px(text: str) -> float:
    """Return how high a text is round its middle, digits below the line included on both sides."""
    lowered = any(run.style == "lowered" for run in _runs(text))
    return _CAP_PX + (2 * _LOWERED_BY_PX if lowered else 0.0)


def draw_text(draw: ImageDraw, text: str, *, middle_px: tuple[float, float], scale: int) -> None:
    """Write a label round its middle, on a drawing `scale` times as large as the picture, in full ink."""
    x = (middle_px[0] - width_px(text) / 2) * scale
    baseline = (middle_px[1] + _CAP_PX / 2) * scale
    for run in _runs(text):
        font = _font(run.style, scale)
        lower = _LOWERED_BY_PX * scale if run.style == "lowered" else 0.0
        draw.text((x, baseline + lower), run.text, fill=255, font=font, anchor="ls")
        x += _run_width_px(run) * scale


def _run_width_px(run: _Run) -> float:
    return sum(_ADVANCES[letter] for letter in run.text) * _SIZES_PX[run.style] / _UNITS_AN_EM


@cache
def _runs(text: str) -> tuple[_Run, ...]:
    """Cut a text into runs: before "=" capitals are labels with lowered digits, behind it stands a number."""
    labels, equals, size = text.partition("=")
    if not re.match("[A-Z]", labels):
        return (_Run(text=text, style="upright"),)
    runs = [
        _Run(text=part, style=style)
        for label in _LABEL.findall(labels)
        for part, style in (_letter(label), _lowered(label))
        if part
    ]
    return (*runs, _Run(text=f"={size}", style="upright")) if equals else tuple(runs)


def _letter(label: str) -> tuple[str, _Style]:
    return label[0] + ("′" if label[-1] in "'′" else ""), "italic"


def _lowered(label: str) -> tuple[str, _Style]:
    return "".join(filter(str.isdigit, label)), "lowered"


@cache
def _font(style: _Style, scale: int) -> FreeTypeFont:
    from PIL import ImageFont  # noqa: PLC0415 - only where something is drawn

    path = _font_folder() / _FILES[style]
    return ImageFont.truetype(str(path), _SIZES_PX[style] * scale, layout_engine=ImageFont.Layout.BASIC)


@cache
def _font_folder() -> Path:
    """Find Matplotlib's fonts without importing it."""
    found = importlib.util.find_spec("matplotlib")
    if found is None or found.origin is None:
        raise FileNotFoundError("the diagrams' fonts come with matplotlib, which is not installed")
    return Path(found.origin).parent / "mpl-data" / "fonts" / "ttf"
