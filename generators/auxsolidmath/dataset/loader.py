"""Problems from a local copy of the real data set.

A JSONL or Parquet file, or a folder with files of the splits: names that begin with `test_easy` and `test_hard`
(`test_easy.jsonl`, `test_easy-00000-of-00001.parquet`), in the folder, in `data/` or in a folder of the split's
name.

A row has `question`, `original_image`, `answer` and `auxiliary_line_description`; it may have `id`, `kind`
(CALCULATION or PROVING), `answer_kind`, `auxiliary_line_image`, `family`, `difficulty`, and what the question
allows (`asked_percent`, `obtuse_allowed`, `pi_as_3_14`). Pictures are paths beside the file, or the bytes of a
Parquet image (`{"bytes": ..., "path": ...}`); they are read when asked for, so that a missing one is that item's
error alone.

Kinds that a row does not give are guessed; the first rule that applies decides:

* PROVING: no answer; or the question asks for a proof and the answer holds no value. Else CALCULATION.
* interval: the answer has < > ≤ ≥, ∞ or a square bracket beside a round one or a comma; or it is "(a, b)" and the
  question asks for a range.
* multi: labelled parts, ±, or several values (";", a comma that is no thousands separator, "or", "and").
* ratio: two or more values with ":" between them.
* angle: a degree sign or word, an arc function; or the question asks for an angle itself, not for its cosine,
  sine or tangent, and the answer is a multiple of π or a whole number.
* symbolic: a letter that is no unit, function or constant.
* number: everything else.
"""

from __future__ import annotations

import re
import reprlib
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NoReturn

from generators.auxsolidmath.dataset.files import SUFFIXES, ImportedPicture, rows_of
from generators.auxsolidmath.prompts import direct_prompt
from generators.errors import ItemDataError
from generators.files import path_fault
from generators.items import Item

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from generators.auxsolidmath.dataset.files import Row
    from generators.auxsolidmath.problem import Kind
    from generators.items import JsonValue, Picture

__all__ = [
    "ANSWER_KINDS",
    "allowances",
    "guess_answer_kind",
    "guess_kind",
    "imported_auxiliary_picture",
    "load_problems",
]

ANSWER_KINDS = ("number", "angle", "multi", "interval", "symbolic", "ratio")
_KINDS = ("CALCULATION", "PROVING")
_SPLITS = ("easy", "hard")
_NEEDED = ("question", "original_image", "answer", "auxiliary_line_description")
_ALLOWANCES = ("asked_percent", "obtuse_allowed", "pi_as_3_14")
_ID = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_-]|\.(?!\.|$)){0,79}")
_IMPORTED = "imported"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """A row of a file, for messages: "FILE, row N"."""

    path: Path
    number: int

    def fail(self, expected: str, got: object, remedy: str) -> NoReturn:
        self.refuse(f"expected {expected}, got {reprlib.repr(got)}; {remedy}")

    def refuse(self, fault: str) -> NoReturn:
        raise ItemDataError(f"{self.path}, row {self.number}: {fault}")


def load_problems(path: Path) -> list[Item]:
    """Load a file, or all files of a folder, easy before hard, rows in file order.

    Raises:
        ItemDataError: one line naming file, row, field, what was expected, what came and what to do.
    """
    items: dict[str, Item] = {}
    seen: dict[str, _Place] = {}
    for file, split in _files(path):
        for count, (number, row) in enumerate(rows_of(file)):
            place = _Place(path=file, number=number)
            item = _item(row, place, split, count)
            if item.id in items:
                first = seen[item.id]
                place.fail(
                    f"ids that differ, the first in {first.path.name}, row {first.number}", item.id, "rename"
                )
            items[item.id], seen[item.id] = item, place
    if not items:
        raise ItemDataError(f"{path}: expected at least one row, got none; name another file")
    return _with_blind_answers(list(items.values()))


def imported_auxiliary_picture(item: Item) -> Picture | None:
    """Return the data set's picture with the auxiliary lines, or None where it has none."""
    return item.picture.auxiliary if isinstance(item.picture, ImportedPicture) else None


