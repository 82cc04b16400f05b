"""A user's own test files in bench/, and other plugins beside ours."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.conftest import ROOT, sampled

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.bench.conftest import Bench

WAYS = [pytest.param((), id="alone"), pytest.param(("-n", "2"), id="two workers", marks=pytest.mark.sweep)]
OWN_TEST = """
import pytest

@pytest.mark.plotchain
@pytest.mark.parametrize("k", [1, 2])
def test_mine(item, image, case, ask, record, k):
    assert image.startswith(b"\\x89PNG")
    assert len(record(item, ask(case))) == 1
"""


@pytest.fixture
def with_file(bench: Bench) -> Callable[[str, str], Bench]:
    """A copy of the benchmark with one more file."""
    bench.root = bench.folder / "checkout"
    bench.target = "bench"
    for name in ("bench", "generators", "scorers"):
        shutil.copytree(ROOT / name, bench.root / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("conftest.py", "pyproject.toml"):
        shutil.copy(ROOT / name, bench.root / name)

    def add(name: str, text: str) -> Bench:
        Path(bench.root / name).write_text(text)
        return bench

    return add


@pytest.mark.parametrize("workers", WAYS)
def test_a_second_test_on_the_same_cases_changes_no_table(
    with_file: Callable[[str, str], Bench], workers: tuple[str, ...]
) -> None:
    bench = with_file("bench/test_mine.py", OWN_TEST)
    run = bench("--limit", "2", "--model", "oracle", *workers, "-m", "plotchain")
    assert "6 passed" in run.counts
    (row,) = run.table("leaderboard.csv")
    assert (row["items_n"], row["asked_n"]) == ("2", "2")
    assert run.manifest["cases_selected"] == 2
    assert run.manifest["complete"] is True


def test_a_test_without_a_suites_marker_is_told_so(with_file: Callable[[str, str], Bench]) -> None:
    run = with_file("bench/test_mine.py", "def test_mine(item): pass\n")("--limit", "1", "--model", "oracle")
    assert "carries the marker of one suite, such as @pytest.mark.plotchain" in " ".join(run.out.split())


def test_a_skipped_test_that_is_no_case_is_not_counted(with_file: Callable[[str, str], Bench]) -> None:
    text = "import pytest\n@pytest.mark.skip\ndef test_mine(): pass\n"
    run = with_file("bench/test_mine.py", text)("--limit", "2", "--model", "oracle")
    assert run.manifest["complete"] is True
    assert "skipped: the replayed file" not in run.out


def test_an_exit_code_that_another_plugin_decided_stays(with_file: Callable[[str, str], Bench]) -> None:
    text = "def pytest_sessionfinish(session):\n    session.exitstatus = 42\n"
    assert with_file("bench/conftest.py", text)("--limit", "1", "--model", "oracle").code == 42


def test_fixtures_ask_for_nothing_that_pytest_makes_anew_for_each(with_file: Callable[[str, str], Bench]) -> None:
    text = "def pytest_collection_finish(session):\n    print('asked for', session.items[0].fixturenames)\n"
    run = with_file("bench/conftest.py", text)("--limit", "1", "--model", "oracle", "-s", "-m", "plotchain")
    (asked,) = [line for line in run.out.splitlines() if line.startswith("asked for")]
    assert "'reply'" in asked
    assert "request" not in asked


def test_an_early_stop_is_no_success_even_with_exit_zero(bench: Bench) -> None:
    assert bench("-x", "--exit-zero", "--limit", "9").code == 1
    assert bench("--exit-zero", "--limit", "9").code == 0


@pytest.mark.parametrize("workers", WAYS)
def test_without_pytests_cache_nothing_is_left_behind(bench: Bench, workers: tuple[str, ...]) -> None:
    bench.cache = None
    run = bench("--limit", "2", "--model", "oracle", "-p", "no:cacheprovider", *workers, TMPDIR=str(bench.folder))
    assert run.code == 0
    assert [path.name for path in bench.folder.glob("eyechart*")] == []


@pytest.mark.parametrize("how", sampled(["load", "loadfile", "loadscope", "worksteal", "each"]))
def test_every_way_of_distributing_gives_the_same_records(bench: Bench, how: str) -> None:
    run = bench("--limit", "4", "--model", "blind", "-n", "2", "--dist", how)
    assert run.raw() == bench("--limit", "4", "--model", "blind").raw()
    assert run.manifest["complete"] is True


def test_a_model_name_that_is_not_ascii_is_selected_by_workers_too(bench: Bench) -> None:
    address = ("--api-base", "http://127.0.0.1:9/v1")
    run = bench(
        "--model", "http:modèle", "--model", "http:b", *address, "--limit", "1", "-n", "2", "--ask-retries", "0"
    )
    assert run.manifest["cases_selected"] == 2
    assert {row["model"] for row in run.raw()} <= {"modèle", "b"}
