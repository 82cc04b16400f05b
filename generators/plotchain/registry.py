"""Editions: which families belong to each, and in which module each family is defined.

Importing this module imports no family. A new family is one module and one line here.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generators.items import JsonValue
    from generators.plotchain.family import Family

__all__ = ["EDITIONS", "Edition", "edition_named"]

_FAMILIES = "generators.plotchain.families."
_V5_FAMILIES = "generators.plotchain.v5.families."
_SHARED_SOURCES = ("family.py", "numeric.py", "rendering.py", "../png.py")


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """A frozen set of families; `modules` maps each family name to the module that defines it.

    `baseline` is the module whose `baseline_truth` computes the truth a second time. `seed_prefix` stands
    before what item seeds are made from. `drawing_sources` are the files, relative to this one's folder and
    as glob patterns, that decide every picture of the edition, besides the family's own. Where items bring
    their own tolerances there is no table, and an item without them cannot be scored.
    """

    name: str
    modules: Mapping[str, str]
    baseline: str
    drawing_sources: tuple[str, ...]
    seed_prefix: tuple[str, ...] = ()
    has_own_tolerances: bool = False

    @property
    def families(self) -> tuple[str, ...]:
        """Family names in alphabetical order, which is the order of items."""
        return tuple(sorted(self.modules))

    def family(self, name: str) -> Family[Any]:
        """Import and return one family.

        Raises:
            KeyError: the edition has no family of that name.
        """
        return _family_in(self.modules[name])

    def baseline_truth(self, family: str, params: Mapping[str, JsonValue]) -> dict[str, float]:
        """Return every field's value from the stored parameters alone, not rounded, by a route of its own.

        Raises:
            KeyError: there is no baseline for the family, or a parameter is missing.
        """
        truth: dict[str, float] = importlib.import_module(self.baseline).baseline_truth(family, params)
        return truth


@cache
def _family_in(module: str) -> Family[Any]:
    family: Family[Any] = importlib.import_module(module).FAMILY
    return family


_V4_MODULES = {
    "bandpass_response": _FAMILIES + "bandpass_response",
    "bode_magnitude": _FAMILIES + "bode_magnitude",
    "bode_phase": _FAMILIES + "bode_phase",
    "fft_spectrum": _FAMILIES + "fft_spectrum",
    "iv_diode": _FAMILIES + "iv_diode",
    "iv_resistor": _FAMILIES + "iv_resistor",
    "pole_zero": _FAMILIES + "pole_zero",
    "pump_curve": _FAMILIES + "pump_curve",
    "sn_curve": _FAMILIES + "sn_curve",
    "spectrogram": _FAMILIES + "spectrogram",
    "step_response": _FAMILIES + "step_response",
    "stress_strain": _FAMILIES + "stress_strain",
    "time_waveform": _FAMILIES + "time_waveform",
    "torque_speed": _FAMILIES + "torque_speed",
    "transfer_characteristic": _FAMILIES + "transfer_characteristic",
}

_V4 = Edition(
    name="v4",
    modules=MappingProxyType(_V4_MODULES),
    baseline="generators.plotchain.baseline",
    drawing_sources=(*_SHARED_SOURCES, "marks.py"),
)
_V5 = Edition(
    name="v5",
    modules=MappingProxyType({name: _V5_FAMILIES + name for name in _V4_MODULES}),
    baseline="generators.plotchain.v5.baseline",
    drawing_sources=(*_SHARED_SOURCES, "draws.py", "v5/*.py"),
    seed_prefix=("v5",),
    has_own_tolerances=True,
)

EDITIONS: Mapping[str, Edition] = MappingProxyType({"v4": _V4, "v5": _V5})


def edition_named(name: str) -> Edition:
    """Return the edition of that name.

    Raises:
        ValueError: there is no such edition; the message lists those that exist.
    """
    if name not in EDITIONS:
        raise ValueError(f"unknown PlotChain edition {name!r}; expected one of: {', '.join(EDITIONS)}")
    return EDITIONS[name]
