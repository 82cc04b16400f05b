"""The crossing midway between the dashed levels, the height at the mark."""

import numpy as np

from tests.generators.plotchain.v5.seen import Answers, Seen, crossings


def read_fields(seen: Seen, is_noisy: bool) -> Answers:
    x, y = seen.curve
    middle = sum(seen.dashed_levels) / 2.0
    (corner,) = crossings(x, y, middle)
    return {
        "cutoff_hz": seen.x(corner) * seen.x_unit,
        "phase_deg_at_fq": seen.y(np.interp(seen.letter("$f_q$"), x, y)),
        "cp_phase_deg_at_fc": seen.y(middle),
    }
