"""Means before and after the step, the peak by a parabola, the last crossing of the band."""

import numpy as np

from tests.generators.plotchain.v5.seen import Answers, FloatArray, Seen, crossings, smooth, vertex


def read_fields(seen: Seen, is_noisy: bool) -> Answers:
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
