"""Spectrogram: silence, one tone, another tone, silence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import ndimage

from bench.models.reader.plots.families.spectrogram import lightness
from bench.models.reader.plots.readings import CannotReadError, FieldReading, direct

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.reader.picture import FloatArray
    from bench.models.reader.plots.plot import Plot

__all__ = ["FAMILY", "Spectrogram"]

SPAN_DB = 50.0
HALF_AMPLITUDE = 0.25
BRIGHTEST = 0.98
SMOOTHED_PX = 6
ASIDE_PX = 14
APART_PX = 34
LOUD_PX = 5
LEAST_CONTRAST = 1.5
LEAST_DEVIATIONS = 8.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tone:
    row_px: float
    begin_px: float
    end_px: float


class Spectrogram:
    """Level as colour, brighter is stronger, over time and frequency."""

    name = "spectrogram"
    axes = ("s", "Hz")
    fields = ("f1_hz", "f2_hz", "switch_time_s", "cp_duration_s")

    def read(self, plot: Plot, prompt: str) -> Mapping[str, FieldReading]:  # noqa: ARG002
        """Find the two brightest rows, and when each is brighter than half the tone's amplitude."""
        rows, columns = plot.box.inside
        light = lightness(plot.picture.rgb[rows, columns])
        power = 10.0 ** ((light - light.max()) / max(float(np.ptp(light)), 1.0) * SPAN_DB / 10.0)
        first, second = _tones(power)
        if not first.end_px < second.end_px or abs(first.end_px - second.begin_px) > ASIDE_PX:
            raise CannotReadError("one tone does not follow on the other")
        switch = plot.x.value((first.end_px + second.begin_px) / 2.0 + columns.start)
        length_px = second.end_px - first.begin_px
        return {
            "f1_hz": direct(plot.y.value(first.row_px + rows.start), "brightest line of the earlier tone"),
            "f2_hz": direct(plot.y.value(second.row_px + rows.start), "brightest line of the later tone"),
            "switch_time_s": direct(switch, "where brightness moves from one line to the other"),
            "cp_duration_s": direct(length_px / plot.x.px_per_unit, "from the first's start to the second's end"),
        }


def _tones(power: FloatArray) -> list[_Tone]:
    """Return both tones in order of time, in pixels of the inside of the axes."""
    profile = power.mean(axis=1)
    found: list[_Tone] = []
    for _ in range(2):
        top = int(profile.argmax())
        if not _stands_out(profile, top):
            raise CannotReadError("no second tone stands out" if found else "no tone stands out")
        near = np.arange(max(0, top - ASIDE_PX), min(profile.size, top + ASIDE_PX + 1))
        found.append(_tone(power, _centre(profile, near)))
        aside = np.abs(np.arange(profile.size) - top) > APART_PX
        profile = np.where(aside, profile, np.median(profile))
    return sorted(found, key=lambda tone: tone.begin_px)


def _stands_out(profile: FloatArray, top: int) -> bool:
    usual = float(np.median(profile))
    spread = float(np.median(np.abs(profile - usual)))
    return bool(profile[top] > max(LEAST_CONTRAST * usual, usual + LEAST_DEVIATIONS * spread))


def _centre(profile: FloatArray, near: FloatArray) -> float:
    """Return the centre of what stands above the lowest of some rows."""
    weight = profile[near] - profile[near].min()
    return float((weight * near).sum() / weight.sum())


def _tone(power: FloatArray, row: float) -> _Tone:
    first, last = max(0, round(row) - LOUD_PX), round(row) + LOUD_PX + 1
    loudness = power[first:last].mean(axis=0) - float(np.median(power))
    smooth = ndimage.uniform_filter1d(loudness, SMOOTHED_PX)
    level = HALF_AMPLITUDE * float(np.quantile(smooth, BRIGHTEST))
    loud = np.flatnonzero(smooth > level)
    begin, end = int(loud[0]), int(loud[-1])
    return _Tone(row_px=row, begin_px=_crossing(smooth, begin - 1, level), end_px=_crossing(smooth, end, level))


def _crossing(values: FloatArray, before: int, level: float) -> float:
    """Return where values cross a level between an index and the next; the rim where there is no next."""
    if not 0 <= before < values.size - 1:
        return float(min(max(before, 0), values.size - 1))
    return before + float((level - values[before]) / (values[before + 1] - values[before]))


FAMILY = Spectrogram()
