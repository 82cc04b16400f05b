"""Magnitude of a second-order bandpass over a linear frequency axis."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from generators.plotchain.numeric import bisect, np
from generators.plotchain.v5 import readings
from generators.plotchain.v5.axes import FREQUENCY, WIDTH_PX, AxisLabel, PlotParams, in_base_unit
from generators.plotchain.v5.drawing import MarkDot, horizontal
from generators.plotchain.v5.plot import CurvePlot, asked
from generators.plotchain.v5.readings import half_width_px

if TYPE_CHECKING:
    from generators.plotchain.family import PlotDraws, StoredParams
    from generators.plotchain.numeric import FloatArray
    from generators.plotchain.v5.drawing import Mark

__all__ = ["FAMILY", "BandpassResponse", "BandpassResponseParams"]

HALF_POWER_DB: Final = 10.0 * math.log10(2.0)
_LOWEST_START = 0.05
_INSIDE = (0.06, 0.94)


@dataclass(frozen=True, slots=True, kw_only=True)
class BandpassResponseParams(PlotParams):
    """Resonance `f0` in the axis unit, quality factor, level at resonance in dB."""

    frequency_unit: str
    f0: float
    q_factor: float
    peak_db: float


class BandpassResponse(CurvePlot[BandpassResponseParams]):
    """|H(f)| = peak / sqrt(1 + Q^2 (f/f0 - f0/f)^2): half power at f0 (sqrt(1 + 1/(4 Q^2)) -+ 1/(2 Q))."""

    name = "bandpass_response"
    params_type = BandpassResponseParams
    title = "Bandpass frequency response"
    has_curve_b = True
    fields = (
        asked("resonance_hz", "Hz", "frequency of the peak"),
        asked("bandwidth_hz", "Hz", "distance between the two half-power (−3 dB) frequencies"),
        asked("cp_f1_3db_hz", "Hz", "the lower half-power frequency"),
        asked("cp_f2_3db_hz", "Hz", "the upper half-power frequency"),
        asked("cp_q_factor", "unitless", "resonance frequency divided by bandwidth"),
    )
    about = "the magnitude response of a bandpass filter"

    def attempt(self, draws: PlotDraws) -> BandpassResponseParams | None:
        """Draw unit, quality, width and place of the peak, its frequency and level, then what lies below."""
        unit = draws.pick(tuple(FREQUENCY))
        q_factor = draws.log_uniform(2.0, 50.0)
        share, place = draws.uniform(0.2, 0.45), draws.uniform(0.2, 0.8)
        f0 = draws.log_uniform(2.0, 2000.0)
        peak_db, drop_db = draws.uniform(-30.0, 40.0), draws.uniform(9.0, 16.0)
        margin = draws.uniform(0.06, 0.2)
        span = f0 / (q_factor * share)
        low = f0 - place * span
        fractions = [(frequency - low) / span for frequency in _half_power(f0, q_factor)]
        if low < _LOWEST_START * f0 or fractions[0] < _INSIDE[0] or fractions[1] > _INSIDE[1]:
            return None
        return BandpassResponseParams(
            **PlotParams.limits(
                (low, low + span), (peak_db - drop_db, peak_db - drop_db + drop_db / (1.0 - margin))
            ),
            frequency_unit=unit,
            f0=f0,
            q_factor=q_factor,
            peak_db=peak_db,
        )

    def labels(self, params: BandpassResponseParams) -> tuple[AxisLabel, AxisLabel]:
        """Return frequency and dB, both linear."""
        return AxisLabel("Frequency", params.frequency_unit, FREQUENCY), AxisLabel("Magnitude", "dB")

    def curve_px(self, params: BandpassResponseParams, x_px: FloatArray) -> FloatArray:
        """Return the level."""
        frame = self.frame(params)
        ratio = frame.x.values(x_px) / params.f0
        detuning = params.q_factor * (ratio - 1.0 / ratio)
        return frame.y.pixels(params.peak_db - 10.0 * np.log10(1.0 + detuning * detuning))

    def readings(self, params: BandpassResponseParams) -> dict[str, readings.ExactReading]:
        """Return the peak, both half-power points, and what follows from them."""
        x = self.frame(params).x
        f1, f2 = _half_power(params.f0, params.q_factor)
        s1, s2 = (abs(self.steepness_px(params, frequency)) for frequency in (f1, f2))
        width = half_width_px(
            lambda x_px: self.curve_px(params, x_px), x.px(params.f0), left_px=0.0, right_px=WIDTH_PX
        )
        bandwidth = readings.difference(x, f2 - f1, shares=(1.0, 1.0, 1.0 / s1, 1.0 / s2, 1.0 / s1 + 1.0 / s2))
        q_factor = params.f0 / (f2 - f1)
        return {
            "resonance_hz": readings.extremum(x, params.f0, half_width_px=width),
            "bandwidth_hz": bandwidth,
            "cp_f1_3db_hz": readings.crossing(x, f1, slope_px=s1, levels=(1.0,)),
            "cp_f2_3db_hz": readings.crossing(x, f2, slope_px=s2, levels=(1.0,)),
            "cp_q_factor": readings.ratio(
                q_factor, tuple(q_factor * share / bandwidth.value for share in bandwidth.sensitivities)
            ),
        }

    def helpers(self, params: BandpassResponseParams) -> tuple[Mark, ...]:
        """Return the line at half power and a dot at each half-power frequency."""
        frame = self.frame(params)
        at_px = frame.y.px(params.peak_db - HALF_POWER_DB)
        dots = (MarkDot(x_px=frame.x.px(f), y_px=at_px) for f in _half_power(params.f0, params.q_factor))
        return horizontal(at_px, letter="−3\ndB"), *dots

    def baseline(self, p: StoredParams) -> dict[str, float]:
        """Return the fields from the complex transfer function by bisection."""

        def response(frequency: float) -> complex:
            s = 1j * frequency / p["f0"]
            return (s / p["q_factor"]) / (s * s + s / p["q_factor"] + 1.0)

        hertz = in_base_unit(FREQUENCY, p.text("frequency_unit"))
        resonance = bisect(lambda f: response(f).imag, p["x_min"], p["x_max"])
        lower = bisect(lambda f: abs(response(f)) ** 2 - 0.5, p["x_min"], resonance)
        upper = bisect(lambda f: abs(response(f)) ** 2 - 0.5, resonance, p["x_max"])
        return {
            "resonance_hz": resonance * hertz,
            "bandwidth_hz": (upper - lower) * hertz,
            "cp_f1_3db_hz": lower * hertz,
            "cp_f2_3db_hz": upper * hertz,
            "cp_q_factor": resonance / (upper - lower),
        }


def _half_power(f0: float, q_factor: float) -> tuple[float, float]:
    half = 0.5 / q_factor
    middle = math.sqrt(1.0 + half * half)
    return f0 * (middle - half), f0 * (middle + half)


FAMILY = BandpassResponse()
