"""Records: status, order, and the way to JSON and back."""

from __future__ import annotations

import json
import pickle
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from execnet import dumps, loads
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.errors import DataError
from bench.models.types import Drawing, Response, natural_key, scorable_text
from bench.results.files import json_line
from bench.results.record import Record, passes_by_majority, record_order
from scorers.score import Score, Unscored
from tests.bench.tables.records import answer, failed, make_record, records

if TYPE_CHECKING:
    from bench.models.types import Status


@settings(max_examples=50)
@given(records())
def test_a_record_comes_back_equal_from_its_line_also_between_workers(record: Record) -> None:
    line = record.line()
    assert line == json_line(record.to_json())
    assert Record.from_json(json.loads(loads(dumps(line)))) == record


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ('{"cutoff_hz": -12345678901}', None),
        ("a \u2028 break", None),
        ("a \ufffd of its own", None),
        ("half \ud800 of a pair", "half \ufffd of a pair"),
        ("halves that meet: \ud83d\ude00", "halves that meet: \U0001f600"),
    ],
)
def test_a_line_holds_the_record_that_goes_on_which_is_changed_only_where_it_cannot_be_written(
    text: str, written: str | None
) -> None:
    record = make_record(Response(status="answered", text=text), prompt=text)
    line, copy = record.written()
    assert line == json_line(record.to_json())
    assert len(line.splitlines()) == 1
    assert Record.from_json(json.loads(line)) == copy
    assert (copy is record) == (written is None)
    assert (copy.reply.text, copy.prompt) == (written or text,) * 2


def test_keys_that_become_equal_are_written_once() -> None:
    keys = ("\ud800", "\udfff")
    score = Score(fields=(), parsed=True, answer=dict.fromkeys(keys, 1), rule="")
    record = make_record(Response(status="answered"), score=score)
    assert record.line() == json_line(record.to_json())


@pytest.mark.parametrize(("reply", "status"), [(Response(status="refused"), "unscored"), (failed(), "failed")])
def test_what_follows_from_other_parts_follows_a_change_of_them(reply: Response, status: str) -> None:
    record = make_record(answer())
    changed = replace(record, reply=reply, score=without_score().score)
    assert (record.status, record.passed) == ("answered", True)
    assert (changed.status, changed.passed) == (status, False)
    assert pickle.loads(pickle.dumps(changed)).status == changed.status


@pytest.mark.parametrize(
    ("reply", "status", "passed"),
    [
        (answer(), "answered", True),
        (answer(cutoff_hz=None), "answered", False),
        (Response(status="answered", text="no idea"), "unparsed", False),
        (Response(status="answered"), "unparsed", False),
        (Response(status="refused", text=answer().text), "refused", False),
        (Response(status="truncated", text=answer().text), "truncated", False),
        (failed(), "failed", False),
    ],
)
def test_status_and_verdict(reply: Response, status: str, passed: bool) -> None:
    record = make_record(reply)
    assert (record.status, record.passed) == (status, passed)


ABSENT = object()
PROOF = Unscored(cause="design", why="a proof needs a judge")


def without_score(reply: Response | None = None, **changes: Any) -> Record:
    score = Score(fields=(), parsed=True, answer=None, rule="", unscored=PROOF)
    return make_record(reply, score=score, **changes)


@pytest.mark.parametrize(
    ("record", "status"),
    [
        (without_score(), "unscored"),
        (without_score(Response(status="refused")), "unscored"),
        (without_score(failed()), "failed"),
        (without_score(drawing=Drawing(status="blank", source="openai:x")), "unscored"),
        (make_record(Response(status="refused"), drawing=Drawing(status="identical", source="x")), "undrawn"),
        (make_record(failed(), drawing=Drawing(status="failed", source="x")), "failed"),
    ],
)
def test_what_has_no_score_or_no_drawing_never_passes(record: Record, status: str) -> None:
    assert (record.status, record.passed) == (status, False)


def test_a_majority_is_of_the_repeats_that_are_scored() -> None:
    assert passes_by_majority([without_score(), make_record()])
    assert not passes_by_majority([without_score(), make_record(), make_record(failed())])
    assert not passes_by_majority([without_score()])


def test_an_unscored_reply_has_no_fields() -> None:
    with pytest.raises(ValueError, match="an unscored reply has no fields, got 3: a proof needs a judge"):
        Score(fields=make_record().score.fields, parsed=True, answer=None, rule="", unscored=PROOF)


