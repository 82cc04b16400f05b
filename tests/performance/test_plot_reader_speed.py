"""CPU time of reading a plot."""

from __future__ import annotations

import time
from statistics import median
from typing import Literal

import pytest

from bench.models.reader.reading import read
from generators.plotchain.source import PlotChainSource

MOST_MEDIAN_S = {"v4": 0.080, "v5": 0.100}


@pytest.mark.performance
@pytest.mark.parametrize("edition", ["v4", "v5"])
def test_a_plot_is_read_within_a_tenth_of_a_second_at_the_median(edition: Literal["v4", "v5"]) -> None:
    source = PlotChainSource(edition=edition)
    items = [source.item(ref) for ref in source.cases if ref.index < 3]
    shown = [(item.picture.png(), item.prompt) for item in items]
    read(*shown[0])  # libraries and glyphs are loaded once in a process
    seconds = []
    for picture, prompt in shown:
        started = time.process_time()
        read(picture, prompt)
        seconds.append(time.process_time() - started)
    usual, most = 1000 * median(seconds), 1000 * max(seconds)
    print(f"{edition}: median {usual:.0f} ms, slowest {most:.0f} ms over {len(seconds)} plots")
    assert median(seconds) <= MOST_MEDIAN_S[edition]
