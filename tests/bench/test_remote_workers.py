"""Workers with a disk of their own: xdist brings the code there, and the tables are those of one process."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.conftest import ROOT

if TYPE_CHECKING:
    from tests.bench.conftest import Bench

pytestmark = pytest.mark.slow


def test_two_hosts_write_the_tables_of_one_process(bench: Bench) -> None:
    few = ("--limit=40", "--model=blind", "--tb=no", "-q")
    hosts = [bench.folder / name for name in ("a", "b")]
    for host in hosts:
        host.mkdir()
    code = [
        f"--rsyncdir={ROOT / name}" for name in ("bench", "generators", "scorers", "conftest.py", "pyproject.toml")
    ]
    remote = (
        bench.folder / "remote"
    )  # xdist takes a word that is a path for a test, so options are written with "="
    started = bench.start(
        *few, "--dist=load", *(f"--tx=popen//chdir={host}" for host in hosts), *code, f"--out={remote}"
    )
    bench.finish(started, remote)
    single = bench(*few).folder
    for name in ("records.jsonl", "leaderboard.csv", "plotchain/per_item.csv", "plotchain/summary.csv"):
        assert (remote / name).read_bytes() == (single / name).read_bytes(), name
