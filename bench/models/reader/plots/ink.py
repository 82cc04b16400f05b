"""What is drawn in the axes: the curve's colour, dots of another colour, dark broken lines that mark places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bench.models.reader.plots.readings import CannotReadError

if TYPE_CHECKING:
    import numpy.typing as npt

    from bench.models.reader.picture import DecodedImage, FloatArray, MaskArray
    from bench.models.reader.plots.axes import AxesBox

__all__ = ["CurveInk", "find_ink"]

LEAST_CHROMA = 60
LEAST_PIXELS = 30
SHADES = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class CurveInk:
    """The colour that most coloured pixels inside the axes have.

    `coverage`: share of each pixel that it covers, 0 to 1, (rows, columns) inside the box; what is grey, black or
    white covers nothing. `first_row` and `first_column` are where the box's inside begins in the picture.
    `others`: pixels of clearly another colour.
    """

    colour: tuple[int, int, int]
    coverage: FloatArray
    others: MaskArray
    first_row: int
    first_column: int


def find_ink(picture: DecodedImage, box: AxesBox, *, only_blue: bool = False) -> CurveInk:
    """Find the curve's colour inside the axes; with `only_blue` among blue shades.

    Raises:
        CannotReadError: nothing inside the axes is coloured.
    """
    rows, columns = box.inside
    inside = picture.rgb[rows, columns]
    red, green, blue = (inside[:, :, channel].astype(np.int16) for channel in range(3))
    chroma = np.maximum(np.maximum(red, green), blue) - np.minimum(np.minimum(red, green), blue)
    coloured = chroma >= LEAST_CHROMA
    possible = coloured & (blue >= np.maximum(red, green)) if only_blue else coloured
    if np.count_nonzero(possible) < LEAST_PIXELS:
        raise CannotReadError(f"nothing inside the axes is {'blue' if only_blue else 'coloured'}")
    colour = _commonest(inside[possible].astype(np.int16))
    high, low = int(colour.argmax()), int(colour.argmin())
    channels = (red, green, blue)
    strength = (channels[high] - channels[low]) / float(colour[high] - colour[low])
    return CurveInk(
        colour=(int(colour[0]), int(colour[1]), int(colour[2])),
        coverage=np.clip(strength, 0.0, 1.0),
        others=_astray(inside, coloured, strength, colour),
        first_row=rows.start,
        first_column=columns.start,
    )


def _astray(
    inside: npt.NDArray[np.uint8], coloured: MaskArray, strength: FloatArray, colour: npt.NDArray[np.int16]
) -> MaskArray:
    """Where a pixel is coloured, but as no thinning of the colour on white would be."""
    expected = 255 - np.clip(strength[coloured], 0, 1)[:, None] * (255 - colour)
    astray = np.zeros_like(coloured)
    astray[coloured] = np.abs(inside[coloured] - expected).max(axis=1) > LEAST_CHROMA
    return astray


def _commonest(colours: npt.NDArray[np.int16]) -> npt.NDArray[np.int16]:
    """Return the median colour of the fullest cell of a coarse colour cube."""
    cells = (colours // SHADES).astype(np.int64)
    codes = (cells[:, 0] * SHADES + cells[:, 1]) * SHADES + cells[:, 2]
    fullest = np.bincount(codes).argmax()
    median: npt.NDArray[np.int16] = np.median(colours[codes == fullest], axis=0).astype(np.int16)
    return median
