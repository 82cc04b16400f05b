"""Ends of the curve, the height at the mark."""

import numpy as np

from tests.generators.plotchain.v5.seen import Answers, Seen


def read_fields(seen: Seen, is_noisy: bool) -> Answers:
    x, y = seen.curve
    return {
        "stall_torque_nm": seen.y(float(y[0])) * seen.y_unit,
        "no_load_speed_rpm": seen.x(float(x[-1])),
        "cp_torque_at_speed_q_nm": seen.y(np.interp(seen.letter("$n_q$"), x, y)) * seen.y_unit,
    }
