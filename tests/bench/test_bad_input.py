"""What a user meets who gets something wrong: one line, no traceback, pytest's own exit codes."""

from __future__ import annotations

import json
import re
import sqlite3
from typing import TYPE_CHECKING, Any

import pytest

from bench.options import OPTIONS
from tests.conftest import sampled

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from tests.bench.conftest import Bench

    Write = Callable[[str, Sequence[Any]], Path]

USAGE = 4


def an_item(number: int = 0, **changes: Any) -> dict[str, Any]:
    return {
        "id": f"gauge_{number:03d}",
        "type": "gauge",
        "image_path": f"images/gauge_{number:03d}.png",
        "question": "Read the needle.",
        "ground_truth": {"needle_bar": 3.0},
        "plot_params": {},
        "generation": {
            "seed": 1,
            "difficulty": "clean",
            "edge_tag": "",
            "final_fields": ["needle_bar"],
            "checkpoint_fields": [],
        },
        **changes,
    }


def a_raw_line(**changes: Any) -> dict[str, Any]:
    return {
        "provider": "openai",
        "model": "m",
        "id": "step_response_000",
        "type": "step_response",
        "image_path": "x.png",
        "prompt": "p",
        "raw_text": "{}",
        "parsed_json": None,
        "latency_s": 1.0,
        "error": None,
        **changes,
    }


@pytest.mark.parametrize(
    ("arguments", "line"),
    sampled(
        [
            (["--model", "nonsense"], "--model='nonsense' is unknown"),
            (["--model", "acme:m"], "--model='acme:m' is unknown"),
            (["--model", "openai:"], "--model='openai:' names no model"),
            (["--model", "gpt-4o"], "needs an API key: set the environment variable OPENAI_API_KEY"),
            (["--model", "http:m"], "needs --api-base URL"),
            (["--temperature", "3"], "--temperature: expected a number from 0 to 2, or none"),
            (["--plotchain-data", "absent.jsonl"], "--plotchain-data: expected an existing file"),
            (["-o", "eyechart_limit=x"], "ini value eyechart_limit: expected a whole number"),
        ],
        first=2,
    ),
)
def test_a_wrong_option_is_one_line_and_exit_code_4(bench: Bench, arguments: list[str], line: str) -> None:
    run = bench(*arguments)
    assert run.code == USAGE
    assert run.error_line.startswith("ERROR: eyechart: ")
    assert line in run.error_line
    assert not run.folder.exists()


@pytest.mark.parametrize(
    ("rows", "line"),
    sampled(
        [
            (["{"], "line 1"),
            ([an_item(), "not json"], "line 2"),
            ([an_item(), "[]"], "line 2"),
            ([an_item(), an_item()], "gauge_000"),
            ([an_item(ground_truth={})], "line 1"),
            ([json.dumps(an_item(ground_truth={"needle_bar": 1})).replace(": 1}", ": NaN}")], "line 1"),
            ([json.dumps(an_item(ground_truth={"needle_bar": 1})).replace(": 1}", ": Infinity}")], "line 1"),
            ([an_item(ground_truth={"needle_bar": "3"})], "line 1"),
            ([an_item(id="../x")], "line 1"),
            ([an_item(image_path="/etc/passwd")], "line 1"),
            ([an_item(image_path="../../x.png")], "line 1"),
            ([{"id": "x"}], "line 1"),
            ([], "empty"),
        ],
        first=2,
    ),
)
def test_a_wrong_data_set_is_one_line_that_names_the_line(
    bench: Bench, write_jsonl: Write, rows: list[Any], line: str
) -> None:
    path = write_jsonl("data.jsonl", rows)
    run = bench("--plotchain-data", str(path), "--model", "oracle")
    assert run.code == USAGE
    assert line in run.error_line
    assert "data.jsonl" in run.error_line


@pytest.mark.parametrize(
    ("rows", "line"),
    sampled(
        [
            (["{"], "raw.jsonl:1: expected one JSON object"),
            ([a_raw_line(id="step_response_999")], "no item has the id 'step_response_999'"),
            ([a_raw_line(item_digest="0" * 64)], "was asked with other parameters, truth or prompt"),
        ]
    ),
)
def test_a_wrong_raw_file_is_one_line_that_names_the_line(
    bench: Bench, write_jsonl: Write, rows: list[Any], line: str
) -> None:
    run = bench("--replay", str(write_jsonl("raw.jsonl", rows)))
    assert run.code == USAGE
    assert line in run.error_line


