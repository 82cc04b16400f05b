"""HSFR: dots on every site of an exact hexagonal lattice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generators.geometry.arrangement import Arrangement, dots_at
from generators.geometry.canvas import LATTICE_DOT_UM
from generators.geometry.image_class import ImageClass, Variant
from generators.geometry.lattice import hexagonal_lattice

if TYPE_CHECKING:
    from generators.geometry.draws import Draws
    from generators.geometry.image_class import Settings

__all__ = ["HSFR"]

_SPACINGS_UM = (8, 12, 16)


def _arrange(settings: Settings, draws: Draws) -> Arrangement:
    lattice = hexagonal_lattice(settings["spacing_um"], draws)
    return Arrangement(
        pattern="hexagonal",
        dots=dots_at(lattice.sites, diameter_um=LATTICE_DOT_UM, role="lattice"),
        spacing_um=lattice.spacing_um,
    )


HSFR = ImageClass(
    name="HSFR",
    about="an exact hexagonal lattice",
    variants=tuple(
        Variant(id=f"HSFR_sp{spacing}_wb", settings={"spacing_um": float(spacing)}) for spacing in _SPACINGS_UM
    ),
    arrange=_arrange,
)
