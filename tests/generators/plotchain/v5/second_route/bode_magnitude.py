"""The dashed level, the crossing 3.01 dB below it, the fall between the marks."""

import math

import numpy as np

from tests.generators.plotchain.v5.seen import HALF_POWER_DB, Answers, Seen, crossings


def read_fields(seen: Seen, is_noisy: bool) -> Answers:
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