def test_an_unknown_drawing_status_is_refused() -> None:
    with pytest.raises(ValueError, match="a drawing's status is one of ok, refused"):
        Drawing(status="fine", source="x")  # type: ignore[arg-type]


def test_records_of_earlier_versions_are_read() -> None:
    data = make_record().to_json()
    for name in ("about", "drawing", "judge_reply"):
        del data[name]
    del data["score"]["unscored"]
    assert Record.from_json(data) == make_record()


@pytest.mark.parametrize("status", ["refused", "truncated"])
def test_a_reply_that_is_no_answer_cannot_pass_a_field(status: Status) -> None:
    right = make_record().score
    with pytest.raises(ValueError, match=f"a reply that is '{status}' passes no field"):
        make_record(Response(status=status), score=right)


@pytest.mark.parametrize(("status", "text"), [("answered", "x"), ("refused", None), ("truncated", None)])
def test_only_an_answer_is_scored(status: Status, text: str | None) -> None:
    assert scorable_text(Response(status=status, text="x")) == text


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ({"case_id": None}, "(case None) cannot be read: case_id must be text, got None"),
        ({"repeat": "1"}, "repeat must be a whole number, got '1'"),
        ({"repeat": True}, "repeat must be a whole number, got True"),
        ({"task": 3}, "task must be text, got 3"),
        ({"about": {"answer": 3}}, "about[...] must be text, got {'answer': 3}"),
        ({"policy": ABSENT}, "policy is missing"),
        ({"reply": None}, "reply must be an object, got None"),
        ({"reply": {}}, "reply.status is missing"),
        ({"reply": {"status": "answered"}}, "reply.attempts is missing"),
        ({"reply.status": "fine"}, "reply.status must be one of answered, refused, truncated, failed, got 'fine'"),
        ({"reply.pictures": ["?"]}, "reply.pictures[0] must be base64, got '?'"),
        ({"reply.status": "failed"}, "reply: a failed reply has a failure class and an error line"),
        ({"reply.usage": {"pages": 1}}, "reply.usage: 'pages' is unknown"),
        ({"score.fields": [{"field": "x"}]}, "score.fields[0].scope is missing"),
        ({"score.fields": [[]]}, "score.fields[0] must be an object, got []"),
        ({"score.unscored": {"cause": "design", "why": "x"}}, "score: an unscored reply has no fields, got 3"),
        (
            {"drawing": {"status": "ok", "source": "x", "reply": {"status": "answered"}}},
            "drawing.reply.attempts is",
        ),
        ({"judge_reply": {"status": "answered"}}, "judge_reply.attempts is missing"),
    ],
)
def test_a_damaged_record_is_a_data_error_that_names_the_part(damage: dict[str, Any], said: str) -> None:
    data = make_record().to_json()
    for name, value in damage.items():
        *outer, last = name.split(".")
        inner = data[outer[0]] if outer else data
        inner[last] = value
        if value is ABSENT:
            del inner[last]
    with pytest.raises(DataError, match=re.escape(said)):
        Record.from_json(data)


def test_a_deeply_nested_part_is_named_and_not_shown() -> None:
    deep: list[Any] = []
    for _ in range(5000):
        deep = [deep]
    with pytest.raises(DataError, match="prompt must be text, got a deeply nested list"):
        Record.from_json({**make_record().to_json(), "prompt": deep})


def test_what_only_later_versions_write_is_passed_over() -> None:
    data = make_record().to_json()
    assert Record.from_json({**data, "later": 1, "reply": {**data["reply"], "later": 1}}) == make_record()


def test_whole_numbers_stay_whole() -> None:
    line = make_record().line().replace('"prediction": 100.0', '"prediction": 100')
    assert '"prediction": 100,' in line
    assert Record.from_json(json.loads(line)).line() == line


def test_records_sort_by_the_numbers_in_item_ids() -> None:
    ids = ["b_10", "b_9", "a_1000", "a_999", "b_9"]
    found = sorted((make_record(item_id=item, repeat=place) for place, item in enumerate(ids)), key=record_order)
    assert [(record.item_id, record.repeat) for record in found] == [
        ("a_999", 3),
        ("a_1000", 2),
        ("b_9", 1),
        ("b_9", 4),
        ("b_10", 0),
    ]


@settings(max_examples=40)
@given(st.lists(st.text()))
def test_any_names_can_be_sorted(names: list[str]) -> None:
    sorted(names, key=natural_key)


def test_a_run_of_digits_may_be_longer_than_an_integer_may_be_written() -> None:
    assert natural_key("x" + "9" * 10_000) < natural_key("x1" + "0" * 10_000)
