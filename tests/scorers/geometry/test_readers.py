"""What is read from a reply, form by form."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from scorers.geometry.choice import read_pattern, read_regularity
from scorers.geometry.count import as_count, read_count
from scorers.geometry.defects import read_defects
from scorers.geometry.lengths import DIAMETER, SPACING, read_length, read_size_range
from scorers.geometry.positions import MAX_POINTS, read_positions
from scorers.geometry.reading import TaskReading, committed_value, quantities, value_of
from scorers.json_extraction import last_object, structured_values
from tests.scorers.geometry import ledger

if TYPE_CHECKING:
    from collections.abc import Callable

SCALE = 0.14


@pytest.mark.parametrize(("text", "count"), ledger.COUNTS)
def test_counts(text: str, count: int | None) -> None:
    assert read_count(text).value == count


@pytest.mark.parametrize(("text", "label"), ledger.PATTERNS)
def test_patterns(text: str, label: str | None) -> None:
    assert read_pattern(text).value == label


@pytest.mark.parametrize(("text", "label"), ledger.REGULARITIES)
def test_regularities(text: str, label: str | None) -> None:
    assert read_regularity(text).value == label


@pytest.mark.parametrize(("text", "length"), ledger.DIAMETERS)
def test_diameters(text: str, length: float | None) -> None:
    assert read_length(text, name=DIAMETER, um_per_px=SCALE).value == pytest.approx(length)


@pytest.mark.parametrize(("text", "length"), ledger.SPACINGS)
def test_spacings(text: str, length: float | None) -> None:
    assert read_length(text, name=SPACING, um_per_px=SCALE).value == pytest.approx(length)


@pytest.mark.parametrize(("text", "smallest", "largest"), ledger.SIZE_RANGES)
def test_size_ranges(text: str, smallest: float | None, largest: float | None) -> None:
    reading = read_size_range(text, um_per_px=SCALE)

    assert reading.smallest_um == pytest.approx(smallest)
    assert reading.largest_um == pytest.approx(largest)


@pytest.mark.parametrize(("text", "verdict", "missing", "extra"), ledger.DEFECTS)
def test_defects(text: str, verdict: bool | None, missing: int | None, extra: int | None) -> None:
    reading = read_defects(text)

    assert (reading.has_defects, reading.missing_count, reading.extra_count) == (verdict, missing, extra)


def _positions(text: str) -> list[tuple[float, float]] | None:
    points = read_positions(text, width_px=700, height_px=510).points
    return None if points is None else [(round(point.x_px, 6), round(point.y_px, 6)) for point in points]


@pytest.mark.parametrize("text", ledger.THREE_POSITIONS)
def test_forms_of_three_positions(text: str) -> None:
    assert _positions(text) == [(126.0, 341.7), (280.0, 147.9), (448.0, 418.2)]


@pytest.mark.parametrize(("text", "points"), ledger.POSITIONS)
def test_positions(text: str, points: list[tuple[float, float]] | None) -> None:
    assert _positions(text) == points


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("", "empty"),
        ('{"count": 4}', "json"),
        ("COUNT: 4", "exact label"),
        ("Count: 4", "label"),
        ("4", "bare"),
        ("I looked.\n4", "bare last line"),
        ("4 spots and 5 squares, 9 in total", "total"),
        ("I count 4 spots there", "announced"),
        ("surely 4 spots there", "statement"),
        ("I cannot see the image", "refusal"),
        ("well", "none"),
    ],
)
def test_the_counts_rule_is_recorded(text: str, rule: str) -> None:
    assert read_count(text).rule == rule


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("", "empty"),
        ('{"pattern": "hex"}', "json"),
        ("PATTERN: hex", "exact label"),
        ("Pattern: hex", "label"),
        ("hex", "bare"),
        ("it looks random", "statement"),
        ("I cannot see the image; random", "refusal"),
        ("well", "none"),
    ],
)
def test_the_patterns_rule_is_recorded(text: str, rule: str) -> None:
    assert read_pattern(text).rule == rule


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("", "empty"),
        ('{"diameter": 3}', "json"),
        ("DIAMETER: 3", "exact label"),
        ("Diameter: 3", "label"),
        ("3 um", "bare"),
        ("so\n3", "bare last line"),
        ("they seem to be 3 um wide or so", "none"),
        ("they seem to be 3 um across", "statement"),
        ("they seem to be 21 px across", "pixels"),
        ("I cannot view the image", "refusal"),
    ],
)
def test_the_lengths_rule_is_recorded(text: str, rule: str) -> None:
    assert read_length(text, name=DIAMETER, um_per_px=SCALE).rule == rule


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("(126, 341)", "brackets, pixels"),
        ("0.1, 0.2", "rows, fractions"),
        ("x=1%, y=2%", "x and y, percent"),
        ('[{"x": 126, "y": 341}, {"x": 3, "y": 4}]', "json, pixels"),
        ("NONE", "nothing seen"),
        ("", "empty"),
        ("well", "none"),
        ("I cannot see the image", "refusal"),
    ],
)
def test_the_positions_rule_is_recorded(text: str, rule: str) -> None:
    assert read_positions(text, width_px=700, height_px=510).rule == rule


def test_the_defects_rules_are_recorded() -> None:
    texts = (
        "",
        '{"missing": [1, 2]}',
        "MISSING: 2",
        "2 missing",
        "DEFECTS: NO\nEXTRA: 1",
        "I can't see the image",
        "well",
    )

    assert [read_defects(text).rule for text in texts] == [
        "empty", "json", "exact label", "statement", "contradiction", "refusal", "none",
    ]  # fmt: skip


def test_lists_of_defects_count_their_entries() -> None:
    assert read_defects('{"missing": [[1, 2], [3, 4]], "extra": []}').missing_count == 2
    assert read_defects('{"defects": "maybe", "missing": 1}').has_defects is True


@pytest.mark.parametrize(
    ("value", "count"),
    [
        (3, 3),
        (3.0, 3),
        ("3", 3),
        ("forty", 40),
        ("3.5", None),
        (True, None),
        (None, None),
        (-1, None),
        (1e300, None),
    ],
)
def test_json_values_as_counts(value: object, count: int | None) -> None:
    assert as_count(value) == count


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("one hundred and four", 104),
        ("a hundred", 100),
        ("twenty-one", 21),
        ("1,234.5", 1234.5),
        ("blue", None),
        ("-3", -3),
    ],
)
def test_numbers_in_words_and_digits(words: str, value: float | None) -> None:
    assert value_of(words) == value


def test_numbers_of_a_text_know_whether_they_are_committed() -> None:
    assert [(found.value, found.hedged) for found in quantities("5, 7-8, at least 9, 3+ and 4")] == [
        (5, False), (7, True), (8, True), (9, True), (3, True), (4, False),
    ]  # fmt: skip
    assert committed_value("about 5 or so") == 5
    assert committed_value("5 to 6") is None
    assert committed_value("none here but words") == 0
    assert committed_value("words") is None


def test_json_is_found_anywhere_and_what_cannot_be_read_is_skipped() -> None:
    assert structured_values('a {"b": [1]} c [2, [3]] d {e [5 ] f {"g": 1,}') == [
        {"b": [1]},
        [2, [3]],
        [5],
        {"g": 1},
    ]
    assert structured_values("[" * 100) == []
    assert structured_values("[1, 2") == []
    assert structured_values("[a b]") == []
    assert last_object('{"Spot Count": 3} {"spot-count": 4} {"other": 1}', ["spot_count"]) == {"spot_count": 4}
    assert last_object('[{"count": 3}]', ["count"]) is None


@pytest.mark.parametrize(
    "text",
    [
        '{"a": {"b": [[1, 2], [3, 4]]}}',
        '{"center": [1, 2], "next": 0}, {"center": [3, 4]}',
        '[{"center": {"x": 1, "y": 2}}, {"center": {"x": 3, "y": 4}}]',
        "[1, 2, 3, 4]",
        "[[1, 2, 9], [3, 4, 9]]",
        "1, 2, 3, 4",
        "1, 2, 5, 7, 8",
    ],
)
def test_nested_and_flat_json_points(text: str) -> None:
    expected = None if text.count(",") == 4 and "[" not in text else [(1.0, 2.0), (3.0, 4.0)]

    assert _positions(text) == expected


@pytest.mark.parametrize("text", ['{"a": 1}', '{"points": ["a", "b"]}', "[true, false]", "9 " * 30_000])
def test_json_without_points_says_nothing(text: str) -> None:
    assert _positions(text) in (None, [(9.0, 9.0)] * 6000)


def test_numbers_beyond_the_doubles_and_too_many_points_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _positions("(1e999, 2)") is None
    monkeypatch.setattr("scorers.geometry.positions.MAX_POINTS", 2)
    assert MAX_POINTS == 10_000
    assert _positions("101, 2\n103, 4\n105, 6") == [(101.0, 2.0), (103.0, 4.0)]


def test_a_table_may_name_its_columns_in_any_order() -> None:
    text = "| y (px) | spot | x (px) |\n|---|---|---|\n| 200 | 1 | 100 |\n| - | 2 | 300 |\n"

    assert _positions(text) == [(100.0, 200.0)]


def test_a_line_too_long_for_a_row_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scorers.geometry.positions._MAX_CHARS_IN_LINE", 10)

    assert _positions("101, 202, 303, 404") is None


@pytest.mark.parametrize(
    "read",
    [
        lambda text: read_count(text).value,
        lambda text: read_pattern(text).value,
        lambda text: read_length(text, name=DIAMETER, um_per_px=SCALE).value,
        lambda text: read_positions(text, width_px=700, height_px=510).points,
    ],
)
def test_words_spoken_while_thinking_are_no_answer(read: Callable[[str], object]) -> None:
    assert read("<think>COUNT: 5, hexagonal, 3 um, (1, 2)</think>") is None


def test_a_thought_that_begins_before_what_is_read_and_never_ends_is_no_answer() -> None:
    assert read_count(f"<think>{'well ' * 6_000} COUNT: 30").value is None
    assert read_count(f"<think>{'well ' * 6_000} COUNT: 30</think> COUNT: 31").value == 31


def test_readings_do_not_depend_on_the_hash_seed() -> None:
    code = (
        "from scorers.geometry.choice import read_pattern\n"
        "from tests.scorers.geometry.ledger import PATTERNS\n"
        "print([read_pattern(text) for text, _ in PATTERNS])"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("0", "1")
    }

    assert len(runs) == 1
    assert TaskReading.__name__ in runs.pop()
