"""A picture with truth and answer drawn over it, twice the size, with a line of text and a legend below.

Every mark has a shape of its own, so that colours are not needed to tell them apart:
a ring round a dot that was found, a dashed ring round one that was not, a cross on a paired prediction, joined
with its dot by a line, a saltire on a false prediction; for DEFECT a dashed ring on each empty site and a
square round each extra dot.
"""

from __future__ import annotations

import io
import math
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont, ImageFont

    from generators.items import JsonValue

    Legend = Sequence[tuple["Shape", str, "Colour"]]

__all__ = [
    "AMBER",
    "BAR_PX",
    "CYAN",
    "GREEN",
    "MAGENTA",
    "MAX_MARKS",
    "RED",
    "SCALE",
    "AnswerMarks",
    "annotated_picture",
]

Colour = tuple[int, int, int]
Shape = Literal["ring", "dashed", "square", "cross", "saltire"]

GREEN: Colour = (80, 220, 120)
AMBER: Colour = (255, 190, 40)
CYAN: Colour = (40, 140, 255)
RED: Colour = (255, 90, 90)
MAGENTA: Colour = (255, 110, 230)

SCALE = 2
"""The drawing is this many times the picture's size."""

BAR_PX = 92
"""Height of the text bar below, in pixels of the drawing."""

MAX_MARKS = 2_000
"""Predictions beyond this number are not drawn."""

_LINE_PX = 2
_ARM_PX = 8
_FONT_PX = 22
_PAD_PX = 14
_DASHES = 12
_WHITE: Colour = (235, 235, 235)
_BAR: Colour = (38, 38, 44)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerMarks:
    """What was answered, as far as it can be drawn.

    `points_px` are predicted positions (x, y) in pixels; `pairs` are (place in `points_px`, place in the
    truth's dots), as the metric paired them.
    """

    points_px: Sequence[tuple[float, float]] = ()
    pairs: Sequence[tuple[int, int]] = ()
    caption: str = ""


def annotated_picture(png: bytes, *, task: str, truth: Mapping[str, JsonValue], answer: AnswerMarks) -> bytes:
    """Draw truth, predictions and their pairing over a picture.

    Args:
        png: the picture.
        task: LOCATE draws dots and predictions, DEFECT empty sites and extra dots, any other task the text alone.
        truth: the item's truth.
        answer: what was answered. Texts are cut to the picture's width; what the font lacks becomes "?".

    Returns:
        PNG bytes of twice the picture's width and height, and the bar below.

    Raises:
        OSError: the bytes are no picture.
    """
    from PIL import Image  # noqa: PLC0415  (loaded where it is used)

    with Image.open(io.BytesIO(png)) as opened:
        ink = _Ink(opened)
    scale = truth["um_per_px"]
    if not isinstance(scale, int | float):
        raise TypeError(f"expected the truth's um_per_px as a number, got {scale!r}")
    legend: Legend = []
    if task == "LOCATE":
        legend = _draw_positions(ink, truth, answer, scale)
    elif task == "DEFECT":
        legend = _draw_defects(ink, truth, scale)
    ink.text_bar(answer.caption, legend)
    return ink.png()


def _draw_positions(ink: _Ink, truth: Mapping[str, JsonValue], answer: AnswerMarks, scale: float) -> Legend:
    dots: Any = truth.get("dots")
    found = {dot for _, dot in answer.pairs}
    paired = {point for point, _ in answer.pairs}
    for place, dot in enumerate(dots):
        x, y, radius = dot["x_um"] / scale, dot["y_um"] / scale, dot["diameter_um"] / 2 / scale
        is_found = place in found
        ink.outline("ring" if is_found else "dashed", x, y, radius + 3, GREEN if is_found else AMBER)
    for point, dot_place in answer.pairs:
        dot = dots[dot_place]
        ink.line(answer.points_px[point], (dot["x_um"] / scale, dot["y_um"] / scale), CYAN)
    for place, (x, y) in enumerate(answer.points_px[:MAX_MARKS]):
        is_paired = place in paired
        ink.point("cross" if is_paired else "saltire", x, y, CYAN if is_paired else RED)
    return [
        ("ring", f"found {len(found)}", GREEN),
        ("dashed", f"missed {len(dots) - len(found)}", AMBER),
        ("cross", f"paired {len(paired)}", CYAN),
        ("saltire", f"false {len(answer.points_px) - len(paired)}", RED),
    ]


def _draw_defects(ink: _Ink, truth: Mapping[str, JsonValue], scale: float) -> Legend:
    dots: Any = truth.get("dots") or []
    removed: Any = truth.get("missing_sites") or []
    radius = max((dot["diameter_um"] for dot in dots), default=0.0) / 2 / scale
    extra = [dot for dot in dots if dot["role"] == "noise"]
    for site in removed:
        ink.outline("dashed", site["x_um"] / scale, site["y_um"] / scale, radius, MAGENTA)
    for dot in extra:
        ink.outline("square", dot["x_um"] / scale, dot["y_um"] / scale, radius + 4, AMBER)
    return [("dashed", f"missing {len(removed)}", MAGENTA), ("square", f"extra {len(extra)}", AMBER)]


