"""Peak by a parabola, half-power points by interpolation."""

from tests.generators.plotchain.v5.seen import HALF_POWER_DB, Answers, Seen, crossings, vertex


def read_fields(seen: Seen, is_noisy: bool) -> Answers:
    x, y = seen.curve
    peak_x, peak_y = vertex(x, y, int(y.argmax()), 1)
    per_db = seen.px("y", 1.0) - seen.px("y", 0.0)
    low, high = crossings(x, y, peak_y - HALF_POWER_DB * per_db)[:2]
    f0, f1, f2 = (float(seen.x(px)) * seen.x_unit for px in (peak_x, low, high))
    return {
        "resonance_hz": f0,
        "bandwidth_hz": f2 - f1,
        "cp_f1_3db_hz": f1,
        "cp_f2_3db_hz": f2,
        "cp_q_factor": f0 / (f2 - f1),
    }
