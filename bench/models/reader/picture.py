"""From a picture's bytes to its pixels, and what every measurement on pixels uses.

What cannot or should not be decoded is refused.
"""

from __future__ import annotations

import io
import warnings
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PIL import Image

__all__ = [
    "EIGHT",
    "DecodedImage",
    "FloatArray",
    "IndexArray",
    "MaskArray",
    "UnreadablePictureError",
    "decode",
    "runs_of",
    "weighted_mean",
]

FloatArray = npt.NDArray[np.float64]
IndexArray = npt.NDArray[np.int_]
MaskArray = npt.NDArray[np.bool_]

EIGHT = np.ones((3, 3))
"""Structure with which pixels that touch at a corner are connected."""

LARGEST_PX = 20_000_000
SMALLEST_SIDE_PX = 8
_HIGH_BIT_MODES = frozenset({"I;16", "I;16B", "I;16L", "I", "F"})


class UnreadablePictureError(Exception):
    """The bytes are no picture that can be read; the message says why, in one clause."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecodedImage:
    """Pixels as shown on a white page: `rgb`, unsigned bytes, (height, width, 3), row 0 on top."""

    rgb: npt.NDArray[np.uint8]

    @property
    def darkness(self) -> FloatArray:
        """1 for black, 0 for white, (height, width)."""
        red, green, blue = (self.rgb[:, :, channel].astype(np.uint16) for channel in range(3))
        return np.asarray(1.0 - (red + green + blue) / 765.0)

    def is_ink_of_axes(self, darkest: int, most_colour: int) -> MaskArray:
        """Where the picture is dark and grey, as axes, text and black marks are, (height, width).

        Channel by channel: NumPy's reductions over an axis of three are ten times slower.
        """
        red, green, blue = (self.rgb[:, :, channel] for channel in range(3))
        lightest = np.maximum(np.maximum(red, green), blue)
        spread = lightest - np.minimum(np.minimum(red, green), blue)
        return np.asarray((lightest < darkest) & (spread < most_colour))


def decode(content: bytes) -> DecodedImage:
    """Decode PNG or JPEG bytes; transparency is laid on white, deep channels are cut to eight bits.

    Raises:
        UnreadablePictureError: the bytes are damaged, of another format, or hold too few or too many pixels; the
            size is looked at before anything is unpacked.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a huge picture is refused below, by its size
            opened = Image.open(io.BytesIO(content), formats=("PNG", "JPEG"))
            _check_size(*opened.size)
            opened.load()
            return DecodedImage(rgb=_on_white(opened))
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError):
        raise UnreadablePictureError("it is no whole PNG or JPEG") from None


def _check_size(width_px: int, height_px: int) -> None:
    if width_px * height_px > LARGEST_PX:
        raise UnreadablePictureError(f"{width_px} x {height_px} pixels are more than {LARGEST_PX}")
    if min(width_px, height_px) < SMALLEST_SIDE_PX:
        raise UnreadablePictureError(f"{width_px} x {height_px} pixels show nothing")


def _on_white(image: Image.Image) -> npt.NDArray[np.uint8]:
    if image.mode in _HIGH_BIT_MODES:
        deep = np.asarray(image, dtype=np.float64)
        grey = np.clip(deep / 257.0, 0, 255).astype(np.uint8)
        return np.repeat(grey[:, :, None], 3, axis=2)
    if image.mode == "RGB":
        return np.asarray(image)
    rgba = np.asarray(image.convert("RGBA"))
    if rgba[:, :, 3].min() == 255:  # noqa: PLR2004 - opaque
        return np.ascontiguousarray(rgba[:, :, :3])
    alpha = rgba[:, :, 3:].astype(np.uint16)
    return ((rgba[:, :, :3] * alpha + 255 * (255 - alpha) + 127) // 255).astype(np.uint8)


def runs_of(mask: MaskArray) -> list[tuple[int, int]]:
    """Return the first index of each unbroken run in a mask (N,), and the one after its last."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], mask.view(np.int8), [0]))))
    return [(int(first), int(after)) for first, after in zip(edges[::2], edges[1::2], strict=True)]


def weighted_mean(places: IndexArray, weight: FloatArray) -> float:
    """Return the centre of weights at places, both (N,)."""
    return float((weight * places).sum() / weight.sum())
