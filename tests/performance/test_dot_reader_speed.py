"""How fast the reader answers about dot images: `pytest tests/performance/test_dot_reader_speed.py -s`."""

from __future__ import annotations

import statistics
import time

import pytest

from bench.models.reader.dots.answer import answer_dots
from generators.geometry import GeometrySource, tasks_of
from generators.geometry.records import task_item

pytestmark = pytest.mark.performance

MEDIAN_MS = 15.0


def test_the_median_answer_takes_fifteen_milliseconds_of_processor_time() -> None:
    times_ms = []
    for item in GeometrySource():
        picture = item.picture.png()
        for task in tasks_of(item):
            prompt = task_item(item, task).prompt
            start = time.process_time()
            answer_dots(picture, prompt)
            times_ms.append(1000 * (time.process_time() - start))

    median = statistics.median(times_ms)
    print(f"{len(times_ms)} answers: median {median:.1f} ms, slowest {max(times_ms):.1f} ms")
    assert median <= MEDIAN_MS