def _files(path: Path) -> list[tuple[Path, str | None]]:
    """Return the files to read, each with the split that its name says."""
    if not path.is_dir():
        if path.suffix.lower() not in SUFFIXES:
            raise ItemDataError(
                f"{path}: expected a .jsonl or .parquet file or a folder of them, got another name; name one"
            )
        return [(path, _split_of(path.name))]
    found: list[tuple[Path, str | None]] = [
        (file, split) for split in _SPLITS for file in _split_files(path, split)
    ]
    if not found:
        raise ItemDataError(
            f"{path}: expected files named test_easy or test_hard (.jsonl or .parquet), got none; "
            "name the file itself"
        )
    return found


def _split_files(folder: Path, split: str) -> list[Path]:
    name = f"test_{split}"
    places = (folder, folder / "data", folder / name)
    files = sorted(
        file
        for place in places
        if place.is_dir()
        for file in place.iterdir()
        if file.is_file()
        and file.suffix.lower() in SUFFIXES
        and (file.name.startswith(name) or place.name == name)
    )
    kinds = {file.suffix.lower() for file in files}
    if len(kinds) > 1:
        raise ItemDataError(
            f"{folder}: expected {name} as JSONL or as Parquet, got both; take one away, or name one file"
        )
    return files


def _split_of(name: str) -> str | None:
    return next((split for split in _SPLITS if split in name.lower()), None)


def _item(row: Row, place: _Place, split: str | None, count: int) -> Item:
    missing = [name for name in _NEEDED if name not in row]
    if missing:
        place.refuse(f"expected the fields {', '.join(_NEEDED)}, got none of {', '.join(missing)}; add them")
    question = _text(row, "question", place)
    difficulty = split or _one_of(row, "difficulty", _SPLITS, place)
    if difficulty is None:
        place.fail(
            "a file named test_easy or test_hard, or difficulty easy or hard", None, "rename it, or add them"
        )
    item_id, index = _identity(row, place, difficulty, count)
    return Item(
        id=item_id,
        suite="auxsolidmath",
        family=_family(row, place),
        index=index,
        difficulty=difficulty,
        prompt=direct_prompt(question),
        truth=_truth(row, question, place),
        final_fields=("answer",),
        checkpoint_fields=(),
        params={},
        picture=_picture(row, place, item_id),
        extra={
            "question": question,
            "auxiliary_line_description": _text(row, "auxiliary_line_description", place, empty=True),
        },
    )


def _text(row: Row, name: str, place: _Place, *, empty: bool = False) -> str:
    value = row.get(name)
    if value is None and empty:
        return ""
    if not isinstance(value, str) or not (empty or value.strip()) or re.search("[\ud800-\udfff]", value):
        place.fail(f"{name} as a text", value, "write one")
    return value


def _one_of(row: Row, name: str, allowed: Sequence[str], place: _Place) -> str | None:
    value = row.get(name)
    if value is not None and value not in allowed:
        place.fail(f"{name} out of {', '.join(allowed)}", value, "mend it, or leave it out")
    return None if value is None else str(value)


def _identity(row: Row, place: _Place, difficulty: str, count: int) -> tuple[str, int]:
    """Return the item's id, `auxsolidmath_easy-007` of an id 7, and the number in it or else the running one."""
    prefix = f"auxsolidmath_{difficulty}-"
    value = row.get("id", count)
    if isinstance(value, bool) or not isinstance(value, int | str) or not _ID.fullmatch(str(value)):
        place.fail(
            "id as a number, or of 1 to 80 letters, digits, '_', '-' or single inner '.'", value, "rename it"
        )
    name = str(value).removeprefix(prefix)
    digits = re.search(r"(\d{1,9})$", name, re.ASCII)
    index = int(digits[1]) if digits else count
    return f"{prefix}{index:03d}" if name.isdecimal() else f"{prefix}{name}", index


def _family(row: Row, place: _Place) -> str:
    value = row.get("family")
    if value is None:
        return _IMPORTED
    if not isinstance(value, str) or not _ID.fullmatch(value):
        place.fail("family of 1 to 80 letters, digits, '_' or '-'", value, "rename it, or leave it out")
    return value


