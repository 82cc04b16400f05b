"""Reports of real runs: written at the end, the same with workers, and again by the command."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from bench.report.__main__ import main
from tests.bench.conftest import Bench, BenchRun, environment
from tests.bench.report.pages import Page
from tests.conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

FEW = ("-k", "bandpass_response", "--model", "blind", "--exit-zero")


def page_of(folder: Path, name: str = "report.html") -> Page:
    return Page((folder / name).read_text("utf-8"))


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory, picture_cache: Path) -> BenchRun:
    """A run in one process."""
    return Bench(tmp_path_factory.mktemp("alone"), picture_cache)(*FEW, "-p", "tests.bench.says_when_imported")


def test_a_run_leaves_a_report_with_the_pictures_that_the_cache_holds(finished: BenchRun) -> None:
    cases = page_of(finished.folder).data["cases"]
    assert len(cases) == 30
    assert all(case["picture"] for case in cases)


def test_nothing_that_only_the_end_needs_keeps_the_first_ask_waiting(finished: BenchRun) -> None:
    assert (finished.folder.parent / "imported_early").read_text("utf-8") == "False"


def test_a_run_draws_no_picture_for_its_report_and_the_command_does(bench: Bench) -> None:
    bench.cache = bench.folder / "cache"
    folder = bench("-k", "iv_diode_000", "--model", "oracle").folder
    (case,) = page_of(folder).data["cases"]
    assert case["picture"] is None
    before = (folder / "report.html").read_bytes()

    arguments = [str(folder), "--cache", str(bench.cache / "eyechart")]
    command = [sys.executable, "-m", "bench.leaderboard.report", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment(), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, f"report: {folder / 'report.html'}\n")
    assert (folder / "report.html").read_bytes() == before

    assert main([*arguments, "--draw", "--out", str(folder / "other.html")]) == 0
    (case,) = page_of(folder, "other.html").data["cases"]
    assert case["picture"] is not None


@pytest.mark.sweep
def test_workers_write_the_same_page(finished: BenchRun, bench: Bench) -> None:
    alone, shared = page_of(finished.folder), page_of(bench(*FEW, "-n", "2").folder)
    assert alone.data == shared.data
    assert alone.texts["results"] == shared.texts["results"]


@pytest.mark.parametrize(
    ("manifest", "message"),
    [
        (None, "expected the folder of a run"),
        ("{", "malformed JSON"),
        ('{"format": 1, "options": {"policy": "x"}, "models": [], "items": {}, "scorers_sha256": ""}', "policy"),
    ],
)
def test_what_is_no_run_is_one_clear_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], manifest: str | None, message: str
) -> None:
    if manifest is not None:
        (tmp_path / "run.json").write_text(manifest)
        (tmp_path / "records.jsonl").write_text("")
    assert main([str(tmp_path)]) == 1
    printed = capsys.readouterr()
    assert message in printed.err
    assert len(printed.err.splitlines()) == 1
