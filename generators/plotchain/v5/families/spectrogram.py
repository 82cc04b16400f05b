"""Spectrogram of a tone that switches to another, between two silences."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from generators.plotchain.numeric import bisect, np
from generators.plotchain.v5 import drawing, readings
from generators.plotchain.v5.axes import FREQUENCY, HEIGHT_PX, TIME, WIDTH_PX, AxisLabel, PlotParams, in_base_unit
from generators.plotchain.v5.plot import V5Plot, asked

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from generators.plotchain.family import Difficulty, PlotCase, PlotDraws, StoredParams
    from generators.plotchain.numeric import FloatArray

__all__ = ["FAMILY", "Spectrogram", "SpectrogramParams"]

_LEAST_DISTANCE = 0.1
_CELL_PX = 2.0
_GATE_PX = 2.0
_NOISE: Final[dict[Difficulty, float]] = {"clean": 0.005, "moderate": 0.06, "edge": 0.2}
_RANGE_DB = -50.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SpectrogramParams(PlotParams):
    """Start, switch and end of the signal and both tones, in axis units; deviation of a tone's width in px."""

    time_unit: str
    frequency_unit: str
    start: float
    switch: float
    end: float
    first_tone: float
    second_tone: float
    tone_width_px: float


class Spectrogram(V5Plot[SpectrogramParams]):
    """Gaussian tones with soft gates, over Rayleigh noise as narrow-band noise has it."""

    name = "spectrogram"
    params_type = SpectrogramParams
    title = "Spectrogram"
    about = "the spectrogram of a signal: silence, one tone, then another tone, and silence again"
    noise = "own"
    has_grid = False
    fields = (
        asked("f1_hz", "Hz", "frequency of the earlier tone, its brightest line"),
        asked("f2_hz", "Hz", "frequency of the later tone, its brightest line"),
        asked("switch_time_s", "s", "time on the axis at which the first tone gives way to the second"),
        asked("cp_duration_s", "s", "from the start of the first tone to the end of the second"),
    )

    def attempt(self, draws: PlotDraws) -> SpectrogramParams:
        """Draw units and axes, the three times, the width, then both tones."""
        time_unit, frequency_unit = draws.pick(tuple(TIME)), draws.pick(tuple(FREQUENCY))
        width = draws.log_uniform(2.0, 2000.0)
        left = width * draws.uniform(0.0, 2.0)
        height = draws.log_uniform(2.0, 2000.0)
        bottom = height * draws.uniform(0.0, 2.0)
        start, end = draws.uniform(0.04, 0.3), draws.uniform(0.7, 0.96)
        switch = draws.uniform(start + 0.12, end - 0.12)
        tone_width_px = draws.uniform(6.0, 10.0)
        first, second = draws.uniform(0.07, 0.93), draws.uniform(0.07, 0.93)
        while abs(first - second) < _LEAST_DISTANCE:
            first, second = draws.uniform(0.07, 0.93), draws.uniform(0.07, 0.93)
        return SpectrogramParams(
            **PlotParams.limits((left, left + width), (bottom, bottom + height)),
            time_unit=time_unit,
            frequency_unit=frequency_unit,
            start=left + start * width,
            switch=left + switch * width,
            end=left + end * width,
            first_tone=bottom + first * height,
            second_tone=bottom + second * height,
            tone_width_px=tone_width_px,
        )

    def labels(self, params: SpectrogramParams) -> tuple[AxisLabel, AxisLabel]:
        """Return time and frequency."""
        return AxisLabel("Time", params.time_unit, TIME), AxisLabel("Frequency", params.frequency_unit, FREQUENCY)

    def readings(self, params: SpectrogramParams) -> dict[str, readings.ExactReading]:
        """Return tones, switch and duration."""
        frame = self.frame(params)
        return {
            "f1_hz": readings.level(frame.y, params.first_tone),
            "f2_hz": readings.level(frame.y, params.second_tone),
            "switch_time_s": readings.level(frame.x, params.switch),
            "cp_duration_s": readings.difference(frame.x, params.end - params.start),
        }

    def draw_content(self, axes: Axes, case: PlotCase[SpectrogramParams]) -> None:
        """Draw the picture and its scale of dB."""
        drawing.draw_image(axes, self.levels_db(case), low=_RANGE_DB, high=0.0)

    def levels_db(self, case: PlotCase[SpectrogramParams]) -> FloatArray:
        """Return the level of every cell, 216 rows from the bottom by 405 columns, in dB below a full tone."""
        params, frame = case.params, self.frame(case.params)
        x_px = np.arange(_CELL_PX / 2.0, WIDTH_PX, _CELL_PX)
        y_px = np.arange(_CELL_PX / 2.0, HEIGHT_PX, _CELL_PX)
        on, switched, off = (_risen(x_px - frame.x.px(at)) for at in (params.start, params.switch, params.end))
        first, second = (
            np.exp(-0.5 * ((y_px - frame.y.px(tone)) / params.tone_width_px) ** 2)
            for tone in (params.first_tone, params.second_tone)
        )
        noise = self.noise_stream(params).rayleigh(_NOISE[case.difficulty], (y_px.size, x_px.size))
        tones = np.outer(first, on * (1.0 - switched)) ** 2 + np.outer(second, switched * (1.0 - off)) ** 2
        level_db: FloatArray = 10.0 * np.log10(tones + noise * noise)
        return np.clip(level_db, _RANGE_DB, 0.0)

    def baseline(self, p: StoredParams) -> dict[str, float]:
        """Return the fields from each tone's centre of power and its sign changes."""
        seconds, hertz = in_base_unit(TIME, p.text("time_unit")), in_base_unit(FREQUENCY, p.text("frequency_unit"))

        def opening(name: str) -> float:
            return bisect(lambda time: math.tanh(time - p[name]), p["x_min"], p["x_max"])

        frequency = np.linspace(p["y_min"], p["y_max"], 200_001)
        width = p["tone_width_px"] * (p["y_max"] - p["y_min"]) / 432.0
        tones = []
        for tone in ("first_tone", "second_tone"):
            power = np.exp(-(((frequency - p[tone]) / width) ** 2))
            near = np.abs(frequency - p[tone]) < min(p[tone] - p["y_min"], p["y_max"] - p[tone])
            tones.append(float(np.average(frequency[near], weights=power[near])))
        return {
            "f1_hz": tones[0] * hertz,
            "f2_hz": tones[1] * hertz,
            "switch_time_s": opening("switch") * seconds,
            "cp_duration_s": (opening("end") - opening("start")) * seconds,
        }


def _risen(distance_px: FloatArray) -> FloatArray:
    """Return a logistic gate that opens at distance 0; tanh, because it cannot overflow."""
    opened: FloatArray = 0.5 * (1.0 + np.tanh(distance_px / (2.0 * _GATE_PX)))
    return opened


FAMILY = Spectrogram()
