"""The crossing of the marked level; through noise, that of a fitted exponential."""

import math

import numpy as np
from scipy.optimize import curve_fit

from tests.generators.plotchain.v5.seen import Answers, Seen, crossings


def read_fields(seen: Seen, is_noisy: bool) -> Answers:
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
