"""Letters of the diagrams: italic capitals, lowered digits, upright numbers, in fonts that Matplotlib ships."""

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

__all__ = ["HEIGHT_PX", "draw_text", "width_px"]

HEIGHT_PX = 20.0
"""Height that a line of lettering takes, digits below the line included."""

_Style = Literal["italic", "upright", "lowered"]
_FILES: dict[_Style, str] = {
    "italic": "DejaVuSerif-Italic.ttf",
    "upright": "DejaVuSerif.ttf",
    "lowered": "DejaVuSerif.ttf",
}
_SIZES_PX: dict[_Style, float] = {"italic": 20.0, "upright": 18.0, "lowered": 13.0}
_MEASURING = 4
_CAP_PX = 14.6
_LOWERED_BY_PX = 4.5
_LABEL = re.compile(r"[A-Z][0-9]?['′]?|.")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    text: str
    style: _Style


def width_px(text: str) -> float:
    """Return how wide a label or a marked size is."""
    return sum(_font(run.style, _MEASURING).getlength(run.text) for run in _runs(text)) / _MEASURING


def draw_text(draw: ImageDraw, text: str, *, middle_px: tuple[float, float], scale: int) -> None:
    """Write a label round its middle, on a drawing `scale` times as large as the picture, in full ink."""
    x = (middle_px[0] - width_px(text) / 2) * scale
    baseline = (middle_px[1] + _CAP_PX / 2) * scale
    for run in _runs(text):
        font = _font(run.style, scale)
        lower = _LOWERED_BY_PX * scale if run.style == "lowered" else 0.0
        draw.text((x, baseline + lower), run.text, fill=255, font=font, anchor="ls")
        x += font.getlength(run.text)


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
