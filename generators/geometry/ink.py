"""Marks and text drawn over a picture with Pillow, which is loaded here and nowhere else in the suite."""

from __future__ import annotations

import io
import math
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont, ImageFont

__all__ = ["AMBER", "BAR_PX", "CYAN", "GREEN", "MAGENTA", "RED", "SCALE", "Colour", "Ink"]

Colour = tuple[int, int, int]

GREEN: Colour = (80, 220, 120)
AMBER: Colour = (255, 190, 40)
CYAN: Colour = (40, 140, 255)
RED: Colour = (255, 90, 90)
MAGENTA: Colour = (255, 110, 230)

SCALE = 2
"""The drawing is this many times the picture's size."""

BAR_PX = 92
"""Height of the text bar below, in pixels of the drawing."""

_LINE_PX = 2
_ARM_PX = 8
_FONT_PX = 22
_PAD_PX = 14
_DASHES = 12
_WHITE: Colour = (235, 235, 235)
_BAR: Colour = (38, 38, 44)


class Ink:
    """A canvas over a picture; places and radii are in pixels of the picture."""

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

    def ring(self, x: float, y: float, radius: float, colour: Colour, *, dashed: bool = False) -> None:
        """Draw a circle."""
        box = self._box(x, y, radius)
        if not dashed:
            self.draw.ellipse(box, outline=colour, width=_LINE_PX)
            return
        step = 360 / _DASHES
        for dash in range(_DASHES):
            self.draw.arc(box, dash * step, dash * step + step / 2, fill=colour, width=_LINE_PX + 1)

    def square(self, x: float, y: float, half: float, colour: Colour) -> None:
        """Draw an upright square."""
        self.draw.rectangle(self._box(x, y, half), outline=colour, width=_LINE_PX)

    def cross(self, x: float, y: float, colour: Colour) -> None:
        """Draw an upright cross."""
        centre_x, centre_y = self._inside(x, y)
        self._stroke(centre_x - _ARM_PX, centre_y, centre_x + _ARM_PX, centre_y, colour)
        self._stroke(centre_x, centre_y - _ARM_PX, centre_x, centre_y + _ARM_PX, colour)

    def saltire(self, x: float, y: float, colour: Colour) -> None:
        """Draw a cross of diagonals."""
        centre_x, centre_y = self._inside(x, y)
        self._stroke(centre_x - _ARM_PX, centre_y - _ARM_PX, centre_x + _ARM_PX, centre_y + _ARM_PX, colour)
        self._stroke(centre_x - _ARM_PX, centre_y + _ARM_PX, centre_x + _ARM_PX, centre_y - _ARM_PX, colour)

    def line(self, start: tuple[float, float], end: tuple[float, float], colour: Colour) -> None:
        """Draw a straight line."""
        self._stroke(*self._inside(*start), *self._inside(*end), colour)

    def text_bar(self, text: str, legend: Sequence[tuple[str, str, Colour]]) -> None:
        """Write a line of text below the picture, and the legend under it."""
        room = self.width - 2 * _PAD_PX
        top = self.height + _PAD_PX
        shown = self._cut(_plain(text), room)
        self.draw.text((_PAD_PX, top), shown, fill=_WHITE, font=self.font)
        left = float(_PAD_PX)
        for shape, label, colour in legend:
            middle = self.height + BAR_PX - _PAD_PX - _FONT_PX / 2
            self._mark(shape, (left + _ARM_PX) / SCALE, middle / SCALE, colour)
            self.draw.text((left + 3 * _ARM_PX, middle - _FONT_PX * 0.6), label, fill=_WHITE, font=self.font)
            left += 3 * _ARM_PX + self.font.getlength(label) + 2 * _PAD_PX

    def png(self) -> bytes:
        """Return the drawing as a PNG file."""
        buffer = io.BytesIO()
        self.image.save(buffer, format="PNG")
        return buffer.getvalue()

    def _mark(self, shape: str, x: float, y: float, colour: Colour) -> None:
        radius = _ARM_PX / SCALE
        box = (x * SCALE - _ARM_PX, y * SCALE - _ARM_PX, x * SCALE + _ARM_PX, y * SCALE + _ARM_PX)
        if shape == "cross":
            self._stroke(box[0], y * SCALE, box[2], y * SCALE, colour)
            self._stroke(x * SCALE, box[1], x * SCALE, box[3], colour)
        elif shape == "saltire":
            self._stroke(box[0], box[1], box[2], box[3], colour)
            self._stroke(box[0], box[3], box[2], box[1], colour)
        elif shape == "square":
            self.square(x, y, radius, colour)
        else:
            self.ring(x, y, radius, colour, dashed=shape == "dashed")

    def _stroke(self, x0: float, y0: float, x1: float, y1: float, colour: Colour) -> None:
        self.draw.line((x0, y0, x1, y1), fill=colour, width=_LINE_PX)

    def _box(self, x: float, y: float, radius: float) -> tuple[float, float, float, float]:
        return ((x - radius) * SCALE, (y - radius) * SCALE, (x + radius) * SCALE, (y + radius) * SCALE)

    def _inside(self, x: float, y: float) -> tuple[float, float]:
        """Return the place in the drawing; a mark outside the picture moves to its nearest border, whole."""
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
