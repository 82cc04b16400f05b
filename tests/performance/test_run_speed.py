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

from tests.bench.conftest import FOR_TESTS, Bench, environment
from tests.conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.performance

LATENCY_S = 0.2
MIB = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """The largest sums of resident and of proportional memory of a run's processes, and what it printed."""

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


@pytest.fixture(scope="module", autouse=True)
def machine_speed(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Say how quick the machine is: the bounds are meant for one on which this takes half a second."""
    folder = tmp_path_factory.mktemp("empty")
    (folder / "test_empty.py").write_text(
        "import pytest\n@pytest.mark.parametrize('n', range(450))\ndef test_nothing(n): pass\n"
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:anyio", *(f"-pno:{name}" for name in FOR_TESTS)]
    walls_s = []
    for _ in range(3):
        started = time.perf_counter()
        subprocess.run(command, cwd=folder, env=environment(), check=True, capture_output=True)
        walls_s.append(time.perf_counter() - started)
    print(f"\nan empty pytest run of 450 cases: {min(walls_s):.2f} s")


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


def measure(bench: Bench, *arguments: str) -> float:
    """Run the benchmark and return its wall time in seconds, start-up included."""
    started = time.perf_counter()
    process = bench.start("-q", "--tb=no", *arguments)
    out, _ = process.communicate()
    wall_s = time.perf_counter() - started
    assert "Traceback" not in out, out
    return wall_s


def peak_memory(bench: Bench, *arguments: str) -> Measured:
    """Run the benchmark and watch its processes' memory; apart from timing, because looking costs time."""
    process = bench.start("-q", "--tb=no", *arguments)
    done = threading.Event()
    peaks = [0.0, 0.0]

    def watch() -> None:
        while not done.wait(0.3):
            rss, pss = memory_mib(process.pid)
            peaks[0], peaks[1] = max(peaks[0], rss), max(peaks[1], pss)

    watcher = threading.Thread(target=watch)
    watcher.start()
    out, _ = process.communicate()
    done.set()
    watcher.join()
    return Measured(rss_mib=peaks[0], pss_mib=peaks[1], out=out)


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


def best_of(count: int, bench: Bench, *arguments: str) -> float:
    return min(measure(bench, *arguments) for _ in range(count))


def check(what: str, wall_s: float, bound_s: float) -> None:
    print(f"\n{what}: {wall_s:.2f} s (bound {bound_s:.2f} s)")
    assert wall_s <= bound_s


def check_memory(what: str, measured: Measured, bound_mib: float) -> None:
    resident, proportional = measured.rss_mib, measured.pss_mib
    print(f"\n{what}: {resident:.0f} MiB resident (bound {bound_mib}), {proportional:.0f} MiB proportional")
    assert resident <= bound_mib


def test_collecting_450_items(warm: Bench) -> None:
    check("--co, 450 items", best_of(3, warm, "--co"), 1.0)


def test_collecting_50_000_items(warm: Bench) -> None:
    many = ("--co", "--items-per-family", "3334")
    check("--co, 50,010 items", measure(warm, *many), 8.0)
    measured = peak_memory(warm, *many)
    assert "50010 tests collected" in measured.out
    check_memory("--co, 50,010 items", measured, 400)


def test_replaying_450_answers(warm: Bench) -> None:
    raw = warm("--model", "oracle", "-q").folder / "plotchain" / "raw_offline_oracle.jsonl"
    check("--replay, 450 answers", best_of(3, warm, "--replay", str(raw), "--out", "replayed"), 2.0)


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
        live = ("--model", "http:fake", "--api-base", base, "--fresh", "--out", "asked", *how)
        wall_s = best_of(2, warm, *live)
        measured = peak_memory(warm, *live)
    assert "450 failed" in measured.out
    check_memory(f"450 asks, {' '.join(how)}", measured, bound_mib)
    check(f"450 asks, {' '.join(how)}", wall_s, bound_s)


def test_asking_5_000_items_keeps_the_servers_pace(tmp_path: Path) -> None:
    bench = Bench(tmp_path, tmp_path / "cache")  # thousands of last failures would burden the other measurements
    count, concurrency = 5010, 64
    items = ("--items-per-family", str(count // 15), "--concurrency", str(concurrency))
    with serving(tmp_path, 0.0) as base:
        measure(bench, "--model", "http:fake", "--api-base", base, "--out", "drawn", *items)
    with serving(tmp_path, LATENCY_S) as base:
        live = ("--model", "http:fake", "--api-base", base, "--fresh", "--out", "asked5000", *items)
        wall_s = measure(bench, *live)
    ideal_s = count / concurrency * LATENCY_S
    print(f"\n{count} asks: {100 * ideal_s / wall_s:.0f} % of the server's pace")
    check(f"{count} asks, --concurrency {concurrency}, ideal {ideal_s:.1f} s", wall_s, ideal_s / 0.85)


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
    started, before_s = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(command, cwd=ROOT, env=environment(), check=True, capture_output=True)
    wall_s = time.perf_counter() - started
    cpu_s = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before_s
    print(
        f"\n450 pictures written: {wall_s:.1f} s wall on {os.cpu_count()} cores (bound 13 s), {cpu_s:.1f} s of CPU"
    )
    assert wall_s <= 13.0


def test_workers_and_one_process_write_the_same_records(warm: Bench) -> None:
    with serving(warm.folder, 0.0) as base:
        live = ("--model", "http:fake", "--api-base", base, "-q", "--tb=no")
        runs = [
            warm(*live, "--replies", f"{at}.sqlite", *how)
            for at, how in enumerate([("-n", "8"), ("-n", "2"), ("-n", "0"), ("-p", "tests.bench.shuffled")])
        ]
    first = json.dumps(runs[0].raw())
    assert [json.dumps(run.raw()) == first for run in runs] == [True] * 4
    assert len(runs[0].raw()) == 450
