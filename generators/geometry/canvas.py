"""The picture's frame: pixels, micrometres and the distances that every dot keeps."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = [
    "BORDER_GAP_UM",
    "DOT_GAP_UM",
    "LATTICE_DOT_UM",
    "MARGIN_UM",
    "STANDARD_CANVAS",
    "Canvas",
]

BORDER_GAP_UM = 0.42
"""Least distance from a dot's edge to the picture's border: three pixels of black."""

DOT_GAP_UM = 0.42
"""Least distance between the edges of two dots: three pixels of black, so that blurred edges never touch."""

MARGIN_UM = 5.0
"""Lattice sites keep this distance to the border; with it the 12 um lattice has 45 sites, as published."""

LATTICE_DOT_UM = 3.0
"""Diameter of the dots of all lattice classes, noise dots included."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Canvas:
    """Size in pixels and scale; origin in the top left corner, x to the right, y downwards.

    Pixel column i covers x from i to i + 1, in pixels: its centre lies at i + 0.5.
    """

    width_px: int = 700
    height_px: int = 510
    um_per_px: float = 0.14

    @property
    def width_um(self) -> float:
        """Width of the field of view in micrometres."""
        return self.width_px * self.um_per_px

    @property
    def height_um(self) -> float:
        """Height of the field of view in micrometres."""
        return self.height_px * self.um_per_px


STANDARD_CANVAS = Canvas()
