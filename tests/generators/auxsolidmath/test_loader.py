"""A local copy of the real data set: what loads, what is guessed, and the one line that says what is wrong."""

from __future__ import annotations

import builtins
import json
from typing import TYPE_CHECKING, Any

import pytest

from generators.auxsolidmath.dataset.loader import (
    allowances,
    guess_answer_kind,
    guess_kind,
    imported_auxiliary_picture,
    load_problems,
)
from generators.auxsolidmath.prompts import direct_prompt
from generators.errors import ItemDataError, PictureError
from generators.png import PngSize, encode_rgba

if TYPE_CHECKING:
    from pathlib import Path

    from generators.items import Item

PNG = encode_rgba(b"\0\1\2\xff", PngSize(width=1, height=1), dpi=72)
ROW: dict[str, Any] = {
    "id": 7,
    "question": "Find the volume of the tetrahedron.",
    "original_image": "images/7.png",
    "answer": "8/3",
    "auxiliary_line_description": "Connect A and B.",
}


def _row(**changes: object) -> dict[str, Any]:
    return {name: value for name, value in {**ROW, **changes}.items() if value is not ...}


def _write(path: Path, *rows: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def _load(tmp_path: Path, *rows: object) -> list[Item]:
    return load_problems(_write(tmp_path / "test_easy.jsonl", *rows))


def test_a_row_becomes_an_item_with_a_guessed_kind(tmp_path: Path) -> None:
    (item,) = _load(tmp_path, ROW)

    assert (item.id, item.suite, item.family, item.index) == (
        "auxsolidmath_easy-007",
        "auxsolidmath",
        "imported",
        7,
    )
    assert item.difficulty == "easy"
    assert item.prompt == direct_prompt("Find the volume of the tetrahedron.")
    assert item.truth == {"kind": "CALCULATION", "answer": "8/3", "answer_kind": "number"}
    assert item.final_fields == ("answer",)
    assert item.extra == {
        "question": "Find the volume of the tetrahedron.",
        "auxiliary_line_description": "Connect A and B.",
        "blind_answer": "8/3",
    }
    assert item.picture.key is None
    assert imported_auxiliary_picture(item) is None


def test_given_kinds_families_and_allowances_win_over_guesses(tmp_path: Path) -> None:
    row = _row(kind="CALCULATION", answer_kind="ratio", family="G17", asked_percent=True, obtuse_allowed=False)
    (item,) = _load(tmp_path, row)

    assert item.family == "G17"
    assert item.truth["answer_kind"] == "ratio"
    assert item.truth["asked_percent"] is True
    assert "obtuse_allowed" not in item.truth


@pytest.mark.parametrize("answer", ["", None, "See the proof."])
def test_a_proof_needs_no_answer(tmp_path: Path, answer: str | None) -> None:
    (item,) = _load(tmp_path, _row(question="Prove that AE ⊥ PBC.", answer=answer))

    assert item.truth == {"kind": "PROVING", "answer": answer or "", "answer_kind": "claim"}
    assert item.extra["blind_answer"] == ""


def test_ids_come_from_the_rows_or_are_counted(tmp_path: Path) -> None:
    rows = [_row(id=name) for name in (3, "12", "geo_5", "auxsolidmath_easy-G05-003")]
    items = _load(tmp_path, *rows, _row(id=...))

    assert [(item.id, item.index) for item in items] == [
        ("auxsolidmath_easy-003", 3),
        ("auxsolidmath_easy-012", 12),
        ("auxsolidmath_easy-geo_5", 5),
        ("auxsolidmath_easy-G05-003", 3),
        ("auxsolidmath_easy-004", 4),
    ]


def test_numbers_as_answers_are_written_out(tmp_path: Path) -> None:
    items = _load(tmp_path, _row(answer=12), _row(id=8, answer=2.5))

    assert [item.truth["answer"] for item in items] == ["12", "2.5"]


def test_the_commonest_answer_of_a_family_is_noted(tmp_path: Path) -> None:
    rows = [_row(id=place, answer=answer) for place, answer in enumerate(["1/3", "8/3", "8/3"])]

    assert {item.extra["blind_answer"] for item in _load(tmp_path, *rows)} == {"8/3"}


def test_a_folder_holds_both_splits(tmp_path: Path) -> None:
    _write(tmp_path / "data" / "test_hard-00000-of-00001.jsonl", ROW)
    _write(tmp_path / "test_easy.jsonl", ROW)
    (tmp_path / "README.md").write_text("no data")

    assert [item.id for item in load_problems(tmp_path)] == ["auxsolidmath_easy-007", "auxsolidmath_hard-007"]


def test_a_folder_named_like_a_split_holds_its_files(tmp_path: Path) -> None:
    _write(tmp_path / "test_hard" / "rows.jsonl", ROW)

    assert [item.difficulty for item in load_problems(tmp_path)] == ["hard"]


def test_a_file_of_another_name_needs_the_difficulty_in_its_rows(tmp_path: Path) -> None:
    (item,) = load_problems(_write(tmp_path / "mine.jsonl", _row(difficulty="hard")))

    assert item.id == "auxsolidmath_hard-007"
    with pytest.raises(ItemDataError, match="expected a file named test_easy or test_hard, or difficulty"):
        load_problems(_write(tmp_path / "mine.jsonl", ROW))


FAULTS: list[tuple[str, object, str]] = [
    ("malformed", '{"id": ', "expected one JSON object, got malformed JSON"),
    ("array", "[1]", "expected a JSON object, got [1]"),
    ("nan", '{"id": NaN}', "NaN is no JSON number"),
    ("overflow", '{"id": 1e999}', "1e999 is beyond the largest number"),
    ("deep", "[" * 200_000, "malformed JSON"),
    ("no question", _row(question=...), "got none of question; add them"),
    ("no answer", _row(answer=...), "got none of answer"),
    ("no picture", _row(original_image=...), "got none of original_image"),
    ("no description", _row(auxiliary_line_description=...), "got none of auxiliary_line_description"),
    ("question empty", _row(question=" "), "expected question as a text, got ' '; write one"),
    ("question type", _row(question=["x"]), "expected question as a text"),
    ("surrogate", json.dumps(_row(question="xyz")).replace("xyz", "\\ud800"), "expected question as a text"),
    (
        "description type",
        _row(auxiliary_line_description=3),
        "expected auxiliary_line_description as a text, got 3",
    ),
    ("answer empty", _row(kind="CALCULATION", answer=""), "expected answer as a text, where a value is asked for"),
    ("answer type", _row(answer=True), "expected answer as a text, got True"),
    (
        "kind",
        _row(kind="PROOF"),
        "expected kind out of CALCULATION, PROVING, got 'PROOF'; mend it, or leave it out",
    ),
    ("answer kind", _row(answer_kind="word"), "expected answer_kind out of number, angle"),
    ("id type", _row(id=1.5), "expected id as a number, or of 1 to 80 letters"),
    ("id flag", _row(id=True), "expected id as a number"),
    ("id climbs", _row(id="../evil"), "got '../evil'; rename it"),
    ("family", _row(family="a b"), "expected family of 1 to 80"),
    ("path type", _row(original_image=3), "expected original_image as a path beside the file"),
    ("path none", _row(original_image=None), "expected original_image as a path beside the file"),
    ("path absolute", _row(original_image="/etc/passwd"), "got an absolute path '/etc/passwd'"),
    ("path drive", _row(original_image="C:\\x.png"), "an absolute path"),
    ("path climbs", _row(original_image="a/../../x.png"), "a path that leaves the file's folder"),
    ("auxiliary climbs", _row(auxiliary_line_image="../x.png"), "expected auxiliary_line_image relative to"),
]


@pytest.mark.parametrize(("row", "reason"), [pytest.param(row, why, id=name) for name, row, why in FAULTS])
def test_a_faulty_row_is_one_line_with_file_and_row(tmp_path: Path, row: object, reason: str) -> None:
    with pytest.raises(ItemDataError) as caught:
        _load(tmp_path, _row(id=1), "", row)

    message = str(caught.value)
    assert message.startswith(f"{tmp_path / 'test_easy.jsonl'}, row 3: ")
    assert reason in message
    assert "\n" not in message
    assert len(message) < 500 + len(str(tmp_path))


def test_a_repeated_id_names_both_rows(tmp_path: Path) -> None:
    with pytest.raises(
        ItemDataError, match=r"row 2: expected ids that differ, the first in test_easy.jsonl, row 1"
    ):
        _load(tmp_path, ROW, ROW)


def test_files_that_cannot_be_used_are_named(tmp_path: Path) -> None:
    with pytest.raises(ItemDataError, match="expected a readable JSONL file, got: No such file"):
        load_problems(tmp_path / "test_easy.jsonl")
    with pytest.raises(ItemDataError, match=r"expected a \.jsonl or \.parquet file or a folder"):
        load_problems(tmp_path / "test_easy.csv")
    with pytest.raises(ItemDataError, match="expected files named test_easy or test_hard"):
        load_problems(tmp_path)
    with pytest.raises(ItemDataError, match="expected at least one row"):
        _load(tmp_path)


def test_a_split_in_both_formats_is_refused(tmp_path: Path) -> None:
    _write(tmp_path / "test_easy.jsonl", ROW)
    (tmp_path / "test_easy.parquet").write_bytes(b"")

    with pytest.raises(ItemDataError, match="expected test_easy as JSONL or as Parquet, got both"):
        load_problems(tmp_path)


def test_without_pyarrow_a_parquet_file_is_one_clear_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name.startswith("pyarrow"):
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ItemDataError, match=r"pip install 'eyechart\[parquet\]', or name a JSONL file"):
        load_problems(tmp_path / "test_easy.parquet")


