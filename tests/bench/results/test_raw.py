"""Raw files: the published format, atomic writing, names, and complaints with file and line."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.errors import DataError, UserError
from bench.models.types import Response, Usage, scorable_text
from bench.results.files import write_atomically
from bench.results.raw import RAW_KEYS, raw_file_names, read_raw, write_raw
from scorers.plotchain import score_plotchain
from tests.bench.tables.records import TRUTH, answer, failed, make_record

if TYPE_CHECKING:
    from pathlib import Path

LINE: dict[str, Any] = {
    "provider": "openai",
    "model": "gpt-4.1",
    "id": "bode_magnitude_000",
    "type": "bode_magnitude",
    "image_path": "/data/bode_magnitude_000.png",
    "prompt": "Read.",
    "raw_text": '{"cutoff_hz": 1}',
    "parsed_json": {"cutoff_hz": 1},
    "latency_s": 3.5,
    "error": None,
}


def write_lines(path: Path, *lines: dict[str, Any] | str) -> Path:
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return path


def complaint(path: Path, *lines: dict[str, Any] | str, known_ids: set[str] | None = None) -> str:
    with pytest.raises(DataError) as caught:
        read_raw([write_lines(path, *lines)], known_ids)
    return str(caught.value)


def test_the_published_keys_come_first(tmp_path: Path) -> None:
    (path,) = write_raw([make_record()], tmp_path)
    row = json.loads(path.read_text(encoding="utf-8"))
    assert tuple(row)[:10] == RAW_KEYS
    assert row["parsed_json"] == TRUTH
    assert row["error"] is None


def test_everything_of_a_reply_comes_back(tmp_path: Path) -> None:
    usage = Usage(input_tokens=900, output_tokens=80, reasoning_tokens=30, cost_usd=0.25)
    replies = [
        Response(
            status="answered",
            text="line\u2028separator\x85\ttab €",
            served_model="gpt-x-2026",
            finish_reason="stop",
            usage=usage,
            latency_s=1.25,
            attempts=3,
        ),
        Response(status="refused", text="I can't.", finish_reason="content_filter"),
        Response(status="truncated", text='{"cutoff', finish_reason="length", latency_s=0.0),
        failed("429: too many requests"),
        answer(),
    ]
    records = [make_record(reply, repeat=repeat) for repeat, reply in enumerate(replies)]
    (path,) = write_raw(reversed(records), tmp_path)
    assert len(path.read_text(encoding="utf-8").splitlines()) == len(records)
    stored = read_raw([path], {"bode_magnitude_000"})["openai", "gpt-x"]
    assert [one.reply for one in stored] == replies
    assert [one.line.repeat for one in stored] == list(range(5))
    assert stored[0].line.item_digest == records[0].item_digest
    assert stored[0].line.ask_digest == records[0].ask_digest
    assert (stored[0].line.policy, stored[0].line.task, stored[0].line.picture_sha256) == ("plotread", None, None)
    assert stored[1].place == f"{path}:2"


def test_an_empty_text_without_an_error_is_an_answer_that_holds_nothing(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "raw.jsonl", {**LINE, "raw_text": "", "parsed_json": None})
    ((stored,),) = read_raw([path], None).values()
    record = make_record(stored.reply)
    assert (record.status, record.passed, len(record.score.fields)) == ("unparsed", False, 3)


def test_a_parsed_answer_stands_in_for_an_empty_text(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "raw.jsonl", {**LINE, "raw_text": ""})
    ((stored,),) = read_raw([path], None).values()
    score = score_plotchain(
        scorable_text(stored.reply),
        family="bode_magnitude",
        truth={"cutoff_hz": 1.0},
        final_fields=["cutoff_hz"],
        checkpoint_fields=[],
        policy="strict",
        stored_answer=stored.stored_answer,
    )
    assert (score.passed, score.rule) == (True, "stored answer")


def test_a_line_with_an_error_is_a_failed_reply(tmp_path: Path) -> None:
    line = {**LINE, "raw_text": None, "parsed_json": None, "error": "Timeout:\n  gave up"}
    ((stored,),) = read_raw([write_lines(tmp_path / "raw.jsonl", line)], None).values()
    assert stored.reply == Response(status="failed", failure="server", error="Timeout: gave up", latency_s=3.5)


def test_blank_lines_byte_order_marks_and_odd_constants_are_read(tmp_path: Path) -> None:
    line = json.dumps({**LINE, "parsed_json": {"x": float("nan"), "y": 10**400}})
    path = write_lines(tmp_path / "raw.jsonl", f"\ufeff{line}", "", "  ")
    ((stored,),) = read_raw([path], None).values()
    assert stored.stored_answer == {"x": "NaN", "y": "an integer beyond the doubles"}


def test_several_files_are_read_in_order(tmp_path: Path) -> None:
    one = write_lines(tmp_path / "1.jsonl", LINE, {**LINE, "model": "other"})
    two = write_lines(tmp_path / "2.jsonl", {**LINE, "id": "bode_magnitude_001"})
    found = read_raw([one, two], None)
    assert [(pair, [reply.line.item_id for reply in stored]) for pair, stored in found.items()] == [
        (("openai", "gpt-4.1"), ["bode_magnitude_000", "bode_magnitude_001"]),
        (("openai", "other"), ["bode_magnitude_000"]),
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"provider": ', "2: expected one JSON object on the line, got malformed JSON: Expecting value"),
        ("[" * 100_000, "2: expected one JSON object on the line, got malformed JSON: "),
        ("[1]", "2: expected a JSON object, got list"),
        ("{}", "missing: provider, model, id, type, image_path, prompt, raw_text, parsed_json"),
        ({**LINE, "raw_text": 5}, "2: raw_text must be text, got 5"),
        ({**LINE, "raw_text": None}, "2: raw_text must be text, got None"),
        ({**LINE, "provider": None}, "2: provider must be text, got None"),
        ({**LINE, "error": {"code": 5}}, "2: error must be text, got {'code': 5}"),
        ({**LINE, "parsed_json": [1]}, "2: parsed_json must be an object, got [1]"),
        ({**LINE, "latency_s": "fast"}, "2: latency_s must be a number, got 'fast'"),
        ({**LINE, "latency_s": True}, "2: latency_s must be a number, got True"),
        ({**LINE, "latency_s": -1.0}, "2: latency_s must be a number from 0, got -1.0"),
        ({**LINE, "repeat": -1}, "2: repeat must be a whole number from 0, got -1"),
        ({**LINE, "repeat": 0.5}, "2: repeat must be a whole number, got 0.5"),
        ({**LINE, "usage": {"input_tokens": "9"}}, "2: usage.input_tokens must be a whole number, got '9'"),
        ({**LINE, "usage": {"cost_usd": -1}}, "2: usage.cost_usd must be a number from 0, got -1"),
        ({**LINE, "latency_s": 10**400}, "2: latency_s must be a number that a double holds, got 1000"),
        ({**LINE, "latency_s": float("inf")}, "2: latency_s must be a number, got 'Infinity'"),
        ({**LINE, "drawing": {"status": "ok"}}, "2: drawing.source is missing"),
        ({**LINE, "drawing": {"status": "ok", "source": "x", "y": 1}}, "2: drawing: 'y' is unknown"),
        ({**LINE, "status": "fine"}, "2: status must be one of answered, refused, truncated, unparsed, failed"),
        ({**LINE, "status": "failed"}, "2: a failed line, and no other, has an error; got 'failed' and None"),
        ({**LINE, "status": "answered", "error": "x"}, "2: a failed line, and no other, has an error"),
        ({**LINE, "error": "x", "failure": "bad luck"}, "2: failure must be one of auth, quota"),
        (LINE, "2: 'bode_magnitude_000' of openai:gpt-4.1 (repeat 0) stands already at "),
    ],
)
def test_complaints_name_file_and_line(tmp_path: Path, line: dict[str, Any] | str, message: str) -> None:
    path = tmp_path / "raw.jsonl"
    found = complaint(path, LINE, line)
    assert found.startswith(f"{path}:2: ")
    assert message in found


def test_a_duplicate_names_both_lines(tmp_path: Path) -> None:
    other = write_lines(tmp_path / "other.jsonl", {**LINE, "id": "x"}, LINE)
    path = write_lines(tmp_path / "raw.jsonl", {**LINE, "repeat": 1}, LINE)
    with pytest.raises(DataError, match=re.escape(f"{path}:2: ")) as caught:
        read_raw([other, path], None)
    assert f"{other}:2" in str(caught.value)


def test_other_repeats_and_tasks_are_no_duplicates(tmp_path: Path) -> None:
    lines = [LINE, {**LINE, "repeat": 1}, {**LINE, "task": "COUNT"}]
    ((*stored,),) = read_raw([write_lines(tmp_path / "raw.jsonl", *lines)], None).values()
    assert len(stored) == 3


def test_unknown_ids_are_counted(tmp_path: Path) -> None:
    lines = [{**LINE, "id": f"x_{place}"} for place in range(3)]
    found = complaint(tmp_path / "raw.jsonl", LINE, *lines, known_ids={"bode_magnitude_000"})
    assert "raw.jsonl:2: no item has the id 'x_0' (and 2 more like it)" in found


def test_one_unknown_id_is_not_counted(tmp_path: Path) -> None:
    assert "no item has the id 'bode_magnitude_000'; replay" in complaint(
        tmp_path / "raw.jsonl", LINE, known_ids=set()
    )


def test_bytes_that_are_not_utf8_are_a_data_error(tmp_path: Path) -> None:
    path = tmp_path / "raw.jsonl"
    path.write_bytes(b'{"provider": "\xff"}\n')
    with pytest.raises(DataError, match=r"raw\.jsonl:1: expected one JSON object on the line, got malformed JSON"):
        read_raw([path], None)


def test_a_missing_file_is_the_users_to_mend(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"raw outputs cannot be read from '.*none\.jsonl': No such file"):
        read_raw([tmp_path / "none.jsonl"], None)


def test_published_names_stay() -> None:
    pairs = [("openai", "gpt-4.1"), ("gemini", "gemini_x"), ("hf", "Qwen2-VL")]
    assert list(raw_file_names(pairs).values()) == [
        "raw_openai_gpt-4.1.jsonl",
        "raw_gemini_gemini_x.jsonl",
        "raw_hf_Qwen2-VL.jsonl",
    ]


@pytest.mark.parametrize(
    "pairs",
    [
        [("a", "m/x:1"), ("a", "m-x-1")],
        [("a_b", "c"), ("a", "b_c")],
        [("a", "GPT"), ("a", "gpt")],
        [("a", "x" * 300), ("a", "x" * 301)],
        [("", ""), ("..", ".."), ("../..", "/etc/passwd"), ("a\0", "\n")],
    ],
)
def test_names_neither_collide_nor_leave_the_folder(pairs: list[tuple[str, str]], tmp_path: Path) -> None:
    names = list(raw_file_names(pairs).values())
    assert len({name.casefold() for name in names}) == len(pairs)
    for name in names:
        assert re.fullmatch(r"raw_[A-Za-z0-9._~-]{1,200}\.jsonl", name)
        assert (tmp_path / name).parent == tmp_path


@settings(max_examples=40)
@given(st.lists(st.tuples(st.text(), st.text()), unique=True, max_size=6))
def test_any_names_give_distinct_files(pairs: list[tuple[str, str]]) -> None:
    names = raw_file_names(pairs)
    assert len({name.casefold() for name in names.values()}) == len(pairs)


def test_each_model_has_its_file(tmp_path: Path) -> None:
    paths = write_raw([make_record(model="b"), make_record(model="a")], tmp_path / "new")
    assert [path.name for path in paths] == ["raw_openai_b.jsonl", "raw_openai_a.jsonl"][::-1]


def test_a_failed_write_leaves_the_old_file_and_no_other(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    write_atomically(path, "old")
    with pytest.raises(UnicodeEncodeError):
        write_atomically(path, "new \ud800")
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_what_a_run_leaves_is_synced_before_it_gets_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[str] = []
    monkeypatch.setattr(os, "fsync", lambda _: synced.extend(path.name for path in tmp_path.iterdir()))

    write_atomically(tmp_path / "x.csv", "text")

    assert [name.endswith(".tmp") for name in synced] == [True]


def test_halves_of_surrogate_pairs_are_replaced(tmp_path: Path) -> None:
    (path,) = write_raw([make_record(Response(status="answered", text="\ud800x"))], tmp_path)
    ((stored,),) = read_raw([path], None).values()
    assert stored.reply.text == "\ufffdx"
