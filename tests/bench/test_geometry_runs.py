from __future__ import annotations

import base64
import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from generators.geometry.writer import write_suite
from tests.conftest import sampled
from tests.loopback.answers import Answer
from tests.loopback.server import LoopbackServer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.bench.conftest import Bench


@pytest.fixture
def geometry(bench: Bench) -> Bench:
    bench.target = "bench/test_geometry.py"
    return bench


@pytest.fixture
def server() -> Iterator[LoopbackServer]:
    with LoopbackServer(answer=lambda _: "COUNT: 20") as running:
        yield running


def live(server: LoopbackServer, *more: str) -> tuple[str, ...]:
    return ("--model", "http:fake", "--api-base", server.base, *more)


def read(run: Any, name: str) -> Any:
    return json.loads((run.folder / "geometry" / name).read_text("utf-8"))


def test_oracle_passes_every_case_of_every_task(geometry: Bench) -> None:
    run = geometry("--model", "oracle")
    assert "411 passed" in run.counts
    overall = read(run, "metrics.json")["overall"]
    assert overall["COUNT"]["exact_match_all"] == 100.0
    assert overall["LOCATE"]["f1_all"] == 1.0
    assert overall["DEFECT"]["balanced_accuracy_all"] == 1.0
    assert list((run.folder / "geometry").glob("annotated/*")) == []


def test_blind_scores_the_floors_that_the_documents_quote(geometry: Bench) -> None:
    run = geometry("--model", "blind", "--tb=no")
    passed = {row["task"]: (row["item_pass_rate"], row["items_n"]) for row in run.table("leaderboard.csv")}
    counts = {task: (round(float(rate) * int(n)), int(n)) for task, (rate, n) in passed.items()}
    assert counts == {
        "COUNT": (15, 92),
        "DEFECT": (27, 45),
        "LOCATE": (8, 91),
        "PATTERN": (45, 90),
        "REGULARITY": (24, 45),
        "SIZE": (27, 45),
        "SPACING": (2, 3),
    }


@pytest.mark.parametrize(
    ("selection", "count"),
    sampled(
        [
            (("-k", "HSDN_sp12_d10_n5_wb-COUNT"), 1),
            (("-k", "LOCATE"), 91),
            (("-m", "hsrp"), 120),
            (("-m", "geometry and ctrl"), 3),
            (("--tasks", "count,size"), 137),
            (("--limit", "3"), 7),
        ],
        first=2,
    ),
)
def test_cases_are_selected_by_class_task_and_picture(
    geometry: Bench, selection: tuple[str, ...], count: int
) -> None:
    run = geometry("--co", "-q", *selection)
    assert sum("::test_geometry[" in line for line in run.out.splitlines()) == count


def test_an_unknown_task_is_one_line(geometry: Bench) -> None:
    run = geometry("--tasks", "COUNT,COLOUR")
    assert run.code == 4
    assert "--tasks: expected names out of COUNT, LOCATE" in run.error_line


def test_workers_and_replay_give_the_same_files(geometry: Bench) -> None:
    one = geometry("--limit", "5", "--model", "blind")
    two = geometry("--limit", "5", "--model", "blind", "-n", "2")
    raw = one.folder / "geometry" / "raw_offline_blind.jsonl"
    again = geometry("--replay", str(raw), "--limit", "5")
    for name in ("metrics.json", "leaderboard.csv", "raw_responses.json", "raw_offline_blind.jsonl"):
        texts = {without_time(run.folder / "geometry" / name) for run in (one, two, again)}
        assert len(texts) == 1, name


def without_time(path: Path) -> str:
    return re.sub(r'"elapsed_seconds": [0-9.]+', "", path.read_text("utf-8"))


def test_answers_that_fail_count_as_wrong_under_all_and_not_at_all_under_the_seeds_name(
    geometry: Bench, server: LoopbackServer
) -> None:
    server.script(Answer(status=400, body=b"{}"))
    run = geometry(*live(server, "--tasks", "COUNT", "-m", "usss", "--limit", "6", "--concurrency", "1"))
    count = read(run, "metrics.json")["overall"]["COUNT"]
    assert (count["samples"], count["answered"]) == (4, 3)
    assert count["exact_match"] == 100.0
    assert count["exact_match_all"] == 75.0
    (row,) = run.table("geometry/leaderboard.csv")
    assert row["count_exact_match_all"] == "75.0"
    assert row["locate_f1_all"] == ""


