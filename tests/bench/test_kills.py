"""Twenty kills at random moments of one long run lose nothing that was answered."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import time
from typing import TYPE_CHECKING

import pytest

from tests.loopback.server import LoopbackServer

if TYPE_CHECKING:
    from pathlib import Path

    from tests.bench.conftest import Bench

KILLS = 20
ITEMS = 450


def stored(path: Path) -> int:
    if not path.is_file():
        return 0
    connection = sqlite3.connect(path)
    try:
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'reply'").fetchone()
        return int(connection.execute("SELECT count(*) FROM reply").fetchone()[0]) if tables else 0
    finally:
        connection.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "in_flight"), [(("-n", "4"), 4), (("--concurrency", "8"), 8)], ids=["n4", "alone"]
)
def test_kills_at_random_moments_lose_at_most_what_was_in_flight(
    bench: Bench, how: tuple[str, ...], in_flight: int
) -> None:
    dice = random.Random(20)
    with LoopbackServer(answer=lambda _: '{"resonance_hz": 154.1}', latency_s=0.3) as server:
        live = ("--model", "http:fake", "--api-base", server.base, "-q", "--tb=no")
        undisturbed = bench(*live, *how, "--replies", "calm.sqlite")  # draws the pictures as well
        server.requests.clear()
        lost = kept = 0
        for _ in range(KILLS):
            process = bench.start(*live, *how, "--out", "killed", "--replies", "killed.sqlite")
            time.sleep(dice.uniform(0.2, 4.0))
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate(timeout=60)
            time.sleep(server.latency_s + 0.2)
            asked, kept = len(server.requests), stored(bench.folder / "killed.sqlite")
            assert asked - kept <= lost + in_flight
            lost = asked - kept
        whole = bench(*live, *how, "--out", "killed", "--replies", "killed.sqlite")
        assert len(server.requests) == lost + ITEMS
    assert whole.manifest["complete"] is True
    assert whole.manifest["replies"]["from_store"] == kept
    assert whole.raw() == undisturbed.raw()
    for name in ("per_item.csv", "item_level.csv"):
        tables = [[without_latency(row) for row in run.table(f"plotchain/{name}")] for run in (whole, undisturbed)]
        assert tables[0] == tables[1]


def without_latency(row: dict[str, str]) -> dict[str, str]:
    return {name: cell for name, cell in row.items() if name != "latency_s"}
