from __future__ import annotations

import json
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import pytest

from tests.bench.conftest import Bench, environment
from tests.conftest import ROOT, sampled

if TYPE_CHECKING:
    from pathlib import Path

ONE_EACH = ("--items-per-family", "2")


def test_without_a_key_the_benchmark_runs_and_says_how_to_name_a_model(bench: Bench) -> None:
    run = bench(*ONE_EACH, "--exit-zero")
    assert run.code == 0
    assert "eyechart: model blind (never looks: one constant per question, the floor)" in run.out
    assert "--model=PROVIDER:NAME" in run.out
    assert f"results: {run.folder}" in " ".join(run.out.split())


def test_a_score_below_all_is_exit_code_1(bench: Bench) -> None:
    assert bench(*ONE_EACH).code == 1


def test_oracle_passes_every_field_of_every_item(bench: Bench) -> None:
    run = bench("--model", "oracle")
    assert (run.code, "450 passed" in run.counts) == (0, True)
    rows = run.table("plotchain/per_item.csv")
    assert len(rows) == 1721
    assert {row["pass"] for row in rows} == {"True"}


def test_blind_scores_what_its_constants_say(bench: Bench) -> None:
    run = bench()
    (row,) = run.table("plotchain/overall.csv")
    assert round(float(row["overall_pass_rate"]), 4) == 0.4021
    assert "382 failed, 68 passed" in run.counts


def test_the_folder_holds_every_file_that_is_promised(bench: Bench) -> None:
    run = bench("--limit", "3", "--model", "oracle")
    found = {str(path.relative_to(run.folder)) for path in run.folder.rglob("*") if path.is_file()}
    tables = {"per_item.csv", "item_level.csv", "summary.csv", "overall.csv", "raw_offline_oracle.jsonl"}
    whole = {".eyechart", "run.json", "records.jsonl", "leaderboard.csv", "report.html"}
    assert found == {*whole, *(f"plotchain/{name}" for name in tables)}


def test_the_default_folder_stands_under_the_root_named_after_model_and_time(bench: Bench) -> None:
    bench.root = bench.folder / "checkout"
    for name in ("bench", "generators", "scorers", "conftest.py", "pyproject.toml"):
        (shutil.copytree if (ROOT / name).is_dir() else shutil.copy)(ROOT / name, bench.root / name)
    bench.folder = bench.root / "bench"  # where `cd bench && pytest` would put it among the modules
    bench.finish(bench.start("--limit", "1", "--model", "oracle"), bench.folder)
    (folder,) = (bench.root / "results").iterdir()
    assert folder.name.startswith("oracle_20")
    assert folder.name.endswith("Z")
    assert not (bench.root / "bench" / "results" / folder.name).exists()


@pytest.mark.parametrize("workers", sampled(["2", "0"]))
def test_workers_and_order_change_no_record(bench: Bench, workers: str) -> None:
    one = bench("--items-per-family", "4")
    other = bench("--items-per-family", "4", "-n", workers, "-p", "tests.bench.shuffled")
    assert one.raw() == other.raw()
    assert len(one.raw()) == 60
    for name in ("per_item.csv", "item_level.csv", "summary.csv", "overall.csv"):
        assert (one.folder / "plotchain" / name).read_text() == (other.folder / "plotchain" / name).read_text()
    assert (one.folder / "leaderboard.csv").read_text() == (other.folder / "leaderboard.csv").read_text()
    assert one.manifest["items"] == other.manifest["items"]


@pytest.mark.parametrize(
    ("selection", "count"),
    sampled(
        [
            (("-k", "step_response"), 30),
            (("-k", "step_response_007"), 1),
            (("-k", "bode and not magnitude"), 30),
            (("-m", "edge"), 135),
            (("-m", "clean"), 180),
            (("-m", "plotchain and moderate"), 135),
            (("-m", "plotchain"), 450),
            (("--limit", "7"), 7),
            (("--limit", "9999"), 450),
            (("-k", "sn_curve", "-m", "clean"), 12),
        ],
        first=3,
    ),
)
def test_cases_are_selected_as_pytest_users_expect(bench: Bench, selection: tuple[str, ...], count: int) -> None:
    run = bench("--co", "-q", *selection)
    assert run.code == 0
    assert sum("::test_plotchain[" in line for line in run.out.splitlines()) == count
    assert not run.folder.exists()


def test_pytest_randomly_does_not_shuffle_cases(bench: Bench) -> None:
    seeds = [
        bench("--co", "-q", "--limit", "9", "-p", "randomly", f"--randomly-seed={seed}").out for seed in (1, 2)
    ]
    listed = [[line for line in out.splitlines() if "::" in line] for out in seeds]
    assert listed[0] == listed[1] == sorted(listed[0])


def test_last_failed_runs_what_failed_and_failed_first_puts_it_first(bench: Bench) -> None:
    bench.cache = bench.folder / "cache"
    chosen = ("-k", "iv_diode or torque_speed", "--items-per-family", "3")
    first = bench(*chosen, "-v")
    failed = [line.split()[0] for line in first.out.splitlines() if " FAILED " in line]
    assert len(failed) == 3
    assert "3 failed" in bench(*chosen, "--lf").counts
    ordered = bench(*chosen, "--ff", "--co", "-q").out.splitlines()
    assert [line.split("::")[1] for line in ordered[:3]] == [line.split("::")[1] for line in failed]


