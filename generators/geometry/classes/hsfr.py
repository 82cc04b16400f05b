"""HSFR: dots on every site of an exact hexagonal lattice."""

from __future__ import annotations

from generators.geometry.layout import (
    LATTICE_DOT_UM,
    LATTICE_SPACINGS_UM,
    Arrangement,
    DotDraws,
    ImageClass,
    Settings,
    Variant,
    dots_at,
    hexagonal_lattice,
)

__all__ = ["HSFR"]


def _arrange(settings: Settings, draws: DotDraws) -> Arrangement:
    lattice = hexagonal_lattice(settings["spacing_um"], draws)
    return Arrangement(
        pattern="hexagonal",
        dots=dots_at(lattice.sites, diameter_um=LATTICE_DOT_UM, role="lattice"),
        spacing_um=lattice.spacing_um,
    )


HSFR = ImageClass(
    name="HSFR",
    patterns=("hexagonal",),
    variants=tuple(
        Variant(id=f"HSFR_sp{spacing}_wb", settings={"spacing_um": float(spacing)})
        for spacing in LATTICE_SPACINGS_UM
    ),
    arrange=_arrange,
)
