"""Reports of real runs: written at the end, the same with workers, and again by the command."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.bench.conftest import Bench, environment
from tests.bench.report.pages import Page
from tests.conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

FEW = ("-k", "bandpass_response", "--model", "blind", "--exit-zero")


def page_of(path: Path) -> Page:
    return Page(path.read_text("utf-8"))


def rebuild(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bench.leaderboard.report", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, env=environment(), capture_output=True, text=True, check=False)


def test_a_run_leaves_a_report_with_the_pictures_that_the_cache_holds(bench: Bench) -> None:
    cases = page_of(bench(*FEW).folder / "report.html").data["cases"]
    assert len(cases) == 30
    assert all(case["picture"] for case in cases)


def test_nothing_that_only_the_end_needs_keeps_the_first_ask_waiting(bench: Bench) -> None:
    bench(*FEW, "-p", "tests.bench.says_when_imported")
    assert (bench.folder / "imported_early").read_text("utf-8") == "False"


def test_a_run_draws_no_picture_for_its_report_and_the_command_does(bench: Bench) -> None:
    bench.cache = bench.folder / "cache"
    run = bench("-k", "iv_diode_000", "--model", "oracle")
    report = run.folder / "report.html"
    (case,) = page_of(report).data["cases"]
    assert case["picture"] is None
    before = report.read_bytes()

    cache = ("--cache", bench.cache / "eyechart")
    done = rebuild(run.folder, *cache)
    assert (done.returncode, done.stdout) == (0, f"report: {report}\n")
    assert report.read_bytes() == before

    other = bench.folder / "other.html"
    assert rebuild(run.folder, *cache, "--draw", "--out", other).returncode == 0
    (case,) = page_of(other).data["cases"]
    assert case["picture"] is not None


def test_workers_write_the_same_page(bench: Bench) -> None:
    alone, shared = bench(*FEW), bench(*FEW, "-n", "2")
    pages = [page_of(run.folder / "report.html") for run in (alone, shared)]
    assert pages[0].data == pages[1].data
    assert pages[0].texts["results"] == pages[1].texts["results"]


@pytest.mark.parametrize(
    ("manifest", "message"),
    [
        (None, "expected the folder of a run"),
        ("{", "malformed JSON"),
        ('{"format": 1, "options": {"policy": "x"}, "models": [], "items": {}, "scorers_sha256": ""}', "policy"),
    ],
)
def test_what_is_no_run_is_one_clear_line(tmp_path: Path, manifest: str | None, message: str) -> None:
    if manifest is not None:
        (tmp_path / "run.json").write_text(manifest)
        (tmp_path / "records.jsonl").write_text("")
    done = rebuild(tmp_path)
    assert done.returncode == 1
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
