"""The part of YAML that manifests are written in."""

from __future__ import annotations

import pytest

from generators.geometry.yaml_flow import FlowError, read_flow
from generators.geometry.yaml_subset import YamlError, read_yaml


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("# nothing\n", None),
        ("a: 1\nb: 2.5\nc: text with: colon\nd:\ne: ~\n",
         {"a": 1, "b": 2.5, "c": "text with: colon", "d": None, "e": None}),
        ("---\na: true\nb: FALSE\n", {"a": True, "b": False}),
        ("a: 1.0.0\nb: 1e3\nc: .5\nd: -7\n", {"a": "1.0.0", "b": 1000.0, "c": 0.5, "d": -7}),
        ("a: 'it''s'\nb: \"tab\\t # kept\"\nc: x # comment\n", {"a": "it's", "b": "tab\t # kept", "c": "x"}),
        ("a:\n- 1\n- 2\nb:\n  - x\n  -\n", {"a": [1, 2], "b": ["x", None]}),
        ("- a: 1\n  b: 2\n- a: 3\n", [{"a": 1, "b": 2}, {"a": 3}]),
        ("- - 1\n  - 2\n- - 3\n", [[1, 2], [3]]),
        ("-\n  a: 1\n", [{"a": 1}]),
        ("a:\n  b:\n    c: 1\n  d: 2\n", {"a": {"b": {"c": 1}, "d": 2}}),
        ("a: [1, x, [2.5, 'y, z']]\nb: {c: 1, \"d\": [], e: {}}\n",
         {"a": [1, "x", [2.5, "y, z"]], "b": {"c": 1, "d": [], "e": {}}}),
        ("a: []\nb: [1, 2,]\n", {"a": [], "b": [1, 2]}),
        ("'quoted key': 1\n", {"quoted key": 1}),
        ('{"whole": ["file", 1, null]}', {"whole": ["file", 1, None]}),
        ("a: 2024-01-01\n", {"a": "2024-01-01"}),
    ],
)  # fmt: skip
def test_is_understood(text: str, value: object) -> None:
    assert read_yaml(text) == value


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a: 1\n\tb: 2\n", "line 2: expected spaces as indentation, got a tab"),
        ("a: &x 1\n", "line 1: expected no anchor, got 'a: &x 1'"),
        ("a: *x\n", "expected no alias"),
        ("a: !!python/object:os.system x\n", "expected no tag"),
        ("a: |\n  text\n", "expected no block text"),
        ("a: 1\na: 2\n", "line 2: expected each key once"),
        ("a: 1\n  b: 2\n", "line 2: expected one document with even indentation"),
        ("just words\n", "line 1: expected `key: value`, got 'just words'"),
        ("a: 'open\n", "line 1: expected a value at character 1 of"),
        ('a: "bad \\x escape"\n', "line 1: Invalid"),
        ("a: [1, 2\n", "expected `,` or `]` at character"),
        ("a: [1] 2\n", "expected nothing more at character 5"),
        ("a: {b 1}\n", "expected `:` after a key that comes once"),
        ("a: {b: 1, b: 2}\n", "expected `:` after a key that comes once"),
        ("a: {b: 1\n", "expected `,` or `}`"),
        ("{not json", "line 1: expected JSON, got"),
        ('{"a": NaN}', "got NaN, which is no number"),
        ("a: " + "[" * 40, "expected at most 16 levels"),
        ("\n".join(" " * depth + "a:" for depth in range(40)), "expected at most 16 levels"),
    ],
)
def test_is_refused_with_its_line(text: str, says: str) -> None:
    with pytest.raises(YamlError) as caught:
        read_yaml(text)

    assert says in str(caught.value)


def test_a_one_line_value_must_be_whole() -> None:
    with pytest.raises(FlowError, match="expected a value at character 2"):
        read_flow("[", str)