def test_raw_responses_hold_what_was_asked_said_and_read(geometry: Bench, server: LoopbackServer) -> None:
    run = geometry(*live(server, "-k", "USSS_s2_d20_wb-COUNT"))
    (sample,) = read(run, "raw_responses.json")
    assert (sample["sample_id"], sample["image_class"], sample["task"]) == ("USSS_s2_d20_wb", "USSS", "COUNT")
    assert (sample["predicted"], sample["ground_truth"], sample["raw_response"]) == (20, 20, "COUNT: 20")
    assert sample["metrics"]["exact_match"] is True
    assert sample["prompt"] == server.requests[0].json["messages"][0]["content"][0]["text"]


@pytest.mark.parametrize("shots", sampled([3, 0, 5]))
def test_examples_are_real_pictures_with_their_answers_before_the_question(
    geometry: Bench, server: LoopbackServer, shots: int
) -> None:
    geometry(*live(server, "-k", "USSS_s2_d20_wb-COUNT", "--shots", str(shots)))
    (request,) = server.requests
    messages = request.json["messages"]
    assert [message["role"] for message in messages] == ["user", "assistant"] * shots + ["user"]
    urls = [
        part["image_url"]["url"]
        for message in messages
        if isinstance(message["content"], list)
        for part in message["content"]
        if part["type"] == "image_url"
    ]
    pictures = {base64.b64decode(url.removeprefix("data:image/png;base64,")) for url in urls}
    assert len(pictures) == shots + 1
    assert all(picture.startswith(b"\x89PNG") for picture in pictures)


def test_failed_cases_get_a_picture_with_truth_and_answer(geometry: Bench, server: LoopbackServer) -> None:
    server._answer = lambda _: "10, 10"
    run = geometry(*live(server, "-k", "CTRL_single_wb"))
    found = sorted(path.name for path in (run.folder / "geometry" / "annotated").iterdir())
    assert found == ["CTRL_single_wb-COUNT_http_fake_0.png", "CTRL_single_wb-LOCATE_http_fake_0.png"]
    none = geometry(*live(server, "-k", "CTRL_single_wb", "--annotate", "none"))
    assert not (none.folder / "geometry" / "annotated").exists()


def test_a_disk_that_is_full_when_pictures_are_annotated_leaves_records_and_tables(
    geometry: Bench, server: LoopbackServer
) -> None:
    run = geometry(*live(server, "-k", "CTRL_single_wb", "-p", "tests.bench.annotation_fails"))
    assert run.code == pytest.ExitCode.INTERNAL_ERROR
    assert "No space left on device" in run.out
    assert len((run.folder / "records.jsonl").read_text().splitlines()) == 2
    assert (run.folder / "leaderboard.csv").exists()
    assert not (run.folder / "run.json").exists()


def test_a_folder_in_imagegens_layout_is_read_and_its_pictures_are_shown(
    geometry: Bench, server: LoopbackServer, tmp_path: Path
) -> None:
    write_suite(tmp_path / "suite", seed=3, classes=["CTRL", "HSFR"])
    run = geometry("--geometry-suite", str(tmp_path / "suite"), "--model", "oracle")
    assert "21 passed" in run.counts
    geometry(*live(server, "--geometry-suite", str(tmp_path / "suite"), "-k", "CTRL_single_wb-COUNT"))
    url = server.requests[0].json["messages"][0]["content"][1]["image_url"]["url"]
    shown = base64.b64decode(url.removeprefix("data:image/png;base64,"))
    assert shown == (tmp_path / "suite" / "CTRL_single_wb.png").read_bytes()


def test_a_broken_folder_is_one_line_that_names_the_entry(geometry: Bench, tmp_path: Path) -> None:
    write_suite(tmp_path / "suite", classes=["CTRL"])
    (tmp_path / "suite" / "CTRL_single_wb.csv").unlink()
    run = geometry("--geometry-suite", str(tmp_path / "suite"), "--model", "oracle")
    assert run.code == 4
    assert "CTRL_single_wb" in run.error_line


def test_the_answer_budget_grows_with_the_number_of_dots(geometry: Bench, server: LoopbackServer) -> None:
    for name in ("CTRL_single_wb-LOCATE", "HSFR_sp8_wb-LOCATE"):
        geometry(*live(server, "-k", name))
    few, many = (request.json["max_tokens"] for request in server.requests)
    assert many > few > 0
