"""Heights above two numbers of cycles, and at the right end."""

import numpy as np

from tests.generators.plotchain.v5.seen import Answers, Seen


def read_fields(seen: Seen, is_noisy: bool) -> Answers:
    x, y = seen.curve
    return {
        "stress_at_1e5_mpa": seen.y(np.interp(seen.px("x", 1e5), x, y)),
        "endurance_limit_mpa": seen.y(float(y[-1])),
        "cp_stress_at_1e3_mpa": seen.y(np.interp(seen.px("x", 1e3), x, y)),
    }
