"""A straight line through the sloping piece, and where it meets the levels."""

import numpy as np

from tests.generators.plotchain.v5.seen import Answers, Seen


def read_fields(seen: Seen, is_noisy: bool) -> Answers:
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