def test_a_replayed_file_that_lacks_items_skips_them_and_says_so(bench: Bench, write_jsonl: Write) -> None:
    run = bench("--replay", str(write_jsonl("raw.jsonl", [a_raw_line()])), "-k", "step_response")
    assert "1 failed, 29 skipped" in run.counts
    assert "29 cases skipped: the replayed file has no output for them" in run.out
    assert len(run.raw()) == 1


def test_a_replay_does_not_overwrite_what_it_replays(bench: Bench) -> None:
    first = bench("--limit", "5", "--model", "oracle")
    raw = first.folder / "plotchain" / "raw_offline_oracle.jsonl"
    run = bench("--replay", str(raw), "--out", str(first.folder), "-k", "response_001")
    assert run.code == USAGE
    assert "holds the replayed file" in run.error_line
    assert len(first.raw()) == 5


def test_a_smaller_run_does_not_replace_a_larger_ones_results(bench: Bench) -> None:
    large = bench("--limit", "5", "--model", "oracle", "--out", "r")
    small = bench("--limit", "2", "--model", "oracle", "--out", "r")
    assert "results: r-2" in small.out
    assert len(large.raw()) == 5
    assert len(list((bench.folder / "r-2" / "plotchain").iterdir())) == 5


def test_a_replay_of_repeats_gives_the_same_tables(bench: Bench) -> None:
    first = bench("--limit", "3", "--model", "oracle", "--repeats", "3")
    raw = first.folder / "plotchain" / "raw_offline_oracle.jsonl"
    again = bench("--replay", str(raw))
    assert again.raw() == first.raw()
    assert again.manifest["cost_usd"] == 0


def test_a_replayed_model_without_a_price_has_no_cost(bench: Bench, write_jsonl: Write) -> None:
    usage = {"input_tokens": 10, "output_tokens": 5}
    run = bench("--replay", str(write_jsonl("raw.jsonl", [a_raw_line(provider="http", usage=usage)])))
    assert run.manifest["cost_usd"] is None


def test_a_missing_picture_is_that_cases_error_alone(bench: Bench, write_jsonl: Write) -> None:
    # A model that looks is needed, and none is there: what is met first is the picture, not the server.
    path = write_jsonl("data.jsonl", [an_item(0)])
    run = bench("--plotchain-data", str(path), "--model", "http:m", "--api-base", "http://127.0.0.1:9/v1")
    assert run.code == 1
    assert "1 error" in run.counts
    assert "gauge_000: data: " in run.out
    assert "images/gauge_000.png" in " ".join(run.out.split())
    assert "Traceback" not in run.out
    assert run.raw()[0]["status"] == "failed"


def test_a_folder_that_cannot_be_written_is_one_line_before_anything_is_asked(bench: Bench) -> None:
    (bench.folder / "file").write_text("")
    run = bench("--out", "file/run", "--limit", "1")
    assert run.code == USAGE
    assert "--out file/run: cannot be written" in run.error_line


def test_a_folder_with_other_files_is_not_written_into(bench: Bench) -> None:
    (bench.folder / "mine").mkdir()
    (bench.folder / "mine" / "thesis.txt").write_text("")
    run = bench("--out", "mine", "--limit", "1")
    assert run.code == USAGE
    assert "found 'thesis.txt' and no run.json" in run.error_line


def test_another_models_results_are_not_overwritten(bench: Bench) -> None:
    bench("--out", "r", "--limit", "1", "--model", "oracle")
    assert bench("--out", "r", "--limit", "1", "--model", "oracle").code == 0
    run = bench("--out", "r", "--limit", "1", "--model", "blind")
    assert "holds a run of offline:oracle" in run.error_line


def test_a_reply_store_of_another_program_is_one_line(bench: Bench) -> None:
    with sqlite3.connect(bench.folder / "other.sqlite") as connection:
        connection.execute("CREATE TABLE t (x)")
    connection.close()
    run = bench("--model", "http:m", "--api-base", "http://127.0.0.1:9/v1", "--replies", "other.sqlite")
    assert run.code == USAGE
    assert "of another program" in run.error_line


def test_no_option_is_named_like_one_of_a_common_plugin() -> None:
    taken = re.compile(
        "--("
        "timeout|base-url|count|repeat|repeat-scope|seed|retries|retry-delay|reruns|reruns-delay|"
        "browser|headed|slowmo|device|output|tracing|video|screenshot|cov|randomly-seed|"
        "driver|variables|html|limit-memory|snapshot-update|flake-finder|benchmark-only|dist|tx|maxfail|json-report"
        ")"
    )
    assert not [option.flag for option in OPTIONS if taken.fullmatch(option.flag)]
    assert all(option.dest.startswith("eyechart_") and option.ini.startswith("eyechart_") for option in OPTIONS)
