"""Runs the benchmark as a user would, in a process of its own and a folder of its own."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from generators.pictures import PictureCache
from generators.plotchain.source import PlotChainSource
from tests.bench.processes import LONGEST_RUN_S, run_module
from tests.conftest import ROOT
from tests.loopback.server import LoopbackServer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

ANSWER = '{"resonance_hz": 154.1, "bandwidth_hz": 19.3}'
DRAWN = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchRun:
    """A finished run: exit code, what it printed, and its folder."""

    code: int
    out: str
    err: str
    folder: Path

    @property
    def counts(self) -> str:
        """pytest's closing line."""
        return self.out.strip().splitlines()[-1]

    @property
    def error_line(self) -> str:
        """The one line on standard error; fails when there are more or a traceback."""
        lines = [line for line in self.err.splitlines() if line.strip()]
        assert len(lines) == 1, f"expected one line on standard error, got: {self.err}"
        assert "Traceback" not in self.out + self.err
        return lines[0]

    def raw(self, name: str = "raw_*.jsonl") -> list[dict[str, Any]]:
        """All raw lines, without what differs between equal runs."""
        files = sorted((self.folder / "plotchain").glob(name))
        rows = [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]
        return [{key: value for key, value in row.items() if key != "latency_s"} for row in rows]

    def table(self, name: str) -> list[dict[str, str]]:
        """The rows of a CSV file in the run's folder."""
        with (self.folder / name).open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    @property
    def manifest(self) -> dict[str, Any]:
        content: dict[str, Any] = json.loads((self.folder / "run.json").read_text("utf-8"))
        return content


def environment() -> dict[str, str]:
    """The environment without keys, colours or pytest settings of the outer run."""
    unwanted = ("_API_KEY", "PYTEST_", "COV_", "COVERAGE_", "BUILD_NUMBER", "PYTHONDONTWRITEBYTECODE")
    kept = {name: text for name, text in os.environ.items() if not any(word in name for word in unwanted)}
    kept.pop("CI", None)  # with it pytest prints longer summary lines
    return {**kept, "PYTHONPATH": "", "COLUMNS": "80", "PY_COLORS": "0"}


FOR_TESTS = ("hypothesispytest", "pytest_cov", "randomly", "syrupy")
"""pytest plugins that are here for these tests: runs load them only where an argument names one.

A benchmark's user has none of them; loading them took longer than all the rest of a short run.
"""


class Bench:
    """Starts benchmark runs in one folder; each call writes into a new --out unless it names one.

    Where no argument names a model it is `model`, the quickest one; None leaves the choice to the benchmark.
    """

    def __init__(self, folder: Path, cache: Path | None) -> None:
        self.folder = folder
        self.cache = cache
        self.root = ROOT
        self.target = "bench/test_plotchain.py"
        self.model: str | None = "blind"
        self._runs = 0

    def command(self, *arguments: str) -> list[str]:
        """The command line, without the results folder."""
        unwanted = [name for name in FOR_TESTS if not any(name in argument for argument in arguments)]
        blocked = [word for name in unwanted for word in ("-p", f"no:{name}")]
        cache = [] if self.cache is None else ["-o", f"cache_dir={self.cache}"]
        store = [] if "--replies" in arguments else ["--replies", "results/replies.sqlite"]
        named = self.model is None or any(
            word.startswith(("--model", "--replay", "eyechart_")) for word in arguments
        )
        model = [] if named else ["--model", str(self.model)]
        return [
            *(sys.executable, "-m", "pytest", str(self.root / self.target)),
            *(*blocked, *cache, *store, *model, *arguments),
        ]

    def start(self, *arguments: str, **variables: str) -> subprocess.Popen[str]:
        """Start a run and return its process, the leader of a process group of its own."""
        return subprocess.Popen(
            self.command(*arguments),
            cwd=self.folder,
            env=environment() | variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def finish(self, process: subprocess.Popen[str], folder: Path) -> BenchRun:
        """Wait for a started run; one that does not end is killed and fails the test."""
        try:
            out, err = process.communicate(timeout=LONGEST_RUN_S)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            pytest.fail(f"the run did not end in {LONGEST_RUN_S} s; it printed:\n{out}\n{err}")
        return BenchRun(code=process.returncode, out=out, err=err, folder=folder)

    def __call__(self, *arguments: str, **variables: str) -> BenchRun:
        """Run to the end."""
        self._runs += 1
        given = [Path(arguments[at + 1]) for at, word in enumerate(arguments) if word == "--out"]
        out = self.folder / (given[0] if given else f"run{self._runs}")
        options = arguments if given else (*arguments, "--out", str(out))
        if self.root != ROOT or "PYTHONPATH" in variables:  # other modules than those that stand ready
            return self.finish(self.start(*options, **variables), out)
        words = self.command(*options)[2:]
        done = run_module(*words, cwd=self.folder, env=environment() | variables)
        return BenchRun(code=done.returncode, out=done.stdout, err=done.stderr, folder=out)


@pytest.fixture(scope="session")
def picture_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache folder for all runs of the session, in which the first pictures are drawn already."""
    folder = tmp_path_factory.mktemp("cache")
    pictures = PictureCache(folder / "eyechart" / "pictures")
    source = PlotChainSource()
    for ref in source.cases[:DRAWN]:
        picture = source.item(ref).picture
        pictures.write(picture.key or "", picture.png())
    return folder


@pytest.fixture
def server() -> Iterator[LoopbackServer]:
    """A model server that gives one answer to everything."""
    with LoopbackServer(answer=lambda _: ANSWER) as running:
        yield running


@pytest.fixture
def bench(tmp_path: Path, picture_cache: Path) -> Bench:
    return Bench(tmp_path, picture_cache)


@pytest.fixture
def write_jsonl(tmp_path: Path) -> Callable[[str, Sequence[Any]], Path]:
    """Write rows (objects, or texts as they are) as a JSONL file."""

    def write(name: str, rows: Sequence[Any]) -> Path:
        path = tmp_path / name
        path.write_text(
            "".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows), "utf-8"
        )
        return path

    return write
