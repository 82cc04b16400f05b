"""From a PNG file to how much of each pixel the spots cover."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from PIL import Image

from generators.png import check_png

if TYPE_CHECKING:
    Coverage = npt.NDArray[np.float32]

__all__ = ["MAX_PIXELS", "UnreadableError", "spot_coverage"]

MAX_PIXELS = 8_000_000
"""Largest picture looked at, width times height; more would cost seconds and half a gigabyte."""

_LEAST_CONTRAST = 0.1
"""Share of the whole range from black to white that spots must differ by from the ground."""

_PLATEAU_PERCENTILE = 75
_DEEP_MODE = 65535.0
_BYTE = 255.0


class UnreadableError(ValueError):
    """The picture, or what it shows, cannot be read.

    The message is fit for a reply, and worded so that no scorer takes it for an answer ("no spots" would be one).
    """


def spot_coverage(picture: bytes) -> Coverage:
    """Return for each pixel, in rows from the top, the share covered by spots, 0 to 1.

    The ground is the median grey; spots are what differs from it most, brighter or darker. Their full level is the
    upper quartile of the pixels beyond half the largest difference: most of a spot's pixels lie inside its rim.
    A picture of one colour has no coverage anywhere.

    Raises:
        UnreadableError: no whole PNG file, or too large.
    """
    difference = _grey(picture)
    difference -= np.float32(np.median(difference))
    low, high = float(difference.min()), float(difference.max())
    if max(-low, high) < _LEAST_CONTRAST:
        return np.zeros_like(difference)
    if -low > high:
        np.negative(difference, out=difference)
        high = -low
    level = np.percentile(difference[difference > high / 2], _PLATEAU_PERCENTILE)
    difference /= np.float32(level)
    return np.clip(difference, 0.0, 1.0, out=difference)


def _grey(picture: bytes) -> Coverage:
    """Return luminance from 0 (black) to 1 (white); what is transparent lies on white."""
    try:
        size = check_png(picture)
    except ValueError:
        raise UnreadableError("the file is damaged, or far too large") from None
    if size.width * size.height > MAX_PIXELS:
        raise UnreadableError("it is larger than what I look at")
    try:
        with Image.open(io.BytesIO(picture), formats=["PNG"]) as opened:
            return _luminance(opened)
    except (OSError, SyntaxError, ValueError):
        raise UnreadableError("its pixels cannot be decoded") from None


def _luminance(image: Image.Image) -> Coverage:
    if image.mode.startswith("I"):
        return np.asarray(image, dtype=np.float32) / np.float32(_DEEP_MODE)
    if image.has_transparency_data:
        paper = Image.new("RGBA", image.size, "white")
        image = Image.alpha_composite(paper, image.convert("RGBA"))
    return np.asarray(image.convert("L"), dtype=np.float32) / np.float32(_BYTE)
