"""Centres of both tones in frequency, and when each is loud."""

import numpy as np

from tests.generators.plotchain.v5.seen import HEIGHT, Answers, Seen, crossings, smooth


def read_fields(seen: Seen, is_noisy: bool) -> Answers:
    power = 10.0 ** (seen.image / 10.0)
    rows = np.arange(1.0, HEIGHT, 2.0)
    columns = np.arange(1.0, 810.0, 2.0)
    floor = float(np.median(power))
    tones = []
    profile = power.mean(axis=1)
    unread = profile.copy()
    for _tone in range(2):
        top = int(unread.argmax())
        near = np.abs(rows - rows[top]) < 14.0
        centre = float(np.average(rows[near], weights=np.maximum(profile[near] - profile.min(), 0.0)))
        loudness = power[np.abs(rows - centre) < 5.0].mean(axis=0) - floor
        loud = crossings(columns, smooth(loudness, 3), 0.25 * float(np.quantile(loudness, 0.98)))
        tones.append((loud[0], loud[-1], centre))
        unread = np.where(np.abs(rows - centre) < 0.09 * HEIGHT, profile.min(), unread)
    (on, off, first), (on_later, off_later, second) = sorted(tones)
    return {
        "f1_hz": seen.y(first) * seen.y_unit,
        "f2_hz": seen.y(second) * seen.y_unit,
        "switch_time_s": seen.x((off + on_later) / 2.0) * seen.x_unit,
        "cp_duration_s": (seen.x(off_later) - seen.x(on)) * seen.x_unit,
    }
