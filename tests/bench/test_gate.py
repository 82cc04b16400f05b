"""The gate as users meet it: real runs, every verdict, its exit code, and what stands beside it."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from tests.bench.conftest import Bench, environment
from tests.bench.processes import run_module
from tests.conftest import ROOT, sampled

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path
    from subprocess import CompletedProcess

    from tests.bench.conftest import BenchRun

FEW = ("--limit", "30", "--tb=no", "-q")


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """Finished runs of thirty cases: everything right, nearly everything wrong; and the second one as a file."""

    right: Path
    wrong: Path
    baseline: Path


@pytest.fixture(scope="module")
def earlier(tmp_path_factory: pytest.TempPathFactory, picture_cache: Path) -> Earlier:
    bench = Bench(tmp_path_factory.mktemp("earlier"), picture_cache)
    right = bench(*FEW, "--model", "oracle", "--out", "right").folder
    wrong = bench(*FEW, "--model", "blind", "--out", "wrong").folder
    baseline = wrong.parent / "wrong.json"
    assert command("baseline", wrong, "-o", baseline).returncode == 0
    return Earlier(right=right, wrong=wrong, baseline=baseline)


def command(*arguments: Any, **variables: str) -> CompletedProcess[str]:
    """Run `python -m bench.leaderboard`."""
    return run_module("bench.leaderboard", *arguments, cwd=ROOT, env=environment() | variables)


def gate(run: BenchRun) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((run.folder / "gate.json").read_text("utf-8"))
    return content


def edited(path: Path, to: Path, **changes: Any) -> Path:
    """A copy of a baseline file with other values."""
    to.write_text(json.dumps({**json.loads(path.read_text("utf-8")), **changes}), "utf-8")
    return to


@pytest.mark.parametrize("workers", [(), pytest.param(("-n", "2"), marks=pytest.mark.slow)])
def test_a_better_model_is_an_upgrade(bench: Bench, earlier: Earlier, workers: Sequence[str]) -> None:
    run = bench(*FEW, "--model", "oracle", "--gate", str(earlier.wrong), *workers)
    assert run.code == 0
    assert "gate: UPGRADE (exit code 0)" in run.out
    assert gate(run)["verdict"] == "upgrade"
    assert "offline:oracle is better than offline:blind" in gate(run)["why"]


def test_a_worse_model_is_a_regression_and_exit_zero_does_not_hide_it(bench: Bench, earlier: Earlier) -> None:
    run = bench(*FEW, "--model", "blind", "--gate", str(earlier.right), "--exit-zero")
    assert run.code == 1
    assert "gate: REGRESSION (exit code 1)" in run.out
    assert "family bandpass_response (" in gate(run)["why"]
    assert gate(run)["newly_failing"][0]["new_error"] is not None
    assert run.out.index("newly failing") < run.out.index("smallest margin")


def test_thirty_cases_cannot_certify_six_points_but_twelve(bench: Bench, earlier: Earlier) -> None:
    same = (*FEW, "--model", "blind", "--gate", str(earlier.wrong))
    narrow, wide = bench(*same), bench(*same, "--gate-margin", "12")
    assert (narrow.code, gate(narrow)["verdict"], gate(narrow)["reason"]) == (10, "inconclusive", "precision")
    assert "cases certify a margin of 6 points" in " ".join(narrow.out.split())
    assert (wide.code, gate(wide)["verdict"]) == (0, "upgrade")


@pytest.mark.slow
def test_a_committed_baseline_decides_like_the_run_it_was_made_from(bench: Bench, earlier: Earlier) -> None:
    from_run = bench(*FEW, "--model", "oracle", "--gate", str(earlier.wrong))
    from_file = bench(*FEW, "--model", "oracle", "--gate", str(earlier.baseline))
    ours, theirs = gate(from_run), gate(from_file)
    assert {**ours, "old": None, "new": None} == {**theirs, "old": None, "new": None}


@pytest.mark.parametrize(
    ("options", "said"),
    sampled(
        [
            (("--policy", "strict"), "the policy of plotchain differs: plotread in"),
            (("--limit", "20"), "items differ: bandpass_response_020 of plotchain is only in"),
            (("--item-seed", "1"), "items differ: bandpass_response_000 has other parameters or another truth"),
            (("--repeats", "3"), "repeats differ: 1 in"),
        ],
        first=2,
    ),
)
def test_another_run_than_the_old_one_is_invalid(
    bench: Bench, earlier: Earlier, options: tuple[str, ...], said: str
) -> None:
    run = bench(*FEW, *options, "--model", "oracle", "--gate", str(earlier.wrong))
    assert (run.code, gate(run)["verdict"], gate(run)["reason"]) == (11, "invalid", "unlike")
    assert said in gate(run)["why"]
    foretold = "--item-seed" not in options  # what an item holds is known when it is made
    assert ("the gate's verdict will be invalid" in run.out) is foretold


@pytest.mark.slow
def test_scorers_and_judges_of_other_versions_are_invalid(bench: Bench, earlier: Earlier, tmp_path: Path) -> None:
    scorers = edited(earlier.baseline, tmp_path / "scorers.json", scorers_sha256="ab" * 32)
    judge = edited(earlier.baseline, tmp_path / "judge.json", judge='"azure:judge"')
    for file, said in ((scorers, "scorers differ: abababababab in"), (judge, "the judge version differs")):
        run = bench(*FEW, "--model", "oracle", "--gate", str(file))
        assert (run.code, gate(run)["reason"]) == (11, "unlike")
        assert said in gate(run)["why"]


def test_drift_of_the_old_model_is_invalid(bench: Bench, earlier: Earlier) -> None:
    arguments = ("--gate", str(earlier.wrong), "--gate-aa", str(earlier.right))
    run = bench(*FEW, "--model", "oracle", *arguments)
    assert (run.code, gate(run)["verdict"], gate(run)["reason"]) == (11, "invalid", "drift")
    steady = bench(*FEW, "--model", "oracle", "--gate", str(earlier.wrong), "--gate-aa", str(earlier.baseline))
    assert (steady.code, gate(steady)["noise"]["rate"]) == (0, 0.0)


@pytest.fixture
def replayed(bench: Bench, earlier: Earlier, write_jsonl: Callable[..., Path]) -> Callable[[int], BenchRun]:
    """Replay the right answers with so many failed requests among them, against the wrong ones."""

    def run(failures: int) -> BenchRun:
        (raw,) = (earlier.right / "plotchain").glob("raw_*.jsonl")
        rows = [json.loads(line) for line in raw.read_text("utf-8").splitlines()]
        for row in rows[:failures]:
            row.update(error="no connection", status="failed", failure="network", raw_text="", parsed_json=None)
        file = write_jsonl("raw.jsonl", rows)
        return bench(*FEW, "--replay", str(file), "--gate", str(earlier.wrong))

    return run


def test_a_failed_request_is_missing_and_one_in_thirty_is_allowed(replayed: Callable[[int], BenchRun]) -> None:
    run = replayed(1)
    assert (run.code, gate(run)["overall"]["missing_n"]) == (0, 1)


def test_more_than_five_percent_missing_is_invalid(replayed: Callable[[int], BenchRun]) -> None:
    run = replayed(2)
    assert (run.code, gate(run)["reason"]) == (11, "incomplete")
    assert "6.7 % of plotchain's runs are missing" in gate(run)["why"]


def test_a_run_that_stops_early_is_never_an_upgrade(bench: Bench, earlier: Earlier) -> None:
    run = bench(*FEW, "--model", "blind", "--gate", str(earlier.wrong), "--maxfail", "3")
    assert (run.code, gate(run)["verdict"], gate(run)["reason"]) == (11, "invalid", "incomplete")
    assert "this run was not run to its end: 27 of 30 cases were not asked" in gate(run)["why"]


def test_pytests_other_exit_codes_keep_their_meaning(bench: Bench, earlier: Earlier) -> None:
    nothing = bench(*FEW, "--model", "oracle", "--gate", str(earlier.wrong), "-k", "no_such_case")
    assert nothing.code == 5
    assert "exit code 5 stands before the gate's" in nothing.out
    wrong_call = bench(*FEW, "--model", "oracle", "--gate", str(earlier.wrong), "--gate-margin", "none")
    assert wrong_call.code == 4
    refused = bench(
        *FEW, "--model", "http:x", "--api-base", "http://127.0.0.1:9", "--ask-retries", "0", "--gate",
        str(earlier.wrong),
    )  # fmt: skip
    assert refused.code == 2
    assert "gate: INVALID (exit code 11)" in refused.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    sampled(
        [
            (("--gate", "nowhere"), "--gate: expected an existing folder or file, got 'nowhere'"),
            (("--gate-margin", "4/8"), "--gate-margin and --gate-aa belong to a gate"),
            (("--gate", ".", "--gate-margin", "0/8"), "--gate-margin: expected points above 0 and up to 100"),
            (("--gate", "."), "no run.json in '.': expected the folder of a run that was written"),
            (("--gate", "notes.txt"), "notes.txt: expected a baseline, got malformed JSON"),
            (("--gate", "list.json"), "list.json: expected a baseline as a JSON object, got list"),
            (("--gate", "other.json"), "other.json: expected a baseline of format 1"),
            (("--gate", "short.json"), "short.json: the baseline cannot be read: KeyError: 'provider'"),
        ],
        first=2,
    ),
)
def test_a_gate_that_cannot_be_opened_is_met_before_anything_is_asked(
    bench: Bench, arguments: tuple[str, ...], said: str
) -> None:
    for name, text in {
        "notes.txt": "hello",
        "list.json": "[]",
        "other.json": "{}",
        "short.json": '{"kind": "eyechart baseline", "format": 1}',
    }.items():
        (bench.folder / name).write_text(text, "utf-8")
    run = bench(*FEW, "--model", "oracle", *arguments)
    assert run.code == 4
    assert said in run.error_line
    assert not run.folder.exists()


def test_several_models_cannot_be_gated(bench: Bench, earlier: Earlier) -> None:
    run = bench(*FEW, "--model", "oracle", "--model", "blind", "--gate", str(earlier.wrong))
    assert run.code == 4
    assert "--gate compares one model with an earlier run, and this run has 2 models" in run.error_line


def test_the_run_to_compare_with_is_never_written_over(bench: Bench, earlier: Earlier) -> None:
    before = (earlier.wrong / "run.json").read_bytes()
    run = bench(*FEW, "--model", "blind", "--gate", str(earlier.wrong), "--out", str(earlier.wrong))
    assert run.code == 4
    assert "holds the run to compare with" in run.error_line
    assert (earlier.wrong / "run.json").read_bytes() == before


def test_a_job_summary_and_a_junit_file_carry_the_verdict(bench: Bench, earlier: Earlier, tmp_path: Path) -> None:
    summary, junit = tmp_path / "summary.md", tmp_path / "junit.xml"
    summary.write_text("before\n", "utf-8")
    run = bench(
        *FEW, "--model", "oracle", "--gate", str(earlier.wrong), f"--junitxml={junit}",
        GITHUB_STEP_SUMMARY=str(summary),
    )  # fmt: skip
    assert run.code == 0
    written = summary.read_text("utf-8")
    assert written.startswith("before\n## eyechart gate: upgrade (exit code 0)\n")
    assert written.endswith((run.folder / "gate.md").read_text("utf-8"))
    properties = {one.get("name"): one.get("value") for one in ET.parse(junit).getroot().iter("property")}
    assert properties["eyechart_gate"] == "upgrade"
    assert properties["eyechart_gate_exit_code"] == "0"


@pytest.mark.slow
def test_a_job_summary_that_cannot_be_written_is_no_verdict(
    bench: Bench, earlier: Earlier, tmp_path: Path
) -> None:
    run = bench(*FEW, "--model", "oracle", "--gate", str(earlier.wrong), GITHUB_STEP_SUMMARY=str(tmp_path))
    assert run.code == 3
    assert "GITHUB_STEP_SUMMARY: the summary cannot be appended" in run.out


@pytest.mark.slow
def test_the_folder_of_an_earlier_gate_keeps_no_stale_verdict(bench: Bench, earlier: Earlier) -> None:
    first = bench(*FEW, "--model", "oracle", "--gate", str(earlier.wrong), "--out", "again")
    assert (first.folder / "gate.json").exists()
    second = bench(*FEW, "--model", "oracle", "--out", "again")
    assert not (second.folder / "gate.json").exists()


def test_the_command_decides_like_the_run(earlier: Earlier, tmp_path: Path) -> None:
    there = command("gate", earlier.wrong, earlier.right, "--out", tmp_path / "files")
    back = command("gate", earlier.right, earlier.baseline)
    assert (there.returncode, back.returncode) == (0, 1)
    assert "gate: UPGRADE (exit code 0)" in there.stdout
    assert json.loads((tmp_path / "files" / "gate.json").read_text("utf-8"))["exit_code"] == 0
    assert max(map(len, there.stdout.splitlines())) <= 80


def test_the_command_has_codes_of_its_own_for_what_is_no_verdict(earlier: Earlier, tmp_path: Path) -> None:
    assert command("gate", earlier.wrong, earlier.wrong).returncode == 10
    assert command("gate", earlier.wrong, earlier.wrong, "--margin", "12").returncode == 0
    assert command("gate", earlier.wrong, earlier.right, "--aa", earlier.right).returncode == 11
    lost = command("gate", earlier.wrong, tmp_path / "none")
    assert (lost.returncode, lost.stdout) == (2, "")
    assert lost.stderr.startswith("bench.leaderboard: expected the folder of a run, found none at")
    assert command("gate", earlier.wrong, earlier.wrong, "--margin", "x").returncode == 2


@pytest.mark.slow
def test_a_baseline_of_one_of_several_models(bench: Bench, tmp_path: Path) -> None:
    run = bench("--limit", "3", "--tb=no", "--model", "oracle", "--model", "blind")
    unnamed = command("baseline", run.folder, "-o", tmp_path / "b.json")
    assert unnamed.returncode == 2
    assert "holds results of offline:blind, offline:oracle" in unnamed.stderr
    named = command("baseline", run.folder, "-o", tmp_path / "b.json", "--model", "oracle")
    assert named.stdout == f"3 cases of offline:oracle written to {tmp_path / 'b.json'}\n"
    absent = command("baseline", run.folder, "-o", tmp_path / "b.json", "--model", "gpt-4o")
    assert "expected one model 'gpt-4o', found results of offline:blind, offline:oracle" in absent.stderr
