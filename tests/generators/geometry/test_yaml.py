"""What a manifest may hold, and what is refused of YAML."""

from __future__ import annotations

import pytest

from generators.geometry.yaml_file import YamlError, read_yaml


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("a: 1\nb: 2.5\nc: 'text with: colon'\nd:\n", {"a": 1, "b": 2.5, "c": "text with: colon", "d": None}),
        ("a: [1, x, [2.5]]\nb: {c: 1}\n", {"a": [1, "x", [2.5]], "b": {"c": 1}}),
        ('{"whole": ["file", 1, null]}', {"whole": ["file", 1, None]}),
        ("a: 2024-01-01\n", {"a": "2024-01-01"}),
    ],
)
def test_is_understood(text: str, value: object) -> None:
    assert read_yaml(text) == value


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a: 1\n\tb: 2\n", "line 2: "),
        ("a: &x [1]\nb: *x\n", "line 2: found an alias"),
        ("a: !!python/object:os.system x\n", "line 1: could not determine a constructor"),
        ("a: 1\na: 2\n", "line 2: found the key 'a' twice"),
        ("a: {b: 1, b: 2}\n", "line 1: found the key 'b' twice"),
        ("a: 'open\n", "line 2: "),
        ("a: [1, 2\n", "line 2: "),
        ("--- 1\n--- 2\n", "line 2: "),
        ("a: .nan\n", "found a number that is not finite"),
        ("a: [1, -.inf]\n", "found a number that is not finite"),
        ("a: " + "[" * 40, "found more than 16 levels"),
        ("a: \x00", "special characters are not allowed"),
    ],
)
def test_is_refused_in_one_line_with_its_place(text: str, says: str) -> None:
    with pytest.raises(YamlError) as caught:
        read_yaml(text)

    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
