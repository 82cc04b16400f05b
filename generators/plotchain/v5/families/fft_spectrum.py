"""Magnitude spectrum of two tones over a noise floor."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from generators.plotchain.numeric import np
from generators.plotchain.v5 import readings
from generators.plotchain.v5.axes import FREQUENCY, HEIGHT_PX, AxisLabel, PlotParams, in_base_unit
from generators.plotchain.v5.plot import CurvePlot, asked

if TYPE_CHECKING:
    from generators.plotchain.family import Difficulty, PlotCase, PlotDraws, StoredParams
    from generators.plotchain.numeric import FloatArray

__all__ = ["FAMILY", "FftSpectrum", "FftSpectrumParams"]

_LEAST_DISTANCE = 0.07
_PEAK_DEPTH_PX = 3.0
_DB_PER_DECADE = 20.0
_FLOOR_PX: Final[dict[Difficulty, float]] = {"clean": 30.0, "moderate": 42.0, "edge": 50.0}
_FLOOR_NOISE_PX: Final[dict[Difficulty, float]] = {"clean": 1.0, "moderate": 4.0, "edge": 9.0}
_NOISE_LIMIT = 2.5


@dataclass(frozen=True, slots=True, kw_only=True)
class FftSpectrumParams(PlotParams):
    """Both tones in the axis unit and their levels in dB; how wide a peak is 3 px below its top, in px."""

    frequency_unit: str
    dominant: float
    secondary: float
    dominant_db: float
    secondary_db: float
    peak_width_px: float


class FftSpectrum(CurvePlot[FftSpectrumParams]):
    """Two peaks, parabolas in dB as a Gaussian window gives them, over a flat floor; their tops carry no noise."""

    name = "fft_spectrum"
    params_type = FftSpectrumParams
    title = "Magnitude spectrum"
    about = "the magnitude spectrum of a signal that holds two tones and noise"
    noise = "own"
    fields = (
        asked("dominant_frequency_hz", "Hz", "frequency of the highest peak"),
        asked("secondary_frequency_hz", "Hz", "frequency of the second-highest peak"),
        asked(
            "cp_peak_ratio",
            "unitless",
            "amplitude of the highest peak divided by that of the second-highest: 10 to the power of their "
            "difference in dB over 20",
        ),
    )

    def attempt(self, draws: PlotDraws) -> FftSpectrumParams:
        """Draw unit, frequency axis, level axis, both places, height, drop and width of the peaks."""
        unit = draws.pick(tuple(FREQUENCY))
        width = draws.log_uniform(5.0, 2000.0)
        left = width * draws.uniform(0.0, 2.0)
        range_db, top_db = draws.log_uniform(12.0, 140.0), draws.uniform(-60.0, 40.0)
        first, second = draws.uniform(0.05, 0.95), draws.uniform(0.05, 0.95)
        while abs(first - second) < _LEAST_DISTANCE:
            first, second = draws.uniform(0.05, 0.95), draws.uniform(0.05, 0.95)
        height_px, drop_px = draws.uniform(385.0, 415.0), draws.uniform(60.0, 285.0)
        peak_width_px = draws.uniform(3.0, 5.0)
        db_per_px = range_db / HEIGHT_PX
        return FftSpectrumParams(
            **PlotParams.limits((left, left + width), (top_db - range_db, top_db)),
            frequency_unit=unit,
            dominant=left + first * width,
            secondary=left + second * width,
            dominant_db=top_db - range_db + height_px * db_per_px,
            secondary_db=top_db - range_db + (height_px - drop_px) * db_per_px,
            peak_width_px=peak_width_px,
        )

    def labels(self, params: FftSpectrumParams) -> tuple[AxisLabel, AxisLabel]:
        """Return frequency and dB."""
        return AxisLabel("Frequency", params.frequency_unit, FREQUENCY), AxisLabel("Magnitude", "dB")

    def curve_px(self, params: FftSpectrumParams, x_px: FloatArray) -> FloatArray:
        """Return the upper outline of both peaks, without the floor."""
        frame = self.frame(params)
        peaks = [
            frame.y.px(level) - _PEAK_DEPTH_PX * ((x_px - frame.x.px(tone)) / params.peak_width_px) ** 2
            for tone, level in ((params.dominant, params.dominant_db), (params.secondary, params.secondary_db))
        ]
        return np.maximum(*peaks)

    def shown_px(self, case: PlotCase[FftSpectrumParams]) -> tuple[FloatArray, FloatArray]:
        """Return the peaks above the noisy floor."""
        x_px, peaks_px = self.sampled_px(case.params)
        sigma = _FLOOR_NOISE_PX[case.difficulty]
        reach = _NOISE_LIMIT * sigma
        noise = np.clip(self.noise_stream(case.params).normal(0.0, sigma, x_px.size), -reach, reach)
        return x_px, np.maximum(peaks_px, _FLOOR_PX[case.difficulty] + noise)

    def readings(self, params: FftSpectrumParams) -> dict[str, readings.ExactReading]:
        """Return both tones and the ratio of their amplitudes."""
        frame = self.frame(params)
        decades = (params.dominant_db - params.secondary_db) / _DB_PER_DECADE
        decades_per_px = frame.y.per_px / _DB_PER_DECADE
        return {
            "dominant_frequency_hz": readings.level(frame.x, params.dominant),
            "secondary_frequency_hz": readings.level(frame.x, params.secondary),
            "cp_peak_ratio": readings.ratio(10.0**decades, (decades_per_px, decades_per_px), in_decades=True),
        }

    def baseline(self, p: StoredParams) -> dict[str, float]:
        """Return the fields from parabolas through three samples of each peak."""
        hertz = in_base_unit(FREQUENCY, p.text("frequency_unit"))
        places, levels = [], []
        for tone in ("dominant", "secondary"):
            samples = np.array([-1.0, 0.25, 1.0]) * p["peak_width_px"]
            square, line, constant = np.polyfit(
                samples, p[f"{tone}_db"] - 3.0 * (samples / p["peak_width_px"]) ** 2, 2
            )
            vertex = -line / (2.0 * square)
            places.append(p[tone] + float(vertex) * (p["x_max"] - p["x_min"]) / 810.0)
            levels.append(float(constant - square * vertex * vertex))
        return {
            "dominant_frequency_hz": places[0] * hertz,
            "secondary_frequency_hz": places[1] * hertz,
            "cp_peak_ratio": math.exp(math.log(10.0) * levels[0] / 20.0)
            / math.exp(math.log(10.0) * levels[1] / 20.0),
        }


FAMILY = FftSpectrum()
