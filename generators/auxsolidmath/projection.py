"""Parallel projections onto the paper: the textbook's oblique one and a view from the side and above.

Figures stand on the plane z = 0 with z upwards. On the paper x points right and y upwards, in the figure's units.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from generators.auxsolidmath.space import Vec, dot

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["PRESETS", "View", "ViewKind", "ViewPreset"]

ViewKind = Literal["oblique", "axonometric"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewPreset:
    """How a figure is looked at, before it is turned.

    Oblique: the front face is true, depth runs at `angle_deg` to the horizontal, shortened by `factor`.
    Axonometric: seen from `angle_deg` to the right of the front, `factor` being the sine of the elevation.
    """

    kind: ViewKind
    angle_deg: float
    factor: float


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A preset, and how the figure stands: mirrored left to right first, then turned about the vertical."""

    preset: ViewPreset
    turn_deg: float = 0.0
    mirrored: bool = False

    @property
    def right(self) -> Vec:
        """What a point's scalar product with is its x on the paper."""
        return self._standing(_RIGHT[self.preset.kind](self.preset))

    @property
    def up(self) -> Vec:
        """What a point's scalar product with is its y on the paper."""
        return self._standing(_UP[self.preset.kind](self.preset))

    @property
    def towards_viewer(self) -> Vec:
        """The direction along which points coincide on the paper, towards the viewer."""
        return self._standing(_TOWARDS[self.preset.kind](self.preset))

    def paper(self, points: Sequence[Vec]) -> list[tuple[float, float]]:
        """Project points."""
        right, up = self.right, self.up
        return [(dot(right, point), dot(up, point)) for point in points]

    def _standing(self, seen: Vec) -> Vec:
        """Express a direction of the turned and mirrored figure in the figure's own frame."""
        turn = math.radians(self.turn_deg)
        cos, sin = math.cos(turn), math.sin(turn)
        x, y = cos * seen[0] + sin * seen[1], -sin * seen[0] + cos * seen[1]
        return (-x if self.mirrored else x), y, seen[2]


def _oblique_depth(preset: ViewPreset) -> tuple[float, float]:
    angle = math.radians(preset.angle_deg)
    return preset.factor * math.cos(angle), preset.factor * math.sin(angle)


def _elevated(preset: ViewPreset) -> tuple[float, float, float, float]:
    azimuth = math.radians(preset.angle_deg)
    return math.cos(azimuth), math.sin(azimuth), math.sqrt(1 - preset.factor**2), preset.factor


def _oblique_right(preset: ViewPreset) -> Vec:
    return 1.0, _oblique_depth(preset)[0], 0.0


def _oblique_up(preset: ViewPreset) -> Vec:
    return 0.0, _oblique_depth(preset)[1], 1.0


def _oblique_towards(preset: ViewPreset) -> Vec:
    across, above = _oblique_depth(preset)
    return across, -1.0, above


def _axonometric_right(preset: ViewPreset) -> Vec:
    cos, sin, _, _ = _elevated(preset)
    return cos, sin, 0.0


def _axonometric_up(preset: ViewPreset) -> Vec:
    cos, sin, level, above = _elevated(preset)
    return -sin * above, cos * above, level


def _axonometric_towards(preset: ViewPreset) -> Vec:
    cos, sin, level, above = _elevated(preset)
    return sin * level, -cos * level, above


_RIGHT = {"oblique": _oblique_right, "axonometric": _axonometric_right}
_UP = {"oblique": _oblique_up, "axonometric": _axonometric_up}
_TOWARDS = {"oblique": _oblique_towards, "axonometric": _axonometric_towards}

PRESETS: dict[ViewKind, tuple[ViewPreset, ...]] = {
    "oblique": tuple(
        ViewPreset(kind="oblique", angle_deg=angle, factor=factor)
        for factor in (0.5, 0.45, 0.55, 0.4, 0.6)
        for angle in (40.0, 35.0, 30.0, 52.0, 55.0, 66.0)
    ),
    "axonometric": tuple(
        ViewPreset(kind="axonometric", angle_deg=angle, factor=round(math.sin(math.radians(elevation)), 6))
        for elevation in (18.0, 15.0, 21.0, 24.0)
        for angle in (30.0, 26.0, 34.0, 22.0, 38.0, 18.0)
    ),
}
"""Presets of either kind, the most usual first."""
