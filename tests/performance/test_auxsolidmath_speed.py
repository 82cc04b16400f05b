"""How fast problems are listed, made and drawn: `pytest tests/performance/test_auxsolidmath_speed.py -s`."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from generators.auxsolidmath.registry import list_problems
from generators.auxsolidmath.source import AuxSolidMathSource
from tests.conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.performance


def test_the_whole_set_with_both_drawings_is_written_within_40_s(tmp_path: Path) -> None:
    started = time.perf_counter()
    command = [sys.executable, "-m", "generators.auxsolidmath", "--out_dir", str(tmp_path), "--jobs", "2"]
    subprocess.run(command, check=True, cwd=ROOT, capture_output=True)
    elapsed_s = time.perf_counter() - started

    print(f"\n{elapsed_s:.1f} s for 302 items and 604 pictures")
    assert elapsed_s <= 40.0


def test_an_item_is_made_in_40_ms_on_average() -> None:
    source = AuxSolidMathSource()
    source.item(source.cases[0])

    started = time.process_time()
    items = list(source)
    average_ms = (time.process_time() - started) / len(items) * 1000.0

    print(f"\n{average_ms:.1f} ms an item")
    assert average_ms <= 40.0


def test_30200_problems_are_listed_within_a_second() -> None:
    list_problems(easy=1, hard=1)

    started = time.perf_counter()
    refs = list_problems(easy=15_000, hard=15_200)
    elapsed_s = time.perf_counter() - started

    print(f"\n{elapsed_s:.3f} s for {len(refs)} problems")
    assert elapsed_s <= 1.0
