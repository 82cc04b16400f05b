"""Random sequential placement: no dot cut by the border, no two dots closer than the gap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from generators.errors import ItemDataError
from generators.geometry.arrangement import Dot, Place, rounded
from generators.geometry.canvas import BORDER_GAP_UM, DOT_GAP_UM, STANDARD_CANVAS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generators.geometry.arrangement import Role
    from generators.geometry.draws import Draws

__all__ = ["MAX_TRIES", "Box", "dot_box", "place_dots"]

MAX_TRIES = 100_000
"""Positions tried for one dot before the request counts as impossible (the densest suite needs some dozens)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """Where centres may lie, in micrometres, bounds inclusive."""

    left_um: float
    right_um: float
    top_um: float
    bottom_um: float


def dot_box(diameter_um: float) -> Box:
    """Return where a dot's centre may lie so that the border does not cut it."""
    reach = diameter_um / 2 + BORDER_GAP_UM
    return Box(
        left_um=reach,
        right_um=STANDARD_CANVAS.width_um - reach,
        top_um=reach,
        bottom_um=STANDARD_CANVAS.height_um - reach,
    )


def place_dots(
    draws: Draws,
    diameters_um: Sequence[float],
    *,
    role: Role,
    box: Box | None = None,
    keep_off: Sequence[Place] = (),
    clearance_um: float = 0.0,
) -> tuple[Dot, ...]:
    """Place one dot for each diameter, largest first, uniformly over what is still free.

    Args:
        draws: the picture's generator.
        diameters_um: diameters in micrometres.
        role: role of all the dots.
        box: where centres may lie; the whole picture without it.
        keep_off: places that centres keep away from (lattice sites).
        clearance_um: how far they keep away.

    Raises:
        ItemDataError: there is no room for that many dots.
    """
    placed: list[Dot] = []
    for diameter in sorted(diameters_um, reverse=True):
        allowed = box or dot_box(diameter)
        for _ in range(MAX_TRIES):
            at = _random_place(draws, allowed)
            if _is_free(at, diameter, placed) and all(_apart(at, site, clearance_um) for site in keep_off):
                placed.append(Dot(x_um=at.x_um, y_um=at.y_um, diameter_um=diameter, role=role))
                break
        else:
            raise ItemDataError(
                f"expected room for a dot of {diameter} um beside {len(placed)} others, found none in "
                f"{MAX_TRIES} tries; ask for fewer or smaller dots"
            )
    return tuple(placed)


def _random_place(draws: Draws, box: Box) -> Place:
    return rounded(draws.uniform(box.left_um, box.right_um), draws.uniform(box.top_um, box.bottom_um))


def _is_free(at: Place, diameter_um: float, placed: Sequence[Dot]) -> bool:
    return all(_apart(at, dot, (diameter_um + dot.diameter_um) / 2 + DOT_GAP_UM) for dot in placed)


def _apart(at: Place, other: Dot | Place, least: float) -> bool:
    dx, dy = at.x_um - other.x_um, at.y_um - other.y_um
    return dx * dx + dy * dy >= least * least