def test_stopping_at_the_first_failure_writes_what_was_measured(bench: Bench) -> None:
    run = bench("-x", "-k", "bandpass_response")
    assert run.code == 1
    assert "1 failed" in run.counts
    assert len(run.raw()) == 1
    assert run.manifest["complete"] is False
    assert "29 of 30 cases not run" in run.out


def test_a_failed_case_shows_a_table_and_no_traceback(bench: Bench) -> None:
    run = bench("-k", "bandpass_response_000")
    assert "bandpass_response_000: 1 of 2 final fields wrong: resonance_hz" in run.out
    assert "field         answered  truth  error  tolerance" in run.out
    assert "def test_plotchain" not in run.out


def test_hundreds_of_failures_are_shortened_unless_tables_are_asked_for(bench: Bench) -> None:
    short = bench("--items-per-family", "6")
    assert short.out.count("final fields wrong") == 10
    assert "more failed cases, in the tables; --tb=short shows them all" in short.out
    assert "80 failed" in short.counts
    whole = bench("--items-per-family", "6", "--tb=short")
    assert whole.out.count("final fields wrong") == 80


def test_output_fits_80_columns(bench: Bench) -> None:
    process = bench.start(*ONE_EACH, "--out", "r", "-q")
    run = bench.finish(process, bench.folder / "r")
    ours = run.out[run.out.index("= eyechart =") :].splitlines()[1:]
    assert [line for line in ours if len(line) > 80] == []


def test_the_model_is_in_the_ids_when_there_are_several(bench: Bench) -> None:
    run = bench("--model", "blind", "--model", "oracle", "--limit", "2", "-v")
    assert "test_plotchain[bandpass_response_000-blind] FAILED" in run.out
    assert "test_plotchain[bandpass_response_001-oracle] PASSED" in run.out
    rows = run.table("leaderboard.csv")
    assert [(row["model"], row["item_pass_rate"]) for row in rows] == [("blind", "0.0"), ("oracle", "1.0")]
    assert {path.name for path in (run.folder / "plotchain").glob("raw_*")} == {
        "raw_offline_blind.jsonl",
        "raw_offline_oracle.jsonl",
    }


def test_junit_and_json_reports_carry_every_fields_score(bench: Bench) -> None:
    bench(
        "-k", "bandpass_response_000", "--junitxml=j.xml", "--json-report", "--json-report-file=r.json", "-n", "2"
    )
    case = ET.parse(bench.folder / "j.xml").getroot().find(".//testcase")
    assert case is not None
    properties = {entry.get("name"): entry.get("value") for entry in case.iter("property")}
    assert properties["status"] == "answered"
    assert properties["model"] == "offline:blind"
    assert properties["resonance_hz"] == "failed: answered 61.4, truth 154.1"
    assert len(properties) == 2 + 5
    (test,) = json.loads((bench.folder / "r.json").read_text())["tests"]
    assert {key: text for entry in test["user_properties"] for key, text in entry.items()} == properties


def test_repeats_make_one_case_with_a_record_each(bench: Bench) -> None:
    run = bench("--limit", "2", "--repeats", "3", "--model", "oracle")
    assert "2 passed" in run.counts
    assert [row["repeat"] for row in run.raw()] == [0, 1, 2, 0, 1, 2]


def test_another_seed_is_another_set(bench: Bench) -> None:
    one = bench("--limit", "5", "--item-seed", "1", "--model", "oracle")
    other = bench("--limit", "5", "--item-seed", "2", "--model", "oracle")
    assert one.manifest["items"] != other.manifest["items"]
    assert one.code == other.code == 0


def test_strict_is_stricter(bench: Bench) -> None:
    loose, strict = bench("-k", "step_response"), bench("-k", "step_response", "--policy", "strict")
    rates = [float(run.table("leaderboard.csv")[0]["field_pass_rate"]) for run in (loose, strict)]
    assert rates[0] > rates[1] > 0
    assert {row["policy"] for row in strict.raw()} == {"strict"}


def test_options_can_be_set_as_ini_values_and_the_command_line_wins(bench: Bench) -> None:
    ini = ("-o", "eyechart_model=oracle", "-o", "eyechart_items_per_family=1", "-o", "eyechart_exit_zero=true")
    assert "15 passed" in bench(*ini).counts
    assert "30 passed" in bench(*ini, "--items-per-family", "2").counts


def test_an_empty_selection_is_pytests_exit_code_5_and_leaves_no_folder(bench: Bench) -> None:
    run = bench("-k", "no_such_family")
    assert run.code == 5
    assert not run.folder.exists()


def test_other_test_suites_do_not_meet_the_benchmark(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text('pytest_plugins = ["bench.plugin"]\n')
    (tmp_path / "test_mine.py").write_text("def test_mine(): pass\n")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--model", "nonsense:x"],
        cwd=tmp_path,
        env=environment() | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert "eyechart" not in done.stdout
    assert not (tmp_path / "results").exists()


def test_importing_the_plugin_loads_only_the_standard_library_and_pytest() -> None:
    script = (
        "import sys, bench.plugin\n"
        "heavy = {'numpy', 'scipy', 'matplotlib', 'PIL', 'httpx', 'sympy', 'tenacity', 'yaml'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
