"""Ends of the curve, the crossing of half the head, the height at the mark."""

import numpy as np

from tests.generators.plotchain.v5.seen import Answers, Seen, crossings


def read_fields(seen: Seen, is_noisy: bool) -> Answers:
    x, y = seen.curve
    start = seen.y(float(y[0]))
    (half,) = crossings(x, y, seen.px("y", start / 2.0))
    return {
        "head_at_qop_m": seen.y(np.interp(seen.letter("$Q_{op}$"), x, y)),
        "q_at_half_head_m3h": seen.x(half),
        "cp_shutoff_head_m": start,
        "cp_qmax_m3h": seen.x(float(x[-1])),
    }
