"""Periodic waveform over time."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from generators.plotchain.numeric import bisect, np
from generators.plotchain.v5 import readings
from generators.plotchain.v5.axes import TIME, WAVE_VOLTAGE, AxisLabel, PlotParams, in_base_unit
from generators.plotchain.v5.plot import CurvePlot, asked

if TYPE_CHECKING:
    from generators.plotchain.family import PlotDraws, StoredParams
    from generators.plotchain.numeric import FloatArray

__all__ = ["FAMILY", "TimeWaveform", "TimeWaveformParams"]

_SHAPES = ("sine", "square", "triangle")


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeWaveformParams(PlotParams):
    """Shape, a rising mid-crossing, period, lowest and highest value in axis units; duty of a square wave.

    Raises:
        ValueError: unknown shape, a square without duty or another shape with one.
    """

    time_unit: str
    voltage_unit: str
    wave_type: str
    first_rise: float
    period: float
    lowest: float
    highest: float
    duty: float | None = None

    def __post_init__(self) -> None:
        PlotParams.__post_init__(self)
        if self.wave_type not in _SHAPES or (self.duty is None) == (self.wave_type == "square"):
            raise ValueError(
                f"expected sine, triangle, or square with a duty, got {self.wave_type!r}, {self.duty!r}"
            )


class TimeWaveform(CurvePlot[TimeWaveformParams]):
    """A sine, square or triangle that rises through its middle at `first_rise`."""

    name = "time_waveform"
    params_type = TimeWaveformParams
    title = "Waveform"
    about = "the voltage of a periodic signal over time"
    noise = "band"
    fields = (
        asked("frequency_hz", "Hz", "repetition frequency"),
        asked("vpp_v", "V", "peak-to-peak voltage"),
        asked("cp_period_s", "s", "period"),
        asked("cp_vmax_v", "V", "highest voltage"),
        asked("cp_vmin_v", "V", "lowest voltage"),
        asked("cp_duty", "unitless", "only for a square wave: time at the higher level divided by the period"),
    )

    def attempt(self, draws: PlotDraws) -> TimeWaveformParams:
        """Draw units and shape, time axis and period, voltage axis and levels, then a duty for any shape."""
        time_unit, voltage_unit = draws.pick(tuple(TIME)), draws.pick(tuple(WAVE_VOLTAGE))
        shape = draws.pick(_SHAPES)
        width = draws.log_uniform(2.0, 2000.0)
        left = width * draws.uniform(-1.0, 3.0)
        period = width / draws.uniform(1.35, 2.0)
        first_rise = left + draws.uniform(0.04, 0.3) * period
        height = draws.log_uniform(0.5, 500.0)
        bottom = height * draws.uniform(-2.0, 1.0)
        filled, split = draws.uniform(0.55, 0.85), draws.uniform(0.2, 0.8)
        duty = draws.uniform(0.06, 0.94)
        lowest = bottom + split * (1.0 - filled) * height
        return TimeWaveformParams(
            **PlotParams.limits((left, left + width), (bottom, bottom + height)),
            time_unit=time_unit,
            voltage_unit=voltage_unit,
            wave_type=shape,
            first_rise=first_rise,
            period=period,
            lowest=lowest,
            highest=lowest + filled * height,
            duty=duty if shape == "square" else None,
        )

    def labels(self, params: TimeWaveformParams) -> tuple[AxisLabel, AxisLabel]:
        """Return time and voltage."""
        return AxisLabel("Time", params.time_unit, TIME), AxisLabel("Voltage", params.voltage_unit, WAVE_VOLTAGE)

    def curve_px(self, params: TimeWaveformParams, x_px: FloatArray) -> FloatArray:
        """Return the voltage."""
        frame = self.frame(params)
        phase = np.mod((frame.x.values(x_px) - params.first_rise) / params.period, 1.0)
        if params.duty is not None:
            share = np.where(phase < params.duty, 1.0, 0.0)
        elif params.wave_type == "sine":
            share = 0.5 + 0.5 * np.sin(2.0 * np.pi * phase)
        else:
            share = 1.0 - 2.0 * np.abs(np.mod(phase + 0.25, 1.0) - 0.5)
        return frame.y.pixels(params.lowest + share * (params.highest - params.lowest))

    def readings(self, params: TimeWaveformParams) -> dict[str, readings.ExactReading]:
        """Return frequency, span, period, both levels and the duty of a square wave."""
        frame = self.frame(params)
        period_px = params.period / frame.x.per_px
        frequency = 1.0 / (params.period * frame.x.base)
        truth = {
            "frequency_hz": readings.ratio(frequency, (frequency / period_px, frequency / period_px)),
            "vpp_v": readings.difference(frame.y, params.highest - params.lowest),
            "cp_period_s": readings.difference(frame.x, params.period),
            "cp_vmax_v": readings.level(frame.y, params.highest),
            "cp_vmin_v": readings.level(frame.y, params.lowest),
        }
        if params.duty is None:
            return truth
        shares = (1.0, params.duty, 1.0 - params.duty)
        return {**truth, "cp_duty": readings.ratio(params.duty, tuple(share / period_px for share in shares))}

    def baseline(self, p: StoredParams) -> dict[str, float]:
        """Return the fields by bisection for the crossings of the wave's middle."""

        def share(phase: float) -> float:
            turn = 2.0 * math.pi * phase
            if p.text("wave_type") == "square":
                return 1.0 if phase % 1.0 < p["duty"] else 0.0
            return 0.5 + (
                0.5 * math.sin(turn) if p.text("wave_type") == "sine" else math.asin(math.sin(turn)) / math.pi
            )

        def rise(near: float) -> float:
            return bisect(lambda t: share((t - p["first_rise"]) / p["period"]) - 0.5, near - reach, near + reach)

        reach = 0.04 * p["period"]
        first, second = rise(p["first_rise"]), rise(p["first_rise"] + p["period"])
        volts, period_s = (
            in_base_unit(WAVE_VOLTAGE, p.text("voltage_unit")),
            (second - first) * in_base_unit(TIME, p.text("time_unit")),
        )
        shares = [share(step / 4096.0) for step in range(4096)]
        low, high = (p["lowest"] + edge * (p["highest"] - p["lowest"]) for edge in (min(shares), max(shares)))
        truth = {
            "frequency_hz": 1.0 / period_s,
            "vpp_v": (high - low) * volts,
            "cp_period_s": period_s,
            "cp_vmax_v": high * volts,
            "cp_vmin_v": low * volts,
        }
        if p.text("wave_type") != "square":
            return truth
        return {**truth, "cp_duty": bisect(lambda phase: share(phase) - 0.5, 0.02, 0.98)}


FAMILY = TimeWaveform()