def test_a_parquet_file_loads_with_the_bytes_of_its_pictures(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = [
        _row(original_image={"bytes": PNG, "path": None}, auxiliary_line_image={"bytes": PNG, "path": "x.png"}),
        _row(id=8, original_image={"bytes": None, "path": "images/8.png"}, auxiliary_line_image=None),
    ]
    parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "test_easy.parquet")
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "8.png").write_bytes(PNG)

    first, second = load_problems(tmp_path)

    assert first.picture.png() == second.picture.png() == PNG
    auxiliary = imported_auxiliary_picture(first)
    assert auxiliary is not None
    assert auxiliary.png() == PNG
    assert imported_auxiliary_picture(second) is None


def test_a_broken_parquet_file_is_one_line(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    (tmp_path / "test_easy.parquet").write_bytes(b"PAR1 no more")

    with pytest.raises(ItemDataError, match="expected a readable Parquet file, got: ") as caught:
        load_problems(tmp_path)
    assert "\n" not in str(caught.value)


def test_a_missing_picture_is_its_own_item_s_error(tmp_path: Path) -> None:
    (item,) = _load(tmp_path, ROW)

    with pytest.raises(PictureError, match=r"auxsolidmath_easy-007: test_easy.jsonl, row 1, original_image: file"):
        item.picture.png()


def test_a_picture_beside_the_file_is_read(tmp_path: Path) -> None:
    (item,) = _load(tmp_path, _row(auxiliary_line_image="images/7.png"))
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "7.png").write_bytes(PNG)

    assert item.picture.png() == PNG
    auxiliary = imported_auxiliary_picture(item)
    assert auxiliary is not None
    assert auxiliary.png() == PNG


