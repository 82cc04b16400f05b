"""The extraction chain: which object is found, by which rule, and that every text gets a verdict."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorers.json_extraction import MAX_CHARS, extract_object
from tests.scorers.ledger import FORMS, HOSTILE, Form, Hostile

FIELDS = ("a", "b")
NUMBERS = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**15), 10**15)
ANSWERS = st.fixed_dictionaries({"a": NUMBERS, "b": NUMBERS | st.none()})
PROSE = st.text(alphabet=st.characters(exclude_characters="{}`<[#/\"'", exclude_categories=["Cs"]), max_size=40)


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_form_is_read_as_the_ledger_says(form: Form) -> None:
    found = extract_object(form.text, FIELDS)
    assert (found.answer, found.rule) == (form.answer, form.rule)


@pytest.mark.sweep
@pytest.mark.parametrize("hostile", HOSTILE, ids=lambda hostile: hostile.name)
def test_hostile_text_ends_in_a_verdict_that_can_be_written(hostile: Hostile) -> None:
    found = extract_object(hostile.text, FIELDS)
    json.dumps(found.answer, allow_nan=False, ensure_ascii=False).encode()


@given(st.text() | st.text(alphabet="{}[]\":,/*#\\'`ab01.-+eE \n<>think", max_size=200))
def test_any_text_gets_a_verdict(text: str) -> None:
    found = extract_object(text, FIELDS)
    json.dumps(found.answer, allow_nan=False, ensure_ascii=False).encode()
    assert (found.answer is None) == found.rule.startswith("none")


@settings(max_examples=20)
@given(st.dictionaries(st.text(max_size=5), st.recursive(NUMBERS | st.text(max_size=9), st.lists, max_leaves=9)))
def test_any_json_object_is_read_as_json_reads_it(value: dict[str, object]) -> None:
    found = extract_object(json.dumps(value), ())
    assert found.answer == value
    assert found.rule == "direct"


@settings(max_examples=40)
@given(answer=ANSWERS, before=PROSE, after=PROSE)
def test_what_stands_around_the_object_changes_nothing(answer: dict[str, object], before: str, after: str) -> None:
    written = json.dumps(answer, indent=2)
    surroundings = (
        f"{before}{written}{after}",
        f"{before}\n```json\n{written}\n```\n{after}",
        f"<think>{before} {{'a': 0}} </think>{written}",
        f"{before}</think>\n{written}\n<think>{after}</think>",
        f"[{written}]",
        json.dumps({"answer": answer}),
    )
    for text in surroundings:
        assert extract_object(text, FIELDS).answer == answer


def test_only_the_end_of_a_long_text_is_looked_at() -> None:
    found = extract_object('{"a": 0}' + " thinking" * MAX_CHARS + '{"a": 1}', FIELDS)
    assert found.answer == {"a": 1}
    assert found.rule == "embedded, tail"


def test_an_object_before_a_long_end_is_out_of_sight() -> None:
    assert extract_object('{"a": 0}' + " " * MAX_CHARS, FIELDS).rule == "none, tail"


@pytest.mark.sweep
def test_reading_stops_when_the_work_is_spent() -> None:
    burner = '{"b":' * 20_000
    assert extract_object(burner + '{"a": 1}', FIELDS).answer is None


def test_without_expected_fields_the_first_object_is_taken() -> None:
    assert extract_object('{"x": 1} {"y": 2}', ()).answer == {"x": 1}
    assert extract_object('{"x":' * 40 + '{"y": 2}', ()).answer == {"y": 2}
