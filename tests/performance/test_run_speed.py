"""How fast runs are, as a user meets them: `pytest tests/performance/test_run_speed.py -s`.

Each measurement is a process of its own, start-up included. The bounds hold on two cores that do nothing else.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.bench.conftest import Bench, environment
from tests.conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.performance

LATENCY_S = 0.2
MIB = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """Wall time in seconds, and the largest sum of resident and of proportional memory of all its processes."""

    wall_s: float
    rss_mib: float
    pss_mib: float
    out: str


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """A folder whose cache holds all 450 pictures and whose modules are compiled."""
    folder = tmp_path_factory.mktemp("speed")
    bench = Bench(folder, folder / "cache")
    with serving(folder, 0.0) as base:
        bench("--model", "http:fake", "--api-base", base, "-q", "--tb=no")
    bench("--model", "oracle", "-n", "2", "-q")
    return bench


@contextlib.contextmanager
def serving(folder: Path, latency_s: float) -> Iterator[str]:
    """Run the loopback server as a process of its own; yields its address."""
    port_file = folder / f"port-{time.monotonic_ns()}"
    command = [sys.executable, "-m", "tests.loopback.server", "--latency", str(latency_s)]
    process = subprocess.Popen(
        [*command, "--port-file", str(port_file), "--max-seconds", "300"], cwd=ROOT, env=environment()
    )
    try:
        while not (port_file.is_file() and port_file.read_text()):
            time.sleep(0.02)
        yield port_file.read_text().strip()
    finally:
        process.terminate()
        process.wait()


def measure(bench: Bench, *arguments: str) -> Measured:
    """Run the benchmark and watch its processes' memory every 50 ms."""
    started = time.perf_counter()
    process = bench.start("-q", "--tb=no", *arguments)
    peaks = [0.0, 0.0]
    done = threading.Event()

    def watch() -> None:
        while not done.wait(0.05):
            rss, pss = memory_mib(process.pid)
            peaks[0], peaks[1] = max(peaks[0], rss), max(peaks[1], pss)

    watcher = threading.Thread(target=watch)
    watcher.start()
    out, _ = process.communicate()
    wall_s = time.perf_counter() - started
    done.set()
    watcher.join()
    return Measured(wall_s=wall_s, rss_mib=peaks[0], pss_mib=peaks[1], out=out)


def memory_mib(leader: int) -> tuple[float, float]:
    """Sum the resident and the proportional set sizes of a process and all its descendants, in MiB."""
    rss = pss = 0.0
    for pid in descendants(leader):
        with contextlib.suppress(OSError, ValueError):
            text = Path(f"/proc/{pid}/smaps_rollup").read_text()
            sizes = {line.split()[0]: int(line.split()[1]) for line in text.splitlines()[1:]}
            rss += sizes["Rss:"] / 1024
            pss += sizes["Pss:"] / 1024
    return rss, pss


def descendants(leader: int) -> list[int]:
    found = [leader]
    for pid in found:
        with contextlib.suppress(OSError):
            for task in Path(f"/proc/{pid}/task").iterdir():
                found.extend(int(child) for child in (task / "children").read_text().split())
    return found


def say(what: str, measured: Measured, bound_s: float) -> None:
    print(
        f"\n{what}: {measured.wall_s:.2f} s (bound {bound_s} s), "
        f"memory {measured.rss_mib:.0f} MiB resident, {measured.pss_mib:.0f} MiB proportional"
    )


def best_of(count: int, bench: Bench, *arguments: str) -> Measured:
    return min((measure(bench, *arguments) for _ in range(count)), key=lambda measured: measured.wall_s)


def test_collecting_450_items(warm: Bench) -> None:
    measured = best_of(3, warm, "--co")
    say("--co, 450 items", measured, 1.0)
    assert measured.wall_s <= 1.0


def test_collecting_50_000_items(warm: Bench) -> None:
    measured = measure(warm, "--co", "--items-per-family", "3334")
    say("--co, 50,010 items", measured, 8.0)
    assert "50010 tests collected" in measured.out
    assert measured.wall_s <= 8.0
    assert measured.rss_mib <= 400


def test_replaying_450_answers(warm: Bench) -> None:
    raw = warm("--model", "oracle", "-q").folder / "plotchain" / "raw_offline_oracle.jsonl"
    measured = best_of(3, warm, "--replay", str(raw), "--out", "replayed")
    say("--replay, 450 answers", measured, 2.0)
    assert "450 passed" in measured.out
    assert measured.wall_s <= 2.0


@pytest.mark.parametrize(
    ("how", "bound_s", "bound_mib"),
    [
        (("--concurrency", "8"), 12.6, 150),
        (("-n", "8"), 15.5, 500),
        (("--concurrency", "64"), 3.5, 150),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_asking_450_items_of_a_server_that_takes_200_ms(
    warm: Bench, how: tuple[str, ...], bound_s: float, bound_mib: float
) -> None:
    with serving(warm.folder, LATENCY_S) as base:
        live = ("--model", "http:fake", "--api-base", base, "--fresh", "--out", "asked")
        measured = best_of(2, warm, *live, *how)
    say(f"450 asks, {' '.join(how)}", measured, bound_s)
    assert "450 failed" in measured.out
    assert measured.wall_s <= bound_s
    assert measured.rss_mib <= bound_mib


def test_asking_5_000_items_keeps_the_servers_pace(warm: Bench) -> None:
    count, concurrency = 5010, 64
    items = ("--items-per-family", str(count // 15))
    with serving(warm.folder, LATENCY_S) as base:
        live = ("--model", "http:fake", "--api-base", base, "--fresh", "--out", "asked5000", *items)
        measure(warm, *live, "--concurrency", str(concurrency))  # draws the pictures
        measured = measure(warm, *live, "--concurrency", str(concurrency))
    ideal_s = count / concurrency * LATENCY_S
    say(f"{count} asks, --concurrency {concurrency}, ideal {ideal_s:.1f} s", measured, ideal_s / 0.85)
    assert ideal_s / measured.wall_s >= 0.85


def test_drawing_450_pictures(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "generators.plotchain",
        "--out_dir",
        str(tmp_path / "set"),
        "--n_per_family",
        "30",
    ]
    started = time.perf_counter()
    subprocess.run(command, cwd=ROOT, env=environment(), check=True, capture_output=True)
    wall_s = time.perf_counter() - started
    cpu_s = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    print(
        f"\n450 pictures written: {wall_s:.1f} s wall on {os.cpu_count()} cores (bound 13 s), {cpu_s:.1f} s of CPU"
    )
    assert wall_s <= 13.0


def test_workers_and_one_process_write_the_same_records(warm: Bench) -> None:
    with serving(warm.folder, 0.0) as base:
        live = ("--model", "http:fake", "--api-base", base, "-q", "--tb=no")
        runs = [
            warm(*live, "--replies", f"{at}.sqlite", *how)
            for at, how in enumerate([("-n", "8"), ("-n", "2"), ("-n", "0"), ("-p", "randomly")])
        ]
    first = json.dumps(runs[0].raw())
    assert [json.dumps(run.raw()) == first for run in runs] == [True] * 4
    assert len(runs[0].raw()) == 450
