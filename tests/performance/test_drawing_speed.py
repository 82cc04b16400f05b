"""How fast pictures are drawn and cases listed: `pytest tests/performance/test_drawing_speed.py -s`."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from generators.plotchain import PlotChainSource, list_cases
from tests.conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.performance


@pytest.mark.parametrize("edition", ["v4", "v5"])
def test_one_process_draws_a_picture_in_60_ms_on_average(edition: str) -> None:
    source = PlotChainSource(edition=edition)
    items = [source.item(case) for case in source.cases[::5]]
    items[0].picture.png()

    started = time.perf_counter()
    for item in items:
        item.picture.png()
    average_ms = (time.perf_counter() - started) / len(items) * 1000.0

    print(f"\n{average_ms:.1f} ms a picture of {edition}")
    assert average_ms <= 60.0


def test_the_whole_set_is_written_within_13_s(tmp_path: Path) -> None:
    started = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "generators.plotchain", "--out_dir", str(tmp_path)],
        check=True,
        cwd=ROOT,
        capture_output=True,
    )
    elapsed_s = time.perf_counter() - started

    print(f"\n{elapsed_s:.1f} s for 450 pictures, records and tables")
    assert elapsed_s <= 13.0


def test_50010_cases_are_listed_within_a_second() -> None:
    list_cases("v4", 0, 1)

    started = time.perf_counter()
    cases = list_cases("v4", 0, 3334)
    elapsed_s = time.perf_counter() - started

    print(f"\n{elapsed_s:.3f} s for {len(cases)} cases")
    assert len(cases) == 50_010
    assert elapsed_s <= 1.0
