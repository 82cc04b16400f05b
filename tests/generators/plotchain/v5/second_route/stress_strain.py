"""The meeting of straight lines at the first bend, the highest place, the right end."""

import numpy as np

from tests.generators.plotchain.v5.seen import Answers, Seen, meeting


def read_fields(seen: Seen, is_noisy: bool) -> Answers:
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
