"""Measuring dots on a rendered picture alone: connected components, without any parameter of the generator."""

from __future__ import annotations

import io
from dataclasses import dataclass

import numpy as np
from PIL import Image
from scipy import ndimage

__all__ = ["Measured", "measure"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A dot as seen: centre in pixels (pixel column i spans i to i + 1), diameter in pixels from its area."""

    x_px: float
    y_px: float
    diameter_px: float


def measure(png: bytes) -> list[Measured]:
    """Find the connected bright regions: weighted centroid, and the diameter of a disc of the same light."""
    with Image.open(io.BytesIO(png)) as picture:
        light = np.asarray(picture.convert("L"), dtype=float) / 255
    labels, count = ndimage.label(light > 0, structure=np.ones((3, 3)))
    numbers = range(1, count + 1)
    area = ndimage.sum_labels(light, labels, numbers)
    centres = ndimage.center_of_mass(light, labels, numbers)
    return [
        Measured(x_px=x + 0.5, y_px=y + 0.5, diameter_px=2 * float(np.sqrt(size / np.pi)))
        for (y, x), size in zip(centres, area, strict=True)
    ]
