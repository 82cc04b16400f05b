"""Current over voltage of a diode."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from generators.plotchain.numeric import bisect, np
from generators.plotchain.v5 import readings
from generators.plotchain.v5.axes import CURRENT, WIDTH_PX, AxisLabel, PlotParams, in_base_unit
from generators.plotchain.v5.drawing import MarkDot, horizontal
from generators.plotchain.v5.plot import CurvePlot, asked

if TYPE_CHECKING:
    from generators.plotchain.family import PlotDraws, StoredParams
    from generators.plotchain.numeric import FloatArray
    from generators.plotchain.v5.drawing import Mark, MarkLine

__all__ = ["FAMILY", "IvDiode", "IvDiodeParams"]

_FIRST_AT, _LAST_AT = 0.01, 0.99
_HIGHEST_AT = 0.94


@dataclass(frozen=True, slots=True, kw_only=True)
class IvDiodeParams(PlotParams):
    """Marked current in the axis unit, the voltage where it flows and the slope voltage in V."""

    current_unit: str
    slope_voltage_v: float
    target_current: float
    target_voltage_v: float


class IvDiode(CurvePlot[IvDiodeParams]):
    """I = I_q exp((V - V_q) / k), the diode law far above its saturation current."""

    name = "iv_diode"
    params_type = IvDiodeParams
    title = "Diode current over voltage"
    noise = "points"
    has_curve_b = True
    fields = (
        asked("target_current_a", "A", "current at the dotted line I_q"),
        asked("turn_on_voltage_v_at_target_i", "V", "voltage at which the curve reaches that current"),
    )
    about = "the current of a diode over its voltage"
    reading_rule = "Through scattered points, read the smooth exponential curve that fits them best."

    def attempt(self, draws: PlotDraws) -> IvDiodeParams:
        """Draw unit and height, steepness and width, then where the marked current flows."""
        unit = draws.pick(tuple(CURRENT))
        height, slope_v = draws.log_uniform(2.0, 500.0), draws.log_uniform(0.03, 0.15)
        span_v = slope_v * draws.uniform(5.0, 11.0)
        voltage_v, place = draws.uniform(0.6, 3.6), draws.uniform(0.35, 0.92)
        level, margin = draws.uniform(0.15, 0.88), draws.uniform(0.03, 0.08)
        low_v = voltage_v - place * span_v
        return IvDiodeParams(
            **PlotParams.limits((low_v, low_v + span_v), (-margin * height, (1.0 - margin) * height)),
            current_unit=unit,
            slope_voltage_v=slope_v,
            target_current=(level - margin) * height,
            target_voltage_v=voltage_v,
        )

    def labels(self, params: IvDiodeParams) -> tuple[AxisLabel, AxisLabel]:
        """Return voltage and current."""
        return AxisLabel("Voltage", "V"), AxisLabel("Current", params.current_unit, CURRENT)

    def curve_px(self, params: IvDiodeParams, x_px: FloatArray) -> FloatArray:
        """Return the current."""
        frame = self.frame(params)
        exponent = (frame.x.values(x_px) - params.target_voltage_v) / params.slope_voltage_v
        return frame.y.pixels(params.target_current * np.exp(exponent))

    def ends_px(self, params: IvDiodeParams) -> tuple[float, float]:
        """Return a hundredth of the width, and where the curve leaves the axes, at most as far from their end."""
        highest = params.target_voltage_v + params.slope_voltage_v * math.log(
            _HIGHEST_AT * params.y_max / params.target_current
        )
        return _FIRST_AT * WIDTH_PX, min(_LAST_AT * WIDTH_PX, self.frame(params).x.px(highest))

    def noise_share(self, params: IvDiodeParams, x_px: FloatArray) -> FloatArray:
        """Return the current's share of the marked one, at most 1: a diode that is off shows no noise."""
        y = self.frame(params).y
        current = y.values(self.curve_px(params, x_px))
        return np.clip(current / params.target_current, 0.0, 1.0)

    def readings(self, params: IvDiodeParams) -> dict[str, readings.ExactReading]:
        """Return the marked current and where the curve reaches it."""
        frame = self.frame(params)
        steepness = self.steepness_px(params, params.target_voltage_v)
        return {
            "target_current_a": readings.level(frame.y, params.target_current),
            "turn_on_voltage_v_at_target_i": readings.crossing(
                frame.x, params.target_voltage_v, slope_px=steepness
            ),
        }

    def marks(self, params: IvDiodeParams) -> tuple[MarkLine, ...]:
        """Return the line at the marked current."""
        return (horizontal(self.frame(params).y.px(params.target_current), letter="$I_q$"),)

    def helpers(self, params: IvDiodeParams) -> tuple[Mark, ...]:
        """Return a dot where the curve reaches it."""
        frame = self.frame(params)
        return (MarkDot(x_px=frame.x.px(params.target_voltage_v), y_px=frame.y.px(params.target_current)),)

    def baseline(self, p: StoredParams) -> dict[str, float]:
        """Return the fields by bisection on the current."""

        def excess(voltage: float) -> float:
            # Measured from the point where the current is 1 axis unit.
            at_one = p["target_voltage_v"] - p["slope_voltage_v"] * math.log(p["target_current"])
            return math.exp((voltage - at_one) / p["slope_voltage_v"]) - p["target_current"]

        voltage = bisect(excess, p["x_min"], p["x_max"])
        return {
            "target_current_a": (excess(voltage) + p["target_current"])
            * in_base_unit(CURRENT, p.text("current_unit")),
            "turn_on_voltage_v_at_target_i": voltage,
        }


FAMILY = IvDiode()
