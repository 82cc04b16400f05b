"""Sine, square or triangle over time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from generators.plotchain.family import Extent, FieldSpec, PlotFamily
from generators.plotchain.numeric import np, span
from generators.plotchain.v4 import marks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from generators.plotchain.family import Difficulty, PlotCase, PlotDraws, StoredParams
    from generators.plotchain.numeric import FloatArray

__all__ = ["FAMILY", "TimeWaveform", "TimeWaveformParams"]

_SHAPES = ("sine", "square", "triangle")
_FREQUENCY_HZ = (5.0, 10.0, 20.0, 25.0, 40.0, 50.0, 80.0, 100.0, 120.0)
_AMPLITUDE_V = (1.0, 2.0, 3.0, 4.0, 5.0)
_DUTY = (0.25, 0.33, 0.50, 0.66, 0.75)
_CYCLES: Final[dict[Difficulty, float]] = {"clean": 4.0, "moderate": 2.5, "edge": 1.1}
_SAMPLE_RATE_HZ: Final[dict[Difficulty, float]] = {"clean": 4000.0, "moderate": 3200.0, "edge": 2600.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeWaveformParams:
    """Shape, frequency in Hz, amplitude in V, sample rate in Hz, window in s; duty of a square only."""

    wave_type: str
    f0_hz: float
    A: float
    fs_hz: float
    t_end_s: float
    duty: float | None = None


class TimeWaveform(PlotFamily[TimeWaveformParams]):
    """A periodic voltage between -A and A; a square is high for the first `duty` of each period."""

    name = "time_waveform"
    params_type = TimeWaveformParams
    edge_tag = "short_window"
    fields = (
        FieldSpec(name="frequency_hz", unit="Hz", decimals=0),
        FieldSpec(name="vpp_v", unit="V", decimals=1),
        FieldSpec(name="cp_period_s", unit="s", decimals=3),
        FieldSpec(name="cp_vmax_v", unit="V", decimals=1),
        FieldSpec(name="cp_vmin_v", unit="V", decimals=1),
        FieldSpec(name="cp_duty", unit="unitless", decimals=2),
    )
    question_text = (
        "From the time-domain waveform plot, estimate:\n1) frequency_hz (Hz)\n2) vpp_v (V)\nReturn numeric JSON."
    )

    def sample(self, draws: PlotDraws) -> TimeWaveformParams:
        """Draw shape, frequency, amplitude, and for a square its duty."""
        shape = draws.pick(_SHAPES)
        f0 = draws.pick(_FREQUENCY_HZ)
        amplitude = draws.pick(_AMPLITUDE_V)
        return TimeWaveformParams(
            wave_type=shape,
            f0_hz=f0,
            A=amplitude,
            fs_hz=_SAMPLE_RATE_HZ[draws.difficulty],
            t_end_s=_CYCLES[draws.difficulty] / f0,
            duty=draws.pick(_DUTY) if shape == "square" else None,
        )

    def truth(self, params: TimeWaveformParams) -> dict[str, float]:
        """Return frequency, peak-to-peak, period, both levels, and for a square its duty."""
        truth = {
            "frequency_hz": params.f0_hz,
            "vpp_v": 2.0 * params.A,
            "cp_period_s": 1.0 / params.f0_hz,
            "cp_vmax_v": params.A,
            "cp_vmin_v": -params.A,
        }
        return truth if params.duty is None else {**truth, "cp_duty": params.duty}

    def extent(self, case: PlotCase[TimeWaveformParams]) -> Extent:
        """Return the window and the range of the sampled waveform."""
        return Extent.with_nice_steps(
            x=(0.0, case.params.t_end_s),
            y=span(_voltage(case.params, _sample_times(case.params))),
            intervals=(5, 5),
        )

    def draw(self, axes: Axes, case: PlotCase[TimeWaveformParams]) -> None:
        """Draw the sampled waveform, gridded unless edge."""
        t = _sample_times(case.params)
        marks.curve(axes, t, _voltage(case.params, t), width_pt=1.3)
        marks.name_axes(axes, title=f"Time Waveform ({case.params.wave_type})", x="Time (s)", y="Voltage (V)")
        if case.difficulty != "edge":
            marks.grid(axes, alpha=0.35)

    def baseline(self, p: StoredParams) -> dict[str, float]:
        """Return the fields by counting on ten sampled cycles."""
        shape = p.text("wave_type")
        per_cycle, cycles = 10_000, 10
        phase = np.arange(per_cycle) / per_cycle
        level = {
            "sine": np.cos(2.0 * np.pi * (phase - 0.25)),
            "square": np.sign((p["duty"] if shape == "square" else 0.0) - phase),
            "triangle": 2.0 / np.pi * np.arcsin(np.cos(2.0 * np.pi * phase)),
        }[shape]
        signal = p["A"] * np.tile(level, cycles)
        rising = np.flatnonzero((signal[:-1] < 0.0) & (signal[1:] >= 0.0))
        period_s = float(np.diff(rising).mean()) / (per_cycle * p["f0_hz"])
        high, low = float(signal.max()), float(signal.min())
        truth = {
            "frequency_hz": 1.0 / period_s,
            "vpp_v": high - low,
            "cp_period_s": period_s,
            "cp_vmax_v": high,
            "cp_vmin_v": low,
        }
        return truth if shape != "square" else {**truth, "cp_duty": float((level > 0.0).mean())}


def _sample_times(params: TimeWaveformParams) -> FloatArray:
    """Sample times in s at the sample rate, window end excluded."""
    return np.arange(0.0, params.t_end_s, 1.0 / params.fs_hz)


def _voltage(params: TimeWaveformParams, t: FloatArray) -> FloatArray:
    if params.wave_type == "sine":
        return params.A * np.sin(2.0 * np.pi * params.f0_hz * t)
    phase = (t * params.f0_hz) % 1.0
    if params.duty is not None:
        return np.where(phase < params.duty, params.A, -params.A)
    return params.A * (2.0 * np.abs(2.0 * phase - 1.0) - 1.0)


FAMILY = TimeWaveform()
