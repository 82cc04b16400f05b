"""What each field of edition v5 is read from: the edition says it itself."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, get_args

from bench.validity.readings import FieldReading, PixelTolerance, Reading
from generators.plotchain.drawn_axes import AxisName, DrawnAxes, DrawnAxis
from generators.plotchain.v5 import units
from generators.plotchain.v5.plot import Plot

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generators.plotchain.family import Family
    from generators.plotchain.v5.readings import Reading as OwnReading

__all__ = ["v5_axes", "v5_pixels", "v5_places"]

_AT_ONE_PLACE = frozenset({"level", "level at a mark", "crossing", "extremum"})
_STRICT_SHARE = 0.5
_SAME = 1e-9
_UNITS: Mapping[str, float] = {
    symbol: size
    for table in (
        units.TIME,
        units.FREQUENCY,
        units.VOLTAGE,
        units.WAVE_VOLTAGE,
        units.CURRENT,
        units.TORQUE,
        units.POLE,
        units.STRAIN,
    )
    for symbol, size in table.items()
}


def v5_axes(family: Family[Any], params: Any) -> DrawnAxes:  # noqa: ANN401
    """Return the axes: this edition draws in pixels, and labels them itself."""
    frame = _plot(family).frame(params)
    x, y = (
        DrawnAxis(low=axis.low, high=axis.high, length_px=axis.length_px, is_log=axis.is_log)
        for axis in (frame.x, frame.y)
    )
    return DrawnAxes(x=x, y=y)


def v5_pixels(family: Family[Any], params: Any, policy: str) -> dict[str, PixelTolerance]:  # noqa: ANN401
    """Return each field's tolerance in pixels, as the edition's own sensitivities give it."""
    share = _STRICT_SHARE if policy == "strict" else 1.0
    return {
        name: PixelTolerance(one_px=share * reading.lone_px, all_px=share * reading.joint_px)
        for name, reading in _plot(family).readings(params).items()
    }


def v5_places(family: Family[Any], params: Any) -> dict[str, FieldReading]:  # noqa: ANN401
    """Return the reading of each field that is one place on one axis; the others have none."""
    frame = _plot(family).frame(params)
    found = {}
    for name, reading in _plot(family).readings(params).items():
        for axis_name in get_args(AxisName):
            axis = frame.x if axis_name == "x" else frame.y
            base = _UNITS.get(axis.name.unit, 1.0)
            if _is_on(reading, axis.per_px if axis.is_log else axis.per_px * base, is_log=axis.is_log):
                found[name] = _on_axis(axis_name, reading.value / base, base)
    return found


def _plot(family: Family[Any]) -> Plot[Any]:
    if not isinstance(family, Plot):
        raise TypeError(f"expected a family of edition v5, got {family.name!r}")
    return family


def _is_on(reading: OwnReading, per_px: float, *, is_log: bool) -> bool:
    """Whether a reading is one place on the axis that has this much a pixel: its first sensitivity is that."""
    return (
        reading.kind in _AT_ONE_PLACE
        and reading.in_decades == is_log
        and math.isclose(reading.sensitivities[0], per_px, rel_tol=_SAME)
    )


def _on_axis(axis: AxisName, value: float, base: float) -> FieldReading:
    return FieldReading(readings=(Reading(axis=axis, value=value),), formula=lambda read: base * read[0])
