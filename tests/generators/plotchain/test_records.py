"""Data set files: what loads, and the one line that says what is wrong with what does not."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generators.errors import ItemDataError, PictureError
from generators.plotchain import load_jsonl

if TYPE_CHECKING:
    from pathlib import Path

    from generators.items import Item

_RECORD: dict[str, Any] = {
    "id": "widget_007",
    "type": "widget",
    "image_path": "images/widget/widget_007.png",
    "question": "How big?\n1) size_mm",
    "ground_truth": {"size_mm": 3, "cp_half_mm": 1.5},
    "plot_params": {"s": 3.0},
    "generation": {"difficulty": "clean", "final_fields": ["size_mm"], "checkpoint_fields": ["cp_half_mm"]},
}


def _changed(path: str, value: Any) -> dict[str, Any]:
    """The record with one entry replaced; `path` is dotted, `...` as value removes the entry."""
    record = copy.deepcopy(_RECORD)
    *parents, last = path.split(".")
    inner = record
    for name in parents:
        inner = inner[name]
    if value is ...:
        del inner[last]
    else:
        inner[last] = value
    return record


def _load(tmp_path: Path, *lines: object) -> list[Item]:
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    (tmp_path / "set.jsonl").write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return load_jsonl(tmp_path / "set.jsonl")


def test_an_unknown_type_loads_without_unit_hints(tmp_path: Path) -> None:
    (item,) = _load(tmp_path, _RECORD)

    assert (item.id, item.family, item.index, item.difficulty) == ("widget_007", "widget", 7, "clean")
    assert item.truth == {"size_mm": 3, "cp_half_mm": 1.5}
    assert '  "size_mm": <number or null>,\n  "cp_half_mm": <number or null>\n}' in item.prompt
    assert item.picture.key is None


def test_known_fields_of_a_known_type_keep_their_unit_hints(tmp_path: Path) -> None:
    record = {**_changed("ground_truth", {"resonance_hz": 5.0, "extra": 1.0}), "type": "bandpass_response"}
    record["generation"].update(final_fields=["resonance_hz", "extra"], checkpoint_fields=[])

    (item,) = _load(tmp_path, record)

    assert '"resonance_hz": <number or null>  // Hz,\n  "extra": <number or null>\n' in item.prompt


def test_own_tolerances_come_with_the_fields_that_are_asked_for(tmp_path: Path) -> None:
    (item,) = _load(tmp_path, _changed("generation.tolerances", {"size_mm": [2, 0.5], "other": [1.0, 1.0]}))

    assert item.tolerances == {"size_mm": (2.0, 0.5)}


def test_a_checkpoint_without_truth_is_left_out(tmp_path: Path) -> None:
    (item,) = _load(tmp_path, _changed("ground_truth", {"size_mm": 3.0}))

    assert item.checkpoint_fields == ()
    assert "cp_half_mm" not in item.prompt


def test_ids_without_a_number_are_counted_within_their_type(tmp_path: Path) -> None:
    items = _load(tmp_path, *({**_RECORD, "id": name} for name in ("a", "b_12", "c")))

    assert [item.index for item in items] == [0, 12, 2]


def test_byte_order_mark_blank_lines_and_windows_line_ends_are_fine(tmp_path: Path) -> None:
    (tmp_path / "set.jsonl").write_bytes(b"\xef\xbb\xbf\r\n" + json.dumps(_RECORD).encode() + b"\r\n\n  \n")

    assert len(load_jsonl(tmp_path / "set.jsonl")) == 1


_BAD_LINES: list[tuple[str, object, str]] = [
    ("malformed", '{"id": ', "expected one JSON object, got malformed JSON"),
    ("cut string", '{"id": "a', "got malformed JSON"),
    ("deep", "[" * 200_000, "got malformed JSON"),
    ("array", "[1]", "expected a JSON object, got [1]"),
    ("number", "3", "expected a JSON object, got 3"),
    ("nan", json.dumps(_RECORD).replace("1.5", "NaN"), "NaN is no JSON number"),
    ("infinity", json.dumps(_RECORD).replace("1.5", "-Infinity"), "-Infinity is no JSON number"),
    ("overflow", json.dumps(_RECORD).replace("1.5", "1e999"), "1e999 is beyond the largest number"),
    ("huge integer", json.dumps(_RECORD).replace("1.5", "1" * 400), "ground_truth.cp_half_mm as a finite number"),
    ("endless integer", json.dumps(_RECORD).replace("1.5", "1" * 5000), "malformed JSON"),
    *(
        (f"tolerances {name}", _changed("generation.tolerances", value), "expected generation.tolerances")
        for name, value in {
            "list": [1.0, 0.5],
            "alone": {"size_mm": 1.0},
            "three": {"size_mm": [1.0, 0.5, 0.1]},
            "zero": {"size_mm": [1.0, 0]},
            "negative": {"size_mm": [-1.0, 0.5]},
            "flag": {"size_mm": [True, 0.5]},
            "text": {"size_mm": ["1", 0.5]},
            "huge": {"size_mm": [10**400, 0.5]},
        }.items()
    ),
    ("edition", _changed("generation.edition", "v9"), "expected an item of edition v4, got one of 'v9'"),
    ("no id", _changed("id", ...), "got none of id; add them"),
    ("no truth", _changed("ground_truth", ...), "got none of ground_truth"),
    ("id type", _changed("id", 7), "expected id of 1 to 100 letters"),
    ("id climbs", _changed("id", "../evil"), "got '../evil'; rename it"),
    ("id slash", _changed("id", "a/b"), "expected id of"),
    ("id dots", _changed("id", "a..b"), "expected id of"),
    ("id last dot", _changed("id", "a."), "expected id of"),
    ("id hidden", _changed("id", ".a"), "expected id of"),
    ("id newline", _changed("id", "a\n"), "expected id of"),
    ("id empty", _changed("id", ""), "expected id of"),
    ("id long", _changed("id", "a" * 101), "expected id of"),
    ("id letter", _changed("id", "ä"), "expected id of"),
    ("type", _changed("type", "a b"), "expected type of"),
    ("question", _changed("question", " "), "expected question as a text, got ' '; write one"),
    ("question type", _changed("question", ["x"]), "expected question as a text"),
    ("surrogate", json.dumps(_RECORD).replace("How", "\\ud800"), "expected question as a text"),
    ("params", _changed("plot_params", []), "expected plot_params as a JSON object, got []"),
    ("generation", _changed("generation", None), "expected generation as a JSON object, got None"),
    ("difficulty", _changed("generation.difficulty", ...), "expected generation.difficulty of"),
    ("truth type", _changed("ground_truth", [1]), "expected ground_truth as a JSON object"),
    ("truth empty", _changed("ground_truth", {}), "expected ground_truth with at least one field"),
    ("truth text", _changed("ground_truth.size_mm", "3"), "ground_truth.size_mm as a finite number, got '3'"),
    ("truth flag", _changed("ground_truth.size_mm", True), "ground_truth.size_mm as a finite number, got True"),
    ("truth null", _changed("ground_truth.size_mm", None), "as a finite number, got None"),
    ("finals gone", _changed("generation.final_fields", ...), "expected generation.final_fields as a list"),
    ("finals empty", _changed("generation.final_fields", []), "final_fields with at least one field"),
    ("finals text", _changed("generation.final_fields", "size_mm"), "final_fields as a list of names"),
    ("finals mixed", _changed("generation.final_fields", ["size_mm", 3]), "final_fields as a list of names"),
    ("field quote", _changed("generation.checkpoint_fields", ['a"b']), "checkpoint_fields as a list of names"),
    ("field surrogate", json.dumps(_RECORD).replace('["cp_half_mm', '["\\udc00'), "as a list of names"),
    (
        "final absent",
        _changed("ground_truth", {"cp_half_mm": 1.0}),
        "every final field in ground_truth, got 'size_mm'",
    ),
    ("field twice", _changed("generation.checkpoint_fields", ["size_mm"]), "expected each field named once"),
    ("path type", _changed("image_path", 3), "expected image_path as a text"),
    ("path absolute", _changed("image_path", "/etc/passwd"), "got an absolute path '/etc/passwd'"),
    ("path drive", _changed("image_path", "C:\\x.png"), "got an absolute path"),
    ("path root", _changed("image_path", "\\x.png"), "got an absolute path"),
    ("path climbs", _changed("image_path", "images/../../x.png"), "a path that leaves the file's folder"),
    ("path climbs back", _changed("image_path", "a\\..\\..\\x.png"), "a path that leaves the file's folder"),
    ("path folder", _changed("image_path", "."), "got no path"),
    ("path zero", _changed("image_path", "a\0.png"), "got no path"),
]


@pytest.mark.parametrize(
    ("line", "reason"), [pytest.param(line, reason, id=name) for name, line, reason in _BAD_LINES]
)
def test_a_faulty_record_is_one_line_with_file_and_number(tmp_path: Path, line: object, reason: str) -> None:
    with pytest.raises(ItemDataError) as caught:
        _load(tmp_path, _RECORD, "", line)

    message = str(caught.value)
    assert message.startswith(f"{tmp_path / 'set.jsonl'}, line 3: ")
    assert reason in message
    assert "\n" not in message
    assert len(message) < 400 + len(str(tmp_path))


def test_a_repeated_id_names_both_lines(tmp_path: Path) -> None:
    other = {**_RECORD, "id": "widget_008"}

    with pytest.raises(
        ItemDataError, match="line 3: expected ids that differ, got 'widget_007' here and in line 1"
    ):
        _load(tmp_path, _RECORD, other, _RECORD)


def test_bytes_that_are_no_text_are_named_by_line(tmp_path: Path) -> None:
    (tmp_path / "set.jsonl").write_bytes(json.dumps(_RECORD).encode() + b"\n\xff\xfe\n")

    with pytest.raises(ItemDataError, match=r"line 2: expected one JSON object, got malformed JSON \('utf-8'"):
        load_jsonl(tmp_path / "set.jsonl")


@pytest.mark.parametrize("content", ["", "\n \n"])
def test_an_empty_file_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "set.jsonl").write_text(content)

    with pytest.raises(ItemDataError, match=r"set\.jsonl: expected at least one item, got an empty file"):
        load_jsonl(tmp_path / "set.jsonl")


@pytest.mark.parametrize("name", ["absent.jsonl", "", "a\0b"])
def test_an_unreadable_file_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ItemDataError, match=r"expected a readable JSONL file, got: .*; name another"):
        load_jsonl(tmp_path / name)


def test_an_unknown_edition_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="unknown PlotChain edition 'v1'"):
        load_jsonl(tmp_path / "set.jsonl", edition="v1")


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


def _outcome(folder: Path, record: dict[str, Any]) -> str:
    """The digest of the record's item, or the error's message."""
    try:
        return _load(folder, record)[0].digest
    except ItemDataError as error:
        return str(error)


@pytest.mark.parametrize("name", ["\n", "a\u2028b", "a\x85b", "\ud800", "n" * 5000])
@pytest.mark.parametrize("where", ["ground_truth", "tolerances", "bare"])
def test_no_name_of_a_field_breaks_or_floods_the_line(tmp_path: Path, name: str, where: str) -> None:
    truth = {**_RECORD["ground_truth"], name: None if where == "ground_truth" else 1.0}
    generation = dict(_RECORD["generation"])
    if where == "tolerances":
        generation["tolerances"] = {name: "wide"}
    elif where == "bare":
        generation |= {"final_fields": [*generation["final_fields"], name], "edition": "v5"}
    record = {**_RECORD, "ground_truth": truth, "generation": generation}
    (tmp_path / "set.jsonl").write_text(json.dumps(record), encoding="utf-8")

    with pytest.raises(ItemDataError, match="line 1: expected") as caught:
        load_jsonl(tmp_path / "set.jsonl", edition="v5" if where == "bare" else "v4")
    assert len(str(caught.value).splitlines()) == 1
    assert len(str(caught.value)) < 1000


@given(st.dictionaries(st.sampled_from(sorted(_RECORD)), _JSON))
@settings(max_examples=40, deadline=None)
def test_any_change_to_a_record_loads_or_is_one_line(
    tmp_path_factory: pytest.TempPathFactory, changes: dict[str, Any]
) -> None:
    folder = tmp_path_factory.mktemp("fuzz")
    outcome = _outcome(folder, {**_RECORD, **changes})

    assert "\n" not in outcome
    assert "line 1: expected" in outcome or len(outcome) == 64


@given(st.binary(max_size=60))
@settings(max_examples=30, deadline=None)
def test_any_bytes_are_refused_in_one_line(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("fuzz") / "set.jsonl"
    path.write_bytes(data)

    with pytest.raises(ItemDataError, match="expected") as caught:
        load_jsonl(path)
    assert "\n" not in str(caught.value)


def test_a_missing_picture_is_that_items_error_alone(tmp_path: Path) -> None:
    (item,) = _load(tmp_path, _RECORD)

    with pytest.raises(PictureError, match=r"widget_007: picture 'images/widget/widget_007\.png': No such file"):
        item.picture.png()
