"""Units that axes are drawn in, each with its size in the base unit that the question asks for."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CURRENT", "FREQUENCY", "POLE", "STRAIN", "TIME", "TORQUE", "VOLTAGE", "WAVE_VOLTAGE", "in_base_unit"]

Units = MappingProxyType[str, float]

TIME: Units = MappingProxyType({"s": 1.0, "ms": 1e-3, "µs": 1e-6})
FREQUENCY: Units = MappingProxyType({"Hz": 1.0, "kHz": 1e3, "MHz": 1e6})
VOLTAGE: Units = MappingProxyType({"mV": 1e-3, "V": 1.0})
WAVE_VOLTAGE: Units = MappingProxyType({"mV": 1e-3, "V": 1.0, "kV": 1e3})
CURRENT: Units = MappingProxyType({"µA": 1e-6, "mA": 1e-3, "A": 1.0})
TORQUE: Units = MappingProxyType({"mN·m": 1e-3, "N·m": 1.0, "kN·m": 1e3})
POLE: Units = MappingProxyType({"rad/s": 1.0, "krad/s": 1e3})
STRAIN: Units = MappingProxyType({"1": 1.0, "%": 1e-2})


def in_base_unit(units: Mapping[str, float], symbol: str) -> float:
    """Return how many base units one unit of that symbol is.

    Raises:
        ValueError: no such unit among those allowed.
    """
    if symbol not in units:
        raise ValueError(f"expected one of the units {', '.join(units)}, got {symbol!r}")
    return units[symbol]