COSINE = "In the cube, find the cosine of the angle between A1B and BD."

ANGLE = "The base is a square. Find the dihedral angle P-BC-A."

ANGLE_ZH = "如图，求二面角P-BC-A的大小。"

VOLUME = "Find the volume of the tetrahedron."

RANGE = "Find the range of λ."


@pytest.mark.parametrize(
    ("question", "answer", "kind"),
    [
        ("Prove that AE is perpendicular to PBC.", "", "PROVING"),
        ("Prove that AE is perpendicular to PBC.", "See the proof.", "PROVING"),
        ("求证：AE⊥平面PBC。", "略", "PROVING"),
        ("Show that PB ∥ AEC.", "Omitted", "PROVING"),
        ("(1) Prove that AE ⊥ PB; (2) find the volume.", "8/3", "CALCULATION"),
        ("(1) 证明AE⊥PB；(2) 求余弦值。", "2√5/5", "CALCULATION"),
        (VOLUME, "8/3", "CALCULATION"),
        (VOLUME, "", "PROVING"),
    ],
)
def test_a_proof_has_no_value(question: str, answer: str, kind: str) -> None:
    assert guess_kind(question, answer) == kind


@pytest.mark.parametrize(
    ("question", "answer", "kind"),
    [
        (COSINE, "2√5/5", "number"),
        (COSINE, r"\frac{2\sqrt{5}}{5}", "number"),
        (VOLUME, "36π", "number"),
        (VOLUME, r"36\pi", "number"),
        (VOLUME, "1,000", "number"),
        (VOLUME, "12 cm^3", "number"),
        (VOLUME, r"12\text{ cm}^3", "number"),
        (VOLUME, "V = 8/3", "number"),
        ("Find the area of the section.", "π/2", "number"),
        ("底面圆周角为90°，求体积。", "12", "number"),
        (ANGLE, "60°", "angle"),
        (ANGLE, r"60^{\circ}", "angle"),
        (ANGLE, r"\frac{\pi}{3}", "angle"),
        (ANGLE, "60", "angle"),
        (ANGLE, r"\arccos\frac{1}{3}", "angle"),
        (ANGLE, "arctan √2", "angle"),
        (ANGLE, r"\cos^{-1}(1/3)", "angle"),
        (ANGLE_ZH, "π/3", "angle"),
        (ANGLE_ZH, "60度", "angle"),
        ("求直线与平面所成角的正弦值。", "√6/3", "number"),
        ("Find the tangent of the angle.", "2", "number"),
        ("Find λ.", "1/2", "number"),
        ("Find the edge.", "√3a/3", "symbolic"),
        ("Find the edge.", r"\frac{\sqrt{3}}{3}a", "symbolic"),
        ("Find the distance.", "abc/√2", "symbolic"),
        (VOLUME, "4πR³/3", "symbolic"),
        ("Find the ratio of the volumes.", "1:2", "ratio"),
        ("求体积之比。", "1∶2", "ratio"),
        ("Find the ratio of the volumes.", "√2:1", "ratio"),
        ("Find the ratio of the volumes.", "1:2:3", "ratio"),
        (RANGE, "(0, 1]", "interval"),
        (RANGE, r"\left[0,1\right)", "interval"),
        (RANGE, "(0, 1)", "interval"),
        (RANGE, "λ ∈ (0, 1]", "interval"),
        (RANGE, r"0<\lambda\le 1", "interval"),
        (RANGE, "(-∞, 2)", "interval"),
        ("Find the coordinates.", "(0, 1)", "multi"),
        ("Find k.", "±2", "multi"),
        ("Find k.", r"\pm 2", "multi"),
        ("Find k.", "2 or -2", "multi"),
        ("Find both.", "(1) 8/3; (2) 60°", "multi"),
        ("Find both.", "① 8/3 ② 60°", "multi"),
        ("Find both.", "AB = 2, CD = 3", "multi"),
        ("Find both.", "(1) (0, 1]; (2) 3", "multi"),
    ],
)
def test_the_kind_of_an_answer_follows_from_the_gold_and_what_is_asked(
    question: str, answer: str, kind: str
) -> None:
    assert guess_answer_kind(question, answer) == kind


@pytest.mark.parametrize(
    ("question", "found"),
    [
        (VOLUME, {}),
        ("Take π = 3.14. Find the volume.", {"pi_as_3_14": True}),
        ("求体积（π取3.14）。", {"pi_as_3_14": True}),
        ("What percentage of the cube is cut off?", {"asked_percent": True}),
        (ANGLE, {"obtuse_allowed": True}),
        ("π = 3.14159", {}),
    ],
)
def test_what_the_question_allows_is_said_by_it(question: str, found: dict[str, bool]) -> None:
    assert allowances(question) == found
