"""USSS: dots of one size at random places."""

from __future__ import annotations

from generators.geometry.layout import Arrangement, DotDraws, ImageClass, Settings, place_dots, repeated

__all__ = ["USSS"]

_DIAMETERS_UM = (2, 3, 5)
_COUNTS = (20, 50, 100)
_REPEATS = 4


def _arrange(settings: Settings, draws: DotDraws) -> Arrangement:
    diameters = [settings["diameter_um"]] * int(settings["count"])
    return Arrangement(pattern="uniform_spots", dots=place_dots(draws, diameters, role="spot"))


USSS = ImageClass(
    name="USSS",
    patterns=("uniform_spots",),
    variants=tuple(
        variant
        for diameter in _DIAMETERS_UM
        for count in _COUNTS
        for variant in repeated(
            f"USSS_s{diameter}_d{count}", _REPEATS, {"diameter_um": float(diameter), "count": count}
        )
    ),
    arrange=_arrange,
)