def _truth(row: Row, question: str, place: _Place) -> dict[str, JsonValue]:
    answer = _answer(row, place)
    kind = _one_of(row, "kind", _KINDS, place) or guess_kind(question, answer)
    if kind == "PROVING":
        return {"kind": kind, "answer": answer, "answer_kind": "claim"}
    if not answer.strip():
        place.fail("answer as a text, where a value is asked for", answer, "write it, or set kind to PROVING")
    answer_kind = _one_of(row, "answer_kind", ANSWER_KINDS, place) or guess_answer_kind(question, answer)
    allowed = allowances(question) | {name: True for name in _ALLOWANCES if row.get(name) is True}
    return {"kind": kind, "answer": answer, "answer_kind": answer_kind, **allowed}


def _answer(row: Row, place: _Place) -> str:
    value = row["answer"]
    if isinstance(value, int | float) and not isinstance(value, bool):
        return repr(value)
    return _text(row, "answer", place, empty=True)


def _picture(row: Row, place: _Place, item_id: str) -> ImportedPicture:
    picture = _one_picture(row, "original_image", place, item_id)
    if row.get("auxiliary_line_image") is None:
        return picture
    return replace(picture, auxiliary=_one_picture(row, "auxiliary_line_image", place, item_id))


def _one_picture(row: Row, name: str, place: _Place, item_id: str) -> ImportedPicture:
    value = row[name]
    where = f"{place.path.name}, row {place.number}, {name}"
    if isinstance(value, dict) and isinstance(value.get("bytes"), bytes):
        value = value["bytes"]
    elif isinstance(value, dict):
        value = value.get("path")
    if isinstance(value, bytes):
        return ImportedPicture(item_id=item_id, where=where, folder=place.path.parent, content=value)
    if not isinstance(value, str):
        place.fail(f"{name} as a path beside the file, or as a picture's bytes", value, "mend it")
    fault = path_fault(value)
    if fault:
        place.refuse(
            f"expected {name} relative to the file's folder, got {fault} {reprlib.repr(value)}; "
            "move the picture beside the file and name it relative to it"
        )
    return ImportedPicture(item_id=item_id, where=where, folder=place.path.parent, relative_path=value)


def _with_blind_answers(items: Sequence[Item]) -> list[Item]:
    """Note in each item the commonest answer of its family: what is right most often without looking."""
    answers: dict[str, Counter[str]] = {}
    for item in items:
        if item.truth["kind"] == "CALCULATION":
            answers.setdefault(item.family, Counter())[str(item.truth["answer"])] += 1
    best = {family: counts.most_common(1)[0][0] for family, counts in answers.items()}
    return [replace(item, extra={**item.extra, "blind_answer": best.get(item.family, "")}) for item in items]


