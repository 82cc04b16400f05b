"""Numbers in texts, and bringing foreign values to a form every writer takes."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorers.json_values import MAX_DEPTH, decimal_or_none, json_safe, number_value


@pytest.mark.parametrize(
    ("literal", "value"),
    [("200", 200.0), (" -3.5e2 ", -350.0), ("+.5", 0.5), ("5.", 5.0), ("−45", -45.0), ("1e−3", 0.001)],
)
def test_plain_decimals_are_read(literal: str, value: float) -> None:
    assert decimal_or_none(literal) == value


@pytest.mark.parametrize(
    "literal",
    [
        *("52%", "200 Hz", "1,000", "1_000", "1025/615", "nan", "inf", "-Infinity", "0x10", "１２", "٣"),
        *("", " ", "-", ".", "1e", "1 2", "1\n2", "ten", "--1", "1e999"),
    ],
)
def test_other_texts_are_no_numbers(literal: str) -> None:
    assert decimal_or_none(literal) is None


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_finite_double_is_read_back(value: float) -> None:
    assert decimal_or_none(repr(value)) == value
    assert number_value(repr(value)) == value


def test_a_number_beyond_the_doubles_stays_a_text() -> None:
    assert number_value("-1e999") == "-1e999"


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda parts: st.lists(parts) | st.dictionaries(st.text() | st.integers(), parts),
    max_leaves=10,
)


@settings(max_examples=25)
@given(VALUES)
def test_any_value_becomes_writable(value: object) -> None:
    json.dumps(json_safe(value), allow_nan=False, ensure_ascii=False).encode()


@settings(max_examples=25)
@given(VALUES)
def test_what_is_writable_stays(value: object) -> None:
    safe = json_safe(value)
    assert json_safe(safe) == safe


@pytest.mark.parametrize(
    ("value", "safe"),
    [
        (10**400, "an integer beyond the doubles"),
        (10**17, 1e17),
        (math.inf, "inf"),
        ("\ud800x", "\ufffdx"),
        (True, True),
        (b"x", "b'x'"),
    ],
)
def test_what_no_writer_takes_is_replaced(value: object, safe: object) -> None:
    assert json_safe(value) == safe


def test_values_nested_too_deeply_are_cut_off() -> None:
    deep: list[object] = []
    for _ in range(5_000):
        deep = [deep]
    written = json.dumps(json_safe(deep))
    assert written.count("[") == MAX_DEPTH
    assert "nested too deeply" in written
