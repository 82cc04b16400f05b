"""Voltage over current of a resistor in series with a voltage source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from generators.plotchain.numeric import np
from generators.plotchain.v5 import readings
from generators.plotchain.v5.axes import CURRENT, VOLTAGE, AxisLabel, PlotParams, in_base_unit
from generators.plotchain.v5.drawing import vertical
from generators.plotchain.v5.plot import CurvePlot, asked

if TYPE_CHECKING:
    from generators.plotchain.family import PlotDraws, StoredParams
    from generators.plotchain.numeric import FloatArray
    from generators.plotchain.v5.drawing import MarkLine

__all__ = ["FAMILY", "IvResistor", "IvResistorParams"]


@dataclass(frozen=True, slots=True, kw_only=True)
class IvResistorParams(PlotParams):
    """Both ends of the line and the marked current, in axis units."""

    current_unit: str
    voltage_unit: str
    first_current: float
    last_current: float
    first_voltage: float
    last_voltage: float
    marked_current: float


class IvResistor(CurvePlot[IvResistorParams]):
    """A straight line; the axes begin anywhere, so that its slope is not the quotient of one point."""

    name = "iv_resistor"
    params_type = IvResistorParams
    title = "Voltage over current"
    noise = "points"
    has_curve_b = True
    fields = (
        asked("resistance_ohm", "ohm", "slope of the line, voltage difference over current difference"),
        asked("cp_voltage_at_iq_v", "V", "voltage of the line at the dotted line I_q"),
    )
    about = "the voltage of a resistor in series with a source, over their current"
    reading_rule = "Through scattered points, read the straight line that fits them best (least squares)."

    def attempt(self, draws: PlotDraws) -> IvResistorParams:
        """Draw units, both spans and origins, the ends of the line, then the mark."""
        current_unit, voltage_unit = draws.pick(tuple(CURRENT)), draws.pick(tuple(VOLTAGE))
        width, height = draws.log_uniform(2.0, 500.0), draws.log_uniform(2.0, 500.0)
        left, bottom = width * draws.uniform(0.0, 2.0), height * draws.uniform(0.0, 2.0)
        first, last = draws.uniform(0.03, 0.15), draws.uniform(0.8, 0.97)
        low, high = draws.uniform(0.05, 0.35), draws.uniform(0.6, 0.95)
        marked = first + draws.uniform(0.1, 0.9) * (last - first)
        return IvResistorParams(
            **PlotParams.limits((left, left + width), (bottom, bottom + height)),
            current_unit=current_unit,
            voltage_unit=voltage_unit,
            first_current=left + first * width,
            last_current=left + last * width,
            first_voltage=bottom + low * height,
            last_voltage=bottom + high * height,
            marked_current=left + marked * width,
        )

    def labels(self, params: IvResistorParams) -> tuple[AxisLabel, AxisLabel]:
        """Return current and voltage."""
        x, y = params.current_unit, params.voltage_unit
        return AxisLabel("Current", x, CURRENT), AxisLabel("Voltage", y, VOLTAGE)

    def ends_px(self, params: IvResistorParams) -> tuple[float, float]:
        """Return the line's ends."""
        x = self.frame(params).x
        return x.px(params.first_current), x.px(params.last_current)

    def curve_px(self, params: IvResistorParams, x_px: FloatArray) -> FloatArray:
        """Return the voltage."""
        frame = self.frame(params)
        current = frame.x.values(x_px)
        return frame.y.pixels(params.first_voltage + _slope(params) * (current - params.first_current))

    def readings(self, params: IvResistorParams) -> dict[str, readings.ExactReading]:
        """Return slope and voltage at the mark."""
        frame = self.frame(params)
        run_px = frame.x.px(params.last_current) - frame.x.px(params.first_current)
        rise_px = frame.y.px(params.last_voltage) - frame.y.px(params.first_voltage)
        marked = params.first_voltage + _slope(params) * (params.marked_current - params.first_current)
        return {
            "resistance_ohm": readings.slope(
                _slope(params) * frame.y.base / frame.x.base, rise_px=rise_px, run_px=run_px
            ),
            "cp_voltage_at_iq_v": readings.level(frame.y, marked, slope_px=rise_px / run_px),
        }

    def marks(self, params: IvResistorParams) -> tuple[MarkLine, ...]:
        """Return the current at which the voltage is asked for."""
        return (vertical(self.frame(params).x.px(params.marked_current), letter="$I_q$"),)

    def baseline(self, p: StoredParams) -> dict[str, float]:
        """Return the fields from a line fitted to points."""
        volts = in_base_unit(VOLTAGE, p.text("voltage_unit"))
        current = np.linspace(p["first_current"], p["last_current"], 60)
        line = np.polynomial.Polynomial.fit(current, np.linspace(p["first_voltage"], p["last_voltage"], 60), 1)
        return {
            "resistance_ohm": float(line.deriv()(0.0)) * volts / in_base_unit(CURRENT, p.text("current_unit")),
            "cp_voltage_at_iq_v": float(line(p["marked_current"])) * volts,
        }


def _slope(params: IvResistorParams) -> float:
    return (params.last_voltage - params.first_voltage) / (params.last_current - params.first_current)


FAMILY = IvResistor()
