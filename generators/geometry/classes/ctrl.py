"""CTRL: control pictures, an empty canvas and a single dot in the centre."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generators.geometry.arrangement import Arrangement, dots_at, rounded
from generators.geometry.canvas import LATTICE_DOT_UM, STANDARD_CANVAS
from generators.geometry.image_class import ImageClass, Variant

if TYPE_CHECKING:
    from generators.geometry.draws import Draws
    from generators.geometry.image_class import Settings

__all__ = ["CTRL"]


def _arrange(settings: Settings, draws: Draws) -> Arrangement:  # noqa: ARG001
    """Nothing is drawn at random: fresh suites have the same two control pictures."""
    if not settings["count"]:
        return Arrangement(pattern="empty", dots=())
    centre = rounded(STANDARD_CANVAS.width_um / 2, STANDARD_CANVAS.height_um / 2)
    return Arrangement(
        pattern="single_spot",
        dots=dots_at([centre], diameter_um=settings["diameter_um"], role="spot"),
    )


CTRL = ImageClass(
    name="CTRL",
    about="control: an empty canvas, a single centred dot",
    variants=(
        Variant(id="CTRL_empty_wb", settings={"count": 0}),
        Variant(id="CTRL_single_wb", settings={"count": 1, "diameter_um": LATTICE_DOT_UM}),
    ),
    arrange=_arrange,
)
