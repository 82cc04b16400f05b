"""Dot images for these tests: drawn as the suite draws them, or as a file of another kind."""

from __future__ import annotations

import io
import math
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image

from generators.geometry.drawing import draw_grey, encode_png, rgb_rows
from generators.geometry.layout import STANDARD_CANVAS, Dot
from generators.geometry.tasks import PROMPTS, SIZE_RANGE_PROMPT

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt

FRAME = {"width_px": 700, "height_px": 510, "um_per_px": 0.14}
ASKED: dict[str, str] = {
    **{task: prompt.format(**FRAME) for task, prompt in PROMPTS.items()},
    "SIZE RANGE": SIZE_RANGE_PROMPT.format(**FRAME),
}


def dots_png(places_um: Iterable[tuple[float, float]], diameter_um: float = 3.0) -> bytes:
    """White dots on black at places in micrometres."""
    dots = [Dot(x_um=x, y_um=y, diameter_um=diameter_um, role="spot") for x, y in places_um]
    return encode_png(rgb_rows(draw_grey(dots, STANDARD_CANVAS)))


def lattice_um(
    spacing_um: float, turn_deg: float, *, square: bool = False, moved_um: float = 0.0, seed: int = 0
) -> list[tuple[float, float]]:
    """Sites of a turned lattice that fill the picture, each moved by a fixed distance in a random direction."""
    rng = np.random.default_rng(seed)
    lean, pitch = (0.0, 1.0) if square else (0.5, math.sqrt(3) / 2)
    message = np.exp(1j * math.radians(turn_deg))
    steps = range(-40, 41)
    sites = [(49 + 35.7j) + spacing_um * message * (i + lean * j + 1j * pitch * j) for i in steps for j in steps]
    moved = [site + moved_um * np.exp(2j * math.pi * rng.random()) for site in sites]
    return [(at.real, at.imag) for at in moved if 3 < at.real < 95 and 3 < at.imag < 68.4]


def png(pixels: npt.NDArray[np.uint8 | np.uint16], mode: str | None = None) -> bytes:
    """Write pixels as a PNG file, converted to a mode of Pillow's if one is named."""
    image = Image.fromarray(pixels)
    return saved(image.convert(mode) if mode else image)


def saved(image: Image.Image, kind: str = "PNG") -> bytes:
    """Write an image as a file."""
    file = io.BytesIO()
    image.save(file, kind)
    return file.getvalue()


def pixels_of(picture: bytes) -> npt.NDArray[np.uint8]:
    """Decode a picture to RGB."""
    with Image.open(io.BytesIO(picture)) as image:
        return np.asarray(image.convert("RGB"))
