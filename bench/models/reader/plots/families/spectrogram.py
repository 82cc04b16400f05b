"""Spectrogram, level as colour (brighter is stronger) over time and frequency: a tone that switches to another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import ndimage

from bench.models.reader.picture import weighted_mean
from bench.models.reader.plots.families import FamilyReader
from bench.models.reader.plots.readings import CannotReadError, convention, direct

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    from bench.models.reader.picture import FloatArray, IndexArray
    from bench.models.reader.plots.plot import MeasuredPlot
    from bench.models.reader.plots.readings import FieldValue

__all__ = ["V4", "V5"]

NAME = "spectrogram"
FIELDS = ("f1_hz", "f2_hz", "switch_time_s", "cp_duration_s")

BEFORE = (0.05, 0.38)
AFTER = (0.62, 0.95)
SAME_PX = 1.0
ROWS_SHARE = 0.5
LEAST_CONTRAST = 8.0
LEAST_MOVE = 2.0
LEAST_CELLS = 8
LEAST_CELL_PX = 2

SPAN_DB = 50.0
HALF_AMPLITUDE = 0.25
BRIGHTEST = 0.98
SMOOTHED_PX = 6
ASIDE_PX = 14
APART_PX = 34
LOUD_PX = 5
LEAST_POWER_RATIO = 1.5
LEAST_DEVIATIONS = 8.0


def lightness(rgb: npt.NDArray[np.uint8]) -> FloatArray:
    """CIE lightness, 0 to 100: colour maps made for levels run evenly along it (sRGB, IEC 61966-2-1)."""
    table = np.arange(256) / 255.0
    linear = np.where(table <= 0.04045, table / 12.92, ((table + 0.055) / 1.055) ** 2.4)  # noqa: PLR2004
    luminance = linear[rgb] @ np.array([0.2126, 0.7152, 0.0722])
    return np.asarray(116.0 * np.cbrt(np.maximum(luminance, 0.008856)) - 16.0)


def read_v4(plot: MeasuredPlot) -> Mapping[str, FieldValue]:
    """Read the brightest row early and late, and where brightness moves from one to the other."""
    rows, columns = plot.box.inside
    light = lightness(plot.picture.rgb[rows, columns])
    height, width = light.shape
    profiles = [np.median(light[:, round(a * width) : round(b * width)], axis=1) for a, b in (BEFORE, AFTER)]
    cell = _cell_px(profiles)
    peaks = [_peak(profile, cell) for profile in profiles]
    tones = [_hertz(plot, peak + rows.start, cell, height) for peak in peaks]
    switch = _switch(light, peaks, cell)
    start, end = plot.x.value(plot.box.left.centre), plot.x.value(plot.box.right.centre)
    return {
        "f1_hz": direct(tones[0], "brightest row early"),
        "f2_hz": direct(tones[1], "brightest row late"),
        "switch_time_s": direct(plot.x.value(switch + columns.start), "middle of where brightness moves"),
        "cp_duration_s": convention(end + start, "as much is left out at the end as at the start")
        if start > 0
        else direct(end - start, "length of the time axis"),
    }


def _cell_px(profiles: list[FloatArray]) -> float:
    """Height of one row of cells: the usual distance between changes of colour."""
    spans = []
    for profile in profiles:
        changes = np.flatnonzero(np.abs(np.diff(profile)) > 1e-6)  # noqa: PLR2004
        spans.append(np.diff(changes))
    lengths = np.concatenate(spans)
    if lengths.size < LEAST_CELLS:
        raise CannotReadError("no rows of cells in the picture")
    usual = np.median(lengths)
    if usual < LEAST_CELL_PX:
        raise CannotReadError("every row of pixels differs, as in a picture that was compressed with losses")
    return float(lengths[np.abs(lengths - usual) <= SAME_PX].mean())


def _peak(profile: FloatArray, cell_px: float) -> float:
    """Return the row of a tone: the top of a parabola through the brightest cell and its neighbours."""
    if profile.max() - np.median(profile) < LEAST_CONTRAST:
        raise CannotReadError("no tone stands out")
    flat = np.flatnonzero(profile >= profile.max() - 1e-6)
    centre = float(flat.mean())
    places = np.clip(np.round(centre + cell_px * np.arange(-1, 2)), 0, profile.size - 1).astype(int)
    below, peak, above = profile[places]
    bend = below - 2.0 * peak + above
    return centre + (0.5 * (below - above) / bend * cell_px if bend < 0 else 0.0)


def _hertz(plot: MeasuredPlot, row_px: float, cell_px: float, height_px: int) -> float:
    """Return a tone's frequency.

    On an axis from zero, the lowest row of cells stands for zero and the topmost for the upper limit, although all
    are drawn with their whole height.
    """
    bottom, top = plot.y.value(plot.box.bottom.centre), plot.y.value(plot.box.top.centre)
    cells = height_px / cell_px
    if abs(bottom) > (top - bottom) / cells / 2 or cells < LEAST_CELLS:
        return plot.y.value(row_px)
    share = (plot.box.bottom.centre - row_px) / plot.box.height_px
    return (share * cells - 0.5) / (cells - 1.0) * top


def _switch(light: FloatArray, peaks: list[float], cell_px: float) -> float:
    """Return the column at which the second tone becomes as bright as the first.

    A tone is bright where it is nearer to its usual level than to what its rows show when the other one sounds,
    which is more than the background where the tones are a few cells apart.
    """
    reach = ROWS_SHARE * cell_px
    levels = [light[max(0, round(peak - reach)) : round(peak + reach) + 1].max(axis=0) for peak in peaks]
    early, late = (slice(round(a * light.shape[1]), round(b * light.shape[1])) for a, b in (BEFORE, AFTER))
    usual = [(float(np.median(level[early])), float(np.median(level[late]))) for level in levels]
    if min(usual[0][0] - usual[0][1], usual[1][1] - usual[1][0]) < LEAST_MOVE:
        raise CannotReadError("brightness never moves to the second tone")
    bright = [level > (one + other) / 2 for level, (one, other) in zip(levels, usual, strict=True)]
    both = np.flatnonzero(bright[0] & bright[1])
    middle = light.shape[1] / 2
    if both.size and abs(float(both.mean()) - middle) < middle:
        return float((both[0] + both[-1]) / 2)
    later = np.flatnonzero(levels[1] > levels[0])
    if later.size == 0:
        raise CannotReadError("brightness never moves to the second tone")
    return float(later[0]) - 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tone:
    row_px: float
    begin_px: float
    end_px: float


def read_v5(plot: MeasuredPlot) -> Mapping[str, FieldValue]:
    """Find the two brightest rows between silences, and when each is brighter than half the tone's amplitude."""
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
    return bool(profile[top] > max(LEAST_POWER_RATIO * usual, usual + LEAST_DEVIATIONS * spread))


def _centre(profile: FloatArray, near: IndexArray) -> float:
    """Return the centre of what stands above the lowest of some rows."""
    weight = profile[near] - profile[near].min()
    return weighted_mean(near, weight)


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


V4 = FamilyReader(name=NAME, fields=FIELDS, read=read_v4)
V5 = FamilyReader(name=NAME, fields=FIELDS, read=read_v5, axes=("s", "Hz"))
