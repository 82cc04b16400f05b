"""Parabolas through the two highest peaks."""

import numpy as np
from scipy.signal import find_peaks

from tests.generators.plotchain.v5.seen import Answers, Seen, vertex


def read_fields(seen: Seen, is_noisy: bool) -> Answers:
    x, y = seen.curve
    peaks, _ = find_peaks(y, prominence=20.0)
    highest = peaks[np.argsort(y[peaks])[::-1][:2]]
    tops = [vertex(x, y, int(at), 2) for at in highest]
    return {
        "dominant_frequency_hz": seen.x(tops[0][0]) * seen.x_unit,
        "secondary_frequency_hz": seen.x(tops[1][0]) * seen.x_unit,
        "cp_peak_ratio": 10.0 ** ((seen.y(tops[0][1]) - seen.y(tops[1][1])) / 20.0),
    }
