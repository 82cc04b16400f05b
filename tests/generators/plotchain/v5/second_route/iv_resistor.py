"""A straight line through the points."""

import numpy as np

from tests.generators.plotchain.v5.seen import Answers, Seen


def read_fields(seen: Seen, is_noisy: bool) -> Answers:
    x, y = seen.curve
    amperes, volts = seen.x(x) * seen.x_unit, seen.y(y) * seen.y_unit
    centre = amperes.mean()
    slope, height = np.polyfit(amperes - centre, volts, 1)
    at = seen.x(seen.letter("$I_q$")) * seen.x_unit
    return {"resistance_ohm": float(slope), "cp_voltage_at_iq_v": float(height + slope * (at - centre))}
