"""Crossings of the middle, and the turns or levels between them."""

from itertools import pairwise

import numpy as np

from tests.generators.plotchain.v5.seen import Answers, FloatArray, Seen, crossings, meeting, smooth


def read_fields(seen: Seen, is_noisy: bool) -> Answers:
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