_PROOF = re.compile(r"\b(?:prove|show that|verify that|demonstrate)\b|求证|证明", re.IGNORECASE)
_VALUE = re.compile(r"[0-9√π]|\\(?:frac|sqrt|pi)|[零一二三四五六七八九十]分之|根号")
_COMPARISON = re.compile(r"[<>≤≥∞]|\\(?:le|ge|lt|gt|leq|geq|leqslant|geqslant|infty)(?![a-z])")
_HALF_OPEN = re.compile(r"^\W*(?:\w+\s*(?:∈|\\in)\s*)?(?:[(\[][^()\[\]]*,[^()\[\]]*\]|\[[^()\[\]]*,[^()\[\]]*\))")
_OPEN = re.compile(r"^\W*\([^()]*,[^()]*\)\W*$")
_RANGE = re.compile(r"\b(?:range|interval)\b|范围|区间", re.IGNORECASE)
_LABELS = re.compile(r"\(\s*(?:1|i|I)\s*\).*\(\s*(?:2|ii|II)\s*\)|①.*②|⑴.*⑵", re.DOTALL)
_SEVERAL = re.compile(r"±|\\pm|;|；|，|,(?![0-9]{3}(?![0-9]))|\bor\b|\band\b|或|和", re.IGNORECASE)
_RATIO = re.compile(r"[\w)}]\s*[:∶：]\s*[\w(√\\]")
_ANGULAR = re.compile(r"°|\\circ|\\degree|\bdegrees?\b|度|\barc|\\arc|\^\{?-1\}?\s*\(")
_ANGLE_ASKED = re.compile(r"\bangle\b|角|\bdegrees?\b|度数", re.IGNORECASE)
_FUNCTION_ASKED = re.compile(r"\b(?:co)?sines?\b|\btangents?\b|\b(?:cos|sin|tan)\b|余弦|正弦|正切", re.IGNORECASE)
_OTHER_ASKED = re.compile(
    r"\b(?:volume|area|length|distance|radius|ratio|height)\b|体积|面积|长|距离|半径|比|高", re.IGNORECASE
)
_ANGLE_VALUE = re.compile(r"π|\\pi|^\s*[0-9]{1,3}\s*$")
_WORDS = re.compile(
    r"\\[a-zA-Z]+|\b(?:arc)?(?:cos|sin|tan|cot)\b|\bsqrt\b|\bpi\b|\b(?:square|cubic|sq|cu)?\s*(?:units?|[cmdk]?m)\b(?:\^?[23])?"
    r"|\b[A-Za-z]{1,3}\w*\s*=",
    re.IGNORECASE,
)
_LETTER = re.compile(r"(?<![A-Za-z])[a-zA-Z](?![A-Za-z])|[αβγδθλ]|(?<![A-Za-z])[a-z]{2,3}(?![A-Za-z])")
_SHORT_PI = re.compile(
    r"(?:π|\\pi|pi)\s*(?:取|=|≈|\\approx|as|to be)\s*3\.14(?![0-9])|取\s*π\s*为?\s*3\.14", re.IGNORECASE
)
_PERCENT = re.compile(r"\bpercent(?:age)?\b|百分之几|百分比|百分数", re.IGNORECASE)
_DIHEDRAL = re.compile(r"\bdihedral\b|二面角", re.IGNORECASE)


def guess_kind(question: str, answer: str) -> Kind:
    """Return whether a proof or a value is asked for."""
    if not answer.strip():
        return "PROVING"
    asks_proof = _PROOF.search(question) is not None
    return "PROVING" if asks_proof and not _VALUE.search(answer) else "CALCULATION"


def guess_answer_kind(question: str, answer: str) -> str:
    """Return the kind of a calculation's answer."""
    if _is_interval(question, answer):
        return "interval"
    if _LABELS.search(answer) or _SEVERAL.search(answer.replace("{,}", "")):
        return "multi"
    if _RATIO.search(answer):
        return "ratio"
    if _is_angle(question, answer):
        return "angle"
    return "symbolic" if _LETTER.search(_WORDS.sub(" ", answer)) else "number"


def _is_interval(question: str, answer: str) -> bool:
    if _LABELS.search(answer):
        return False
    if _COMPARISON.search(answer) or _HALF_OPEN.search(answer.replace("\\left", "").replace("\\right", "")):
        return True
    return _OPEN.search(answer) is not None and _RANGE.search(question) is not None


def _is_angle(question: str, answer: str) -> bool:
    if _ANGULAR.search(answer):
        return True
    asked = _asked(question)
    other = _FUNCTION_ASKED.search(asked) or _OTHER_ASKED.search(asked)
    return bool(_ANGLE_ASKED.search(asked) and not other and _ANGLE_VALUE.search(answer))


def _asked(question: str) -> str:
    """Return the last sentence that is not empty: what is asked for."""
    sentences = [part for part in re.split(r"[.。?？!;；\n]", question) if part.strip()]
    return re.split(r"\b(?:find|determine|calculate|compute|what is)\b|求|则", sentences[-1], flags=re.IGNORECASE)[
        -1
    ]


def allowances(question: str) -> dict[str, bool]:
    """Return what the question allows, only what it does: a rounded percentage, π = 3.14, an obtuse angle."""
    found = {
        "asked_percent": _PERCENT.search(question),
        "obtuse_allowed": _DIHEDRAL.search(question),
        "pi_as_3_14": _SHORT_PI.search(question),
    }
    return {name: True for name, match in found.items() if match}
