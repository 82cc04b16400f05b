"""HSDN: an exact hexagonal lattice with dots taken out and noise dots put between its sites."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generators.geometry.layout import (
    DOT_GAP_UM,
    LATTICE_DOT_UM,
    LATTICE_SPACINGS_UM,
    Arrangement,
    Dot,
    DotDraws,
    ImageClass,
    Lattice,
    PlacementBox,
    Settings,
    Variant,
    dots_at,
    hexagonal_lattice,
    place_dots,
)

if TYPE_CHECKING:
    from collections.abc import Sequence


__all__ = ["HSDN", "noise_clearance_um"]

_DEFECT_PERCENT = (5, 10, 20)
_NOISE_PERCENT = (5, 10)
_CLEARANCE_SHARE = 0.42


def noise_clearance_um(spacing_um: float) -> float:
    """Return how far a noise dot keeps from every site, empty or not, centre to centre.

    At least a dot and a gap, and 0.42 of the spacing (the middle of three sites is at 0.577): a noise dot is
    never taken for a lattice dot that was moved.
    """
    return max(LATTICE_DOT_UM + DOT_GAP_UM, _CLEARANCE_SHARE * spacing_um)


def _arrange(settings: Settings, draws: DotDraws) -> Arrangement:
    """Take out interior dots only, so that every empty site is surrounded by the lattice."""
    lattice = hexagonal_lattice(settings["spacing_um"], draws)
    missing = _share(settings["defect_percent"], lattice.sites)
    removed = draws.shuffled(lattice.interior)[:missing]
    kept = [site for site in lattice.sites if site not in removed]
    extra = _share(settings["noise_percent"], lattice.sites)
    return Arrangement(
        pattern="hexagonal_defects",
        dots=dots_at(kept, diameter_um=LATTICE_DOT_UM, role="lattice") + _noise(lattice, extra, draws),
        removed=tuple(removed),
        spacing_um=lattice.spacing_um,
    )


def _share(percent: float, sites: Sequence[object]) -> int:
    """Return that share of the sites, half rounded up, at least one."""
    return max(1, int(percent * len(sites) / 100 + 0.5))


def _noise(lattice: Lattice, count: int, draws: DotDraws) -> tuple[Dot, ...]:
    box = PlacementBox(
        left_um=min(site.x_um for site in lattice.sites),
        right_um=max(site.x_um for site in lattice.sites),
        top_um=min(site.y_um for site in lattice.sites),
        bottom_um=max(site.y_um for site in lattice.sites),
    )
    return place_dots(
        draws,
        [LATTICE_DOT_UM] * count,
        role="noise",
        box=box,
        keep_off=lattice.sites,
        clearance_um=noise_clearance_um(lattice.spacing_um),
    )


HSDN = ImageClass(
    name="HSDN",
    patterns=("hexagonal_defects",),
    variants=tuple(
        Variant(
            id=f"HSDN_sp{spacing}_d{defects}_n{noise}_wb",
            settings={
                "spacing_um": float(spacing),
                "defect_percent": float(defects),
                "noise_percent": float(noise),
            },
        )
        for spacing in LATTICE_SPACINGS_UM
        for defects in _DEFECT_PERCENT
        for noise in _NOISE_PERCENT
    ),
    arrange=_arrange,
)
