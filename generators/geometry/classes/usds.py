"""USDS: dots of different sizes at random places."""

from __future__ import annotations

from generators.geometry.layout import Arrangement, DotDraws, ImageClass, Settings, Variant, place_dots

__all__ = ["USDS"]

_COUNTS = (20, 50, 100)
_MIXES_UM = {"s23": (2.0, 3.0), "s35": (3.0, 5.0), "s235": (2.0, 3.0, 5.0)}


def _arrange(settings: Settings, draws: DotDraws) -> Arrangement:
    """Give every size of the mix an equal share, one more of the smaller ones where it does not divide."""
    sizes = [value for name, value in settings.items() if name.startswith("diameter_")]
    diameters = [sizes[place % len(sizes)] for place in range(int(settings["count"]))]
    return Arrangement(pattern="variable_spots", dots=place_dots(draws, diameters, role="spot"))


def _settings(sizes_um: tuple[float, ...], count: int) -> dict[str, float]:
    return {f"diameter_{place}_um": size for place, size in enumerate(sizes_um, start=1)} | {"count": count}


USDS = ImageClass(
    name="USDS",
    patterns=("variable_spots",),
    variants=tuple(
        Variant(id=f"USDS_{mix}_d{count}_wb", settings=_settings(sizes, count))
        for mix, sizes in _MIXES_UM.items()
        for count in _COUNTS
    ),
    arrange=_arrange,
)
