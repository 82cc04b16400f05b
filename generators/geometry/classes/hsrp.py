"""HSRP: a complete hexagonal lattice whose dots are moved off their sites at random."""

from __future__ import annotations

from generators.geometry.layout import (
    LATTICE_DOT_UM,
    LATTICE_SPACINGS_UM,
    Arrangement,
    DotDraws,
    ImageClass,
    Settings,
    dots_at,
    hexagonal_lattice,
    repeated,
    rounded,
)

__all__ = ["HSRP"]

_DISPLACEMENTS_UM = (1, 2)
_REPEATS = 4
_LEAST_SHARE = 0.5


def _arrange(settings: Settings, draws: DotDraws) -> Arrangement:
    """Move every dot by half to all of the displacement, uniformly over that ring: none stays on its site."""
    lattice = hexagonal_lattice(settings["spacing_um"], draws)
    longest = settings["displacement_um"]
    places = []
    for site in lattice.sites:
        dx, dy = draws.ring(_LEAST_SHARE * longest, longest)
        places.append(rounded(site.x_um + dx, site.y_um + dy))
    return Arrangement(
        pattern="hexagonal_perturbed",
        dots=dots_at(places, diameter_um=LATTICE_DOT_UM, role="lattice"),
        spacing_um=lattice.spacing_um,
        displacement_um=longest,
    )


HSRP = ImageClass(
    name="HSRP",
    patterns=("hexagonal_perturbed",),
    variants=tuple(
        variant
        for spacing in LATTICE_SPACINGS_UM
        for displacement in _DISPLACEMENTS_UM
        for variant in repeated(
            f"HSRP_sp{spacing}_p{displacement}",
            _REPEATS,
            {"spacing_um": float(spacing), "displacement_um": float(displacement)},
        )
    ),
    arrange=_arrange,
)
