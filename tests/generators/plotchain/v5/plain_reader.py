"""A plain averaging reader of edition v5: running means, straight lines through straight pieces, crossings.

It measures every field in the pixels of what is drawn and turns pixels into values by the tick labels. On
clean pictures it confirms the truth by a route of its own; on noisy ones it shows that the noise can be read
through.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import curve_fit
from scipy.signal import find_peaks

from tests.generators.plotchain.v5.seen import HEIGHT, Seen

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes

    from tests.generators.plotchain.v5.seen import FloatArray

    Answers = dict[str, float]

RUNNING = 21
HALF_POWER_DB = 10.0 * math.log10(2.0)


def read_fields(family: str, axes: Axes, *, is_noisy: bool) -> Answers:
    """Every field of a drawn plot, in its own unit."""
    return READERS[family](Seen(axes), is_noisy)


def smooth(y: FloatArray, width: int = RUNNING) -> FloatArray:
    """Running mean; at the ends over what there is."""
    kernel = np.ones(width)
    mean: FloatArray = np.convolve(y, kernel, "same") / np.convolve(np.ones_like(y), kernel, "same")
    return mean


def crossings(x: FloatArray, y: FloatArray, level: float) -> list[float]:
    """Where a sampled curve crosses a level, by linear interpolation."""
    above = y > level
    at = np.flatnonzero(above[1:] != above[:-1])
    return [float(x[i] + (level - y[i]) / (y[i + 1] - y[i]) * (x[i + 1] - x[i])) for i in at]


def vertex(x: FloatArray, y: FloatArray, near: int, reach: int) -> tuple[float, float]:
    """Extreme of the parabola through the samples around one."""
    window = slice(max(0, near - reach), near + reach + 1)
    middle = x[near]
    a, b, c = np.polyfit(x[window] - middle, y[window], 2)
    at = -b / (2.0 * a)
    return float(middle + at), float(c - a * at * at)


def meeting(first: FloatArray, second: FloatArray) -> tuple[float, float]:
    """Where two straight lines (slope, height at 0) meet."""
    x = (second[1] - first[1]) / (first[0] - second[0])
    return float(x), float(first[0] * x + first[1])


def _bandpass(seen: Seen, _: bool) -> Answers:
    x, y = seen.curve
    peak_x, peak_y = vertex(x, y, int(y.argmax()), 1)
    per_db = seen.px("y", 1.0) - seen.px("y", 0.0)
    low, high = crossings(x, y, peak_y - HALF_POWER_DB * per_db)[:2]
    f0, f1, f2 = (float(seen.x(px)) * seen.x_unit for px in (peak_x, low, high))
    return {
        "resonance_hz": f0,
        "bandwidth_hz": f2 - f1,
        "cp_f1_3db_hz": f1,
        "cp_f2_3db_hz": f2,
        "cp_q_factor": f0 / (f2 - f1),
    }


def _bode_magnitude(seen: Seen, _: bool) -> Answers:
    x, y = seen.curve
    (flat,) = seen.dashed_levels
    corner_db = seen.y(flat) - HALF_POWER_DB
    (corner,) = crossings(x, y, seen.px("y", corner_db))
    p, r = seen.letter("P"), seen.letter("R")
    fall_db = seen.y(np.interp(r, x, y)) - seen.y(np.interp(p, x, y))
    return {
        "dc_gain_db": seen.y(flat),
        "cutoff_hz": seen.x(corner) * seen.x_unit,
        "cp_mag_at_fc_db": seen.y(np.interp(corner, x, y)),
        "cp_slope_db_per_decade": fall_db / math.log10(seen.x(r) / seen.x(p)),
    }


def _bode_phase(seen: Seen, _: bool) -> Answers:
    x, y = seen.curve
    middle = sum(seen.dashed_levels) / 2.0
    (corner,) = crossings(x, y, middle)
    return {
        "cutoff_hz": seen.x(corner) * seen.x_unit,
        "phase_deg_at_fq": seen.y(np.interp(seen.letter("$f_q$"), x, y)),
        "cp_phase_deg_at_fc": seen.y(middle),
    }


def _fft(seen: Seen, is_noisy: bool) -> Answers:
    x, y = seen.curve
    peaks, _ = find_peaks(y, prominence=20.0)
    highest = peaks[np.argsort(y[peaks])[::-1][:2]]
    tops = [vertex(x, y, int(at), 2) for at in highest]
    return {
        "dominant_frequency_hz": seen.x(tops[0][0]) * seen.x_unit,
        "secondary_frequency_hz": seen.x(tops[1][0]) * seen.x_unit,
        "cp_peak_ratio": 10.0 ** ((seen.y(tops[0][1]) - seen.y(tops[1][1])) / 20.0),
    }


def _diode(seen: Seen, is_noisy: bool) -> Answers:
    x, y = seen.curve
    level = seen.letter("$I_q$")
    zero = seen.px("y", 0.0)
    if is_noisy:
        high = y - zero > 0.1 * (level - zero)
        start = np.polyfit(x[high] - x[-1], np.log(y[high] - zero), 1)
        (rate, scale), _ = curve_fit(lambda at, a, b: np.exp(a * (at - x[-1]) + b), x, y - zero, p0=start)
        place = float(x[-1] + (math.log(level - zero) - scale) / rate)
    else:
        (place,) = crossings(x, y, level)
    return {
        "target_current_a": seen.y(level) * seen.y_unit,
        "turn_on_voltage_v_at_target_i": seen.x(place) * seen.x_unit,
    }


def _resistor(seen: Seen, _: bool) -> Answers:
    x, y = seen.curve
    amperes, volts = seen.x(x) * seen.x_unit, seen.y(y) * seen.y_unit
    centre = amperes.mean()
    slope, height = np.polyfit(amperes - centre, volts, 1)
    at = seen.x(seen.letter("$I_q$")) * seen.x_unit
    return {"resistance_ohm": float(slope), "cp_voltage_at_iq_v": float(height + slope * (at - centre))}


def _pole_zero(seen: Seen, _: bool) -> Answers:
    answers: Answers = {}
    for name, marker in (("pole", "x"), ("zero", "o")):
        x, y = seen.symbol(marker)
        answers |= {f"{name}_real": seen.x(x) * seen.x_unit, f"{name}_imag": seen.y(y) * seen.y_unit}
    return answers


def _pump(seen: Seen, _: bool) -> Answers:
    x, y = seen.curve
    start = seen.y(float(y[0]))
    (half,) = crossings(x, y, seen.px("y", start / 2.0))
    return {
        "head_at_qop_m": seen.y(np.interp(seen.letter("$Q_{op}$"), x, y)),
        "q_at_half_head_m3h": seen.x(half),
        "cp_shutoff_head_m": start,
        "cp_qmax_m3h": seen.x(float(x[-1])),
    }


def _torque(seen: Seen, _: bool) -> Answers:
    x, y = seen.curve
    return {
        "stall_torque_nm": seen.y(float(y[0])) * seen.y_unit,
        "no_load_speed_rpm": seen.x(float(x[-1])),
        "cp_torque_at_speed_q_nm": seen.y(np.interp(seen.letter("$n_q$"), x, y)) * seen.y_unit,
    }


def _sn(seen: Seen, _: bool) -> Answers:
    x, y = seen.curve
    return {
        "stress_at_1e5_mpa": seen.y(np.interp(seen.px("x", 1e5), x, y)),
        "endurance_limit_mpa": seen.y(float(y[-1])),
        "cp_stress_at_1e3_mpa": seen.y(np.interp(seen.px("x", 1e3), x, y)),
    }


def _spectrogram(seen: Seen, _: bool) -> Answers:
    power = 10.0 ** (seen.image / 10.0)
    rows = np.arange(1.0, HEIGHT, 2.0)
    columns = np.arange(1.0, 810.0, 2.0)
    floor = float(np.median(power))
    tones = []
    profile = power.mean(axis=1)
    unread = profile.copy()
    for _tone in range(2):
        top = int(unread.argmax())
        near = np.abs(rows - rows[top]) < 14.0
        centre = float(np.average(rows[near], weights=np.maximum(profile[near] - profile.min(), 0.0)))
        loudness = power[np.abs(rows - centre) < 5.0].mean(axis=0) - floor
        loud = crossings(columns, smooth(loudness, 3), 0.25 * float(np.quantile(loudness, 0.98)))
        tones.append((loud[0], loud[-1], centre))
        unread = np.where(np.abs(rows - centre) < 0.09 * HEIGHT, profile.min(), unread)
    (on, off, first), (on_later, off_later, second) = sorted(tones)
    return {
        "f1_hz": seen.y(first) * seen.y_unit,
        "f2_hz": seen.y(second) * seen.y_unit,
        "switch_time_s": seen.x((off + on_later) / 2.0) * seen.x_unit,
        "cp_duration_s": (seen.x(off_later) - seen.x(on)) * seen.x_unit,
    }


def _step(seen: Seen, is_noisy: bool) -> Answers:
    x, y = seen.curve
    zero = seen.px("x", 0.0)
    initial, final = float(y[x < zero - 5.0].mean()), float(y[-100:].mean())
    if len(seen.helper_levels) == 3:
        final = seen.helper_levels[1]
    sign = 1.0 if final > initial else -1.0
    upright = sign * (smooth(y) if is_noisy else y)
    near = int(upright.argmax())
    peak_x, peak_y = vertex(x, y, near, _reach(upright, near) if is_noisy else 1)
    step = final - initial
    centre = smooth(y) if is_noisy else y
    outside = np.abs(centre - final) > 0.1 * abs(step)
    last = int(np.flatnonzero(outside)[-1])
    edge = final + 0.1 * abs(step) * (1.0 if centre[last] > final else -1.0)
    settled = crossings(x[last : last + 2], centre[last : last + 2], edge)[0]
    band = sorted(seen.y(final + side * 0.1 * step) for side in (-1.0, 1.0))
    return {
        "percent_overshoot": 100.0 * (peak_y - final) / step,
        "settling_time_s": seen.x(settled) * seen.x_unit,
        "steady_state": seen.y(final),
        "cp_peak_time_s": seen.x(peak_x) * seen.x_unit,
        "cp_peak_value": seen.y(peak_y),
        "cp_band_lower": band[0],
        "cp_band_upper": band[1],
    }


def _reach(upright: FloatArray, near: int) -> int:
    """Samples on either side over which a curve stays within 8 px of its highest one, at least 16."""
    low = np.flatnonzero(upright < upright[near] - 8.0)
    return max(16, int(np.abs(low - near).min()))


def _stress(seen: Seen, _: bool) -> Answers:
    x, y = seen.curve
    bend = int(np.diff(y, 2)[: len(y) // 2].argmin()) + 1
    before, after = (
        np.polyfit(x[5 : bend - 5], y[5 : bend - 5], 1),
        np.polyfit(x[bend + 2 : bend + 8], y[bend + 2 : bend + 8], 1),
    )
    knee_x, knee_y = meeting(before, after)
    top = int(y.argmax())
    return {
        "yield_strength_mpa": seen.y(knee_y),
        "uts_mpa": seen.y(float(y[top])),
        "fracture_strain": seen.x(float(x[-1])) * seen.x_unit,
        "cp_yield_strain": seen.x(knee_x) * seen.x_unit,
        "cp_uts_strain": seen.x(float(x[top])) * seen.x_unit,
    }


def _waveform(seen: Seen, is_noisy: bool) -> Answers:
    x, y = seen.curve
    low, high = np.quantile(y, [0.01, 0.99])
    middle = (low + high) / 2.0
    jumps = float(np.abs(np.diff(y)).max()) > 0.4 * (high - low)
    places = _merged(crossings(x, y if jumps else smooth(y) if is_noisy else y, middle))
    if jumps:
        low, high = float(np.median(y[y < middle])), float(np.median(y[y > middle]))
    else:
        low, high = (_turn(x, y, sign, places, is_noisy) for sign in (-1.0, 1.0))
    period = places[2] - places[0]
    seconds = (seen.x(places[2]) - seen.x(places[0])) * seen.x_unit
    answers = {
        "frequency_hz": 1.0 / seconds,
        "vpp_v": (seen.y(high) - seen.y(low)) * seen.y_unit,
        "cp_period_s": seconds,
        "cp_vmax_v": seen.y(high) * seen.y_unit,
        "cp_vmin_v": seen.y(low) * seen.y_unit,
    }
    if not jumps:
        return answers
    rising = y[np.searchsorted(x, places[0]) + 1] > middle
    share = (places[1] - places[0]) / period
    return {**answers, "cp_duty": share if rising else 1.0 - share}


def _merged(places: list[float]) -> list[float]:
    """Crossings of a noisy curve within 12 px count as one."""
    groups: list[list[float]] = []
    for place in places:
        if groups and place - groups[-1][-1] < 12.0:
            groups[-1].append(place)
        else:
            groups.append([place])
    return [sum(group) / len(group) for group in groups]


def _turn(x: FloatArray, y: FloatArray, sign: float, places: list[float], is_noisy: bool) -> float:
    """Height of the extreme between two crossings: of a parabola (sine) or of two lines (triangle) there."""
    for start, end in pairwise(places):
        inside = (x > start) & (x < end)
        if sign * (y[inside].mean() - np.interp(start, x, y)) < 0.0:
            continue
        share = (x[inside] - start) / (end - start)
        height = y[inside]
        rising, falling = (share > 0.1) & (share < 0.4), (share > 0.6) & (share < 0.9)
        lines = [np.polyfit(share[part], height[part], 1) for part in (rising, falling)]
        bend = np.polyfit(share[rising], height[rising], 2)[0] / lines[0][0]
        if abs(bend) < 0.5:
            return meeting(lines[0], lines[1])[1]
        wave = np.sin(np.pi * share)
        design = np.column_stack([wave, np.ones_like(wave)])
        return float(np.linalg.lstsq(design, height, rcond=None)[0].sum())
    raise AssertionError("no half wave of that sign")


def _transfer(seen: Seen, is_noisy: bool) -> Answers:
    x, y = seen.curve
    margin = 0.12 * (y.max() - y.min()) if is_noisy else 1e-3
    left, right = float(np.median(y[:80])), float(np.median(y[-80:]))
    slope_piece = (y > min(left, right) + margin) & (y < max(left, right) - margin)
    line = np.polyfit(x[slope_piece], y[slope_piece], 1)
    before, after = x < x[slope_piece][0] - 40.0, x > x[slope_piece][-1] + 40.0
    left = float(y[before].mean()) if before.sum() > 20 else left
    right = float(y[after].mean()) if after.sum() > 20 else right
    knees = [(level - line[1]) / line[0] for level in (left, right)]
    upper, knee = max((left, knees[0]), (right, knees[1]))
    rise = (seen.y(right) - seen.y(left)) * seen.y_unit
    return {
        "small_signal_gain": rise / ((seen.x(knees[1]) - seen.x(knees[0])) * seen.x_unit),
        "saturation_v": seen.y(upper) * seen.y_unit,
        "cp_vin_at_saturation": seen.x(knee) * seen.x_unit,
    }


READERS: dict[str, Callable[[Seen, bool], Answers]] = {
    "bandpass_response": _bandpass,
    "bode_magnitude": _bode_magnitude,
    "bode_phase": _bode_phase,
    "fft_spectrum": _fft,
    "iv_diode": _diode,
    "iv_resistor": _resistor,
    "pole_zero": _pole_zero,
    "pump_curve": _pump,
    "sn_curve": _sn,
    "spectrogram": _spectrogram,
    "step_response": _step,
    "stress_strain": _stress,
    "time_waveform": _waveform,
    "torque_speed": _torque,
    "transfer_characteristic": _transfer,
}