class _Ink:
    """A drawing over a picture; places and radii of its public methods are in pixels of the picture."""

    def __init__(self, picture: Image) -> None:
        from PIL import Image as images  # noqa: N813, PLC0415  (Pillow is loaded where it is used)
        from PIL import ImageDraw as drawing  # noqa: N813, PLC0415
        from PIL import ImageFont as fonts  # noqa: N813, PLC0415

        self.width, self.height = picture.width * SCALE, picture.height * SCALE
        enlarged = picture.convert("RGB").resize((self.width, self.height), images.Resampling.BICUBIC)
        self.image = images.new("RGB", (self.width, self.height + BAR_PX), _BAR)
        self.image.paste(enlarged)
        self.draw: ImageDraw = drawing.Draw(self.image)
        self.font: FreeTypeFont | ImageFont = fonts.load_default(_FONT_PX)

    def outline(self, shape: Shape, x: float, y: float, radius: float, colour: Colour) -> None:
        """Draw a shape round a place."""
        self._draw(shape, x * SCALE, y * SCALE, radius * SCALE, colour)

    def point(self, shape: Shape, x: float, y: float, colour: Colour) -> None:
        """Draw a shape on a place; one outside the picture moves to its nearest border, whole."""
        self._draw(shape, *self._inside(x, y), _ARM_PX, colour)

    def line(self, start: tuple[float, float], end: tuple[float, float], colour: Colour) -> None:
        """Draw a straight line; ends outside the picture move to its nearest border."""
        self._stroke(*self._inside(*start), *self._inside(*end), colour)

    def text_bar(self, text: str, legend: Legend) -> None:
        """Write a line of text below the picture, and the legend under it."""
        shown = self._cut(_plain(text), self.width - 2 * _PAD_PX)
        self.draw.text((_PAD_PX, self.height + _PAD_PX), shown, fill=_WHITE, font=self.font)
        left = float(_PAD_PX)
        middle = self.height + BAR_PX - _PAD_PX - _FONT_PX / 2
        for shape, label, colour in legend:
            self._draw(shape, left + _ARM_PX, middle, _ARM_PX, colour)
            self.draw.text((left + 3 * _ARM_PX, middle - _FONT_PX * 0.6), label, fill=_WHITE, font=self.font)
            left += 3 * _ARM_PX + self.font.getlength(label) + 2 * _PAD_PX

    def png(self) -> bytes:
        """Return the drawing as a PNG file."""
        buffer = io.BytesIO()
        self.image.save(buffer, format="PNG")
        return buffer.getvalue()

    def _draw(self, shape: Shape, x: float, y: float, radius: float, colour: Colour) -> None:
        """Draw a shape; place and radius are in pixels of the drawing."""
        box = (x - radius, y - radius, x + radius, y + radius)
        if shape == "ring":
            self.draw.ellipse(box, outline=colour, width=_LINE_PX)
        elif shape == "dashed":
            step = 360 / _DASHES
            for dash in range(_DASHES):
                self.draw.arc(box, dash * step, dash * step + step / 2, fill=colour, width=_LINE_PX + 1)
        elif shape == "square":
            self.draw.rectangle(box, outline=colour, width=_LINE_PX)
        elif shape == "cross":
            self._stroke(x - radius, y, x + radius, y, colour)
            self._stroke(x, y - radius, x, y + radius, colour)
        else:
            self._stroke(*box, colour)
            self._stroke(x - radius, y + radius, x + radius, y - radius, colour)

    def _stroke(self, x0: float, y0: float, x1: float, y1: float, colour: Colour) -> None:
        self.draw.line((x0, y0, x1, y1), fill=colour, width=_LINE_PX)

    def _inside(self, x: float, y: float) -> tuple[float, float]:
        return _clipped(x * SCALE, self.width), _clipped(y * SCALE, self.height)

    def _cut(self, text: str, room: float) -> str:
        if self.font.getlength(text) <= room:
            return text
        while text and self.font.getlength(f"{text}...") > room:
            text = text[: -max(1, len(text) // 20)]
        return f"{text}..."


def _clipped(value: float, size: int) -> float:
    least, most = float(_ARM_PX), float(size - _ARM_PX)
    return min(max(value, least), most) if math.isfinite(value) else least


def _plain(text: str) -> str:
    """Return one line of the letters that Pillow's own font has: accents are dropped, µ is written as u."""
    words = " ".join(text[:2000].split()).replace("µ", "u").replace("\u03bc", "u")
    letters = (letter for letter in unicodedata.normalize("NFKD", words) if not unicodedata.combining(letter))
    return "".join(letter if letter.isprintable() and letter.isascii() else "?" for letter in letters)
