"""Work in several processes: in order, with progress, and with one line when a process dies or is stopped."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from bench.errors import UserError
from bench.validity.evidence import gather
from tests.bench.conftest import environment
from tests.conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path


def doubled(number: int) -> int:
    return 2 * number


def died(_: int) -> None:
    os._exit(3)


def test_results_come_in_the_order_of_the_orders_with_progress() -> None:
    said: list[str] = []
    assert gather(doubled, range(9), say=said.append, what="doubling") == [2 * number for number in range(9)]
    assert said[-1].startswith("doubling: 9 of 9, ")


def test_nothing_to_do_is_nothing() -> None:
    assert gather(doubled, [], say=print, what="doubling") == []


def test_a_process_that_dies_is_one_error() -> None:
    with pytest.raises(UserError, match="dying: a process ended before its work was done"):
        gather(died, [1], say=print, what="dying")


def test_a_stopped_command_says_so_in_one_line(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "bench.leaderboard.validity", "--out", str(tmp_path / "out")]
    process = subprocess.Popen(
        command, cwd=ROOT, env=environment(), stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    assert process.stderr is not None
    try:
        first = process.stderr.readline()
        time.sleep(0.2)
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=120)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    assert first.startswith("validity: laying out plots")
    assert process.returncode == 130
    assert err.strip().splitlines()[-1] == "validity: stopped, nothing was written"
    assert "Traceback" not in err
    assert not (tmp_path / "out").exists()
