"""CPU time of reading a plot."""

from __future__ import annotations

import time
from statistics import median

import pytest

from bench.models.reader.reader import read
from generators.plotchain.source import PlotChainSource

MOST_MEDIAN_S = 0.080


@pytest.mark.performance
def test_a_plot_is_read_in_80_ms_at_the_median() -> None:
    source = PlotChainSource()
    items = [source.item(ref) for ref in source.cases if ref.index < 3]
    shown = [(item.picture.png(), item.prompt) for item in items]
    read(*shown[0])  # libraries and glyphs are loaded once in a process
    seconds = []
    for picture, prompt in shown:
        started = time.process_time()
        read(picture, prompt)
        seconds.append(time.process_time() - started)
    print(
        f"median {1000 * median(seconds):.0f} ms, slowest {1000 * max(seconds):.0f} ms over {len(seconds)} plots"
    )
    assert median(seconds) <= MOST_MEDIAN_S
