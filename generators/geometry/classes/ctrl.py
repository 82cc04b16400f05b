"""CTRL: control pictures, an empty canvas and a single dot in the centre."""

from __future__ import annotations

from generators.geometry.layout import (
    LATTICE_DOT_UM,
    STANDARD_CANVAS,
    Arrangement,
    DotDraws,
    ImageClass,
    Settings,
    Variant,
    dots_at,
    rounded,
)

__all__ = ["CTRL"]


def _arrange(settings: Settings, draws: DotDraws) -> Arrangement:  # noqa: ARG001
    """Nothing is drawn at random: fresh suites have the same two control pictures."""
    if not settings["count"]:
        return Arrangement(pattern="empty", dots=())
    centre = rounded(STANDARD_CANVAS.width_um / 2, STANDARD_CANVAS.height_um / 2)
    dots = dots_at([centre], diameter_um=settings["diameter_um"], role="spot")
    return Arrangement(pattern="single_spot", dots=dots)


CTRL = ImageClass(
    name="CTRL",
    patterns=("empty", "single_spot"),
    variants=(
        Variant(id="CTRL_empty_wb", settings={"count": 0}),
        Variant(id="CTRL_single_wb", settings={"count": 1, "diameter_um": LATTICE_DOT_UM}),
    ),
    arrange=_arrange,
)
