"""Items as JSON records of the release format, one a line: writing, checking and loading them.

Loading imports no NumPy: unit hints stand in family modules, which import it at first use.
"""

from __future__ import annotations

import json
import math
import re
import reprlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from generators.errors import ItemDataError
from generators.files import FilePicture, lines_of, parse_json, path_fault
from generators.items import Item
from generators.plotchain.family import edition_named

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from generators.items import JsonValue, Picture
    from generators.plotchain.family import Edition


__all__ = [
    "SUITE",
    "PlotRecord",
    "RecordFault",
    "build_prompt",
    "checked_record",
    "item_from_record",
    "item_line",
    "item_record",
    "load_jsonl",
    "parse_record",
    "shown_field",
]

SUITE = "plotchain"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotRecord:
    """One record of the release format; `generation` holds seed, difficulty, field lists and data range.

    `tolerances` are the item's own, by field: plotread, strict.
    """

    id: str
    family: str
    image_path: str
    question: str
    truth: Mapping[str, JsonValue]
    params: Mapping[str, JsonValue]
    difficulty: str
    final_fields: tuple[str, ...]
    checkpoint_fields: tuple[str, ...]
    generation: dict[str, JsonValue]
    tolerances: Mapping[str, tuple[float, float]] = field(default_factory=dict)


def item_from_record(record: PlotRecord, *, index: int, edition: Edition, picture: Picture) -> Item:
    """Build an item from a record.

    Fields named in the generation block but absent from the truth are left out, as the published runner
    does. Unit hints come from the edition's family of that name; an unknown family has none.

    Args:
        record: generated, or read from a file and checked.
        index: the item's number within its family.
        edition: where unit hints come from.
        picture: the item's picture.
    """
    known = edition.family(record.family).fields if record.family in edition.families else ()
    hints = {spec.name: spec.unit for spec in known if spec.hinted}
    finals = tuple(name for name in record.final_fields if name in record.truth)
    checkpoints = tuple(name for name in record.checkpoint_fields if name in record.truth)
    return Item(
        id=record.id,
        suite=SUITE,
        family=record.family,
        index=index,
        difficulty=record.difficulty,
        prompt=build_prompt(record.question, finals + checkpoints, hints),
        truth=record.truth,
        final_fields=finals,
        checkpoint_fields=checkpoints,
        params=record.params,
        picture=picture,
        tolerances={name: record.tolerances[name] for name in finals + checkpoints if name in record.tolerances},
        extra={
            "edition": edition.name,
            "image_path": record.image_path,
            "question": record.question,
            "generation": record.generation,
        },
    )


def item_record(item: Item) -> dict[str, JsonValue]:
    """Return the item as a record of the release format, keys in the release's order."""
    return {
        "id": item.id,
        "type": item.family,
        "image_path": item.extra["image_path"],
        "question": item.extra["question"],
        "ground_truth": dict(item.truth),
        "plot_params": dict(item.params),
        "generation": item.extra["generation"],
    }


def item_line(item: Item) -> str:
    """Return the item as one line of the release's JSONL, without the line end."""
    return json.dumps(item_record(item), ensure_ascii=False, allow_nan=False)


_TEMPLATE = """\
You are given an engineering plot image. Read the plot and answer the question.

Question:
{question}

Return ONLY a single JSON object matching this schema (numbers or null; no strings; no units; no extra keys):
{{
{schema}
}}

Notes:
- Use cp_* fields as intermediate plot reads (checkpoints) that help verify your understanding of the plot.
- If you cannot determine a value, output null for that key.
- IMPORTANT: do NOT output arithmetic expressions like 1025/615; output a decimal number.
"""


def build_prompt(question: str, names: Sequence[str], hints: Mapping[str, str]) -> str:
    """Return the prompt; its text is the published runner's, so that stored replies stay comparable.

    Args:
        question: the item's question.
        names: fields in schema order, final fields first.
        hints: unit texts of the fields that have one; the others are listed without.
    """
    last = len(names) - 1
    lines = (_schema_line(name, hints.get(name), "" if at == last else ",") for at, name in enumerate(names))
    return _TEMPLATE.format(question=question, schema="\n".join(lines))


def _schema_line(name: str, hint: str | None, comma: str) -> str:
    comment = "" if hint is None else f"  // {hint}"
    return f'  "{name}": <number or null>{comment}{comma}'


_KEYS = ("id", "type", "image_path", "question", "ground_truth", "plot_params", "generation")
_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_-]|\.(?!\.|$)){0,99}")
_FIELD = re.compile(r'[^\x00-\x20"\\\x7f]{1,100}')
_NAME_RULE = "1 to 100 letters, digits, '_', '-' or single inner '.', beginning with a letter or digit"


class RecordFault(ValueError):  # noqa: N818
    """One fault of one record: what was expected, what came, what to do; without file and line."""


def parse_record(line: bytes) -> dict[str, JsonValue]:
    """Parse one line of a data set file.

    Raises:
        RecordFault: not UTF-8, not JSON (NaN and infinite numbers are not), or not an object.
    """
    try:
        value = parse_json(line)
    except (ValueError, RecursionError) as error:
        raise RecordFault(f"expected one JSON object, got malformed JSON ({error}); mend the line") from error
    if not isinstance(value, dict):
        raise _fault("a JSON object", value, "mend the line")
    return value


def checked_record(record: dict[str, JsonValue]) -> PlotRecord:
    """Check keys, types and values of a JSON record and return it typed.

    Raises:
        RecordFault: the first fault found.
    """
    missing = [key for key in _KEYS if key not in record]
    if missing:
        raise RecordFault(f"expected the keys {', '.join(_KEYS)}, got none of {', '.join(missing)}; add them")
    generation = _object("generation", record["generation"])
    truth = _checked_truth(_object("ground_truth", record["ground_truth"]))
    finals, checkpoints = _checked_fields(generation, truth)
    return PlotRecord(
        id=_name("id", record["id"]),
        family=_name("type", record["type"]),
        image_path=_image_path(record["image_path"]),
        question=_text("question", record["question"]),
        truth=truth,
        params=_object("plot_params", record["plot_params"]),
        difficulty=_name("generation.difficulty", generation.get("difficulty")),
        final_fields=finals,
        checkpoint_fields=checkpoints,
        generation=generation,
        tolerances=_checked_tolerances(generation.get("tolerances", {})),
    )


def _name(key: str, value: JsonValue) -> str:
    if not isinstance(value, str) or not _NAME.fullmatch(value):
        raise _fault(f"{key} of {_NAME_RULE}", value, "rename it")
    return value


def _text(key: str, value: JsonValue) -> str:
    if not isinstance(value, str) or not value.strip() or not _is_encodable(value):
        raise _fault(f"{key} as a text", value, "write one")
    return value


def _is_encodable(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _image_path(value: JsonValue) -> str:
    text = _text("image_path", value)
    fault = path_fault(text)
    if fault:
        raise RecordFault(
            f"expected image_path relative to the file's folder, got {fault} {_short(text)}; "
            "move the picture beside the file and name it relative to it"
        )
    return text


def _object(key: str, value: JsonValue) -> dict[str, JsonValue]:
    if not isinstance(value, dict):
        raise _fault(f"{key} as a JSON object", value, "mend it")
    return value


def _checked_truth(truth: dict[str, JsonValue]) -> dict[str, JsonValue]:
    if not truth:
        raise _fault("ground_truth with at least one field", truth, "add the fields")
    for name, value in truth.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not _is_double(value):
            raise _fault(f"ground_truth.{shown_field(name)} as a finite number", value, "mend it")
    return truth


def _checked_tolerances(value: JsonValue) -> dict[str, tuple[float, float]]:
    """Check an item's own tolerances: plotread and strict, by field."""
    tolerances = {}
    for name, pair in _object("generation.tolerances", value).items():
        match pair:
            case [int() | float() as plotread, int() | float() as strict] if _is_reach(plotread) and _is_reach(
                strict
            ):
                tolerances[name] = (float(plotread), float(strict))
            case _:
                raise _fault(
                    f"generation.tolerances.{shown_field(name)} as two positive numbers", pair, "mend them"
                )
    return tolerances


def _is_reach(value: float) -> bool:
    return not isinstance(value, bool) and _is_double(value) and value > 0


def _is_double(value: float) -> bool:
    try:
        return math.isfinite(float(value))
    except OverflowError:
        return False


def _checked_fields(
    generation: dict[str, JsonValue], truth: dict[str, JsonValue]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    finals = _field_list("final_fields", generation)
    checkpoints = _field_list("checkpoint_fields", generation)
    if not finals:
        raise _fault("generation.final_fields with at least one field", finals, "name what is asked for")
    for name in finals:
        if name not in truth:
            raise _fault("every final field in ground_truth", name, "add its truth or take the field out")
    if len({*finals, *checkpoints}) != len(finals) + len(checkpoints):
        raise _fault("each field named once", finals + checkpoints, "take the repeated name out")
    return finals, checkpoints


def _field_list(key: str, generation: dict[str, JsonValue]) -> tuple[str, ...]:
    value = generation.get(key)
    entries = value if isinstance(value, list) else [None]
    names = tuple(name for name in entries if isinstance(name, str) and _is_field(name))
    if len(names) != len(entries):
        raise _fault(f"generation.{key} as a list of names without spaces or quotes", value, "mend it")
    return names


def _is_field(name: str) -> bool:
    return _FIELD.fullmatch(name) is not None and _is_encodable(name)


def shown_field(name: str) -> str:
    """Return a field's name as a message shows it: quoted and short where it could break the line or be lost."""
    return name if _is_field(name) and name.isprintable() else _short(name)


def _fault(expected: str, got: object, remedy: str) -> RecordFault:
    return RecordFault(f"expected {expected}, got {_short(got)}; {remedy}")


def _short(value: object) -> str:
    return reprlib.repr(value)


def load_jsonl(path: Path, *, edition: str = "v4") -> list[Item]:
    """Load a data set file in the release format, in file order.

    Any item type and any field is allowed; one that the edition lacks has no unit hint. Pictures are read
    only when asked for, so that a missing one is that item's error alone.

    Args:
        path: the JSONL file; image paths are relative to its folder.
        edition: where unit hints come from; an item that names another edition is refused.

    Raises:
        ItemDataError: one line naming file, line number, what was expected, what came and what to do.
    """
    chosen = edition_named(edition)

    items: list[Item] = []
    line_of: dict[str, int] = {}
    counts: dict[str, int] = {}
    for number, line in lines_of(path):
        try:
            record = checked_record(parse_record(line))
            _check_edition(record, chosen)
            _claim(record.id, number, line_of)
        except RecordFault as fault:
            raise ItemDataError(f"{path}, line {number}: {fault}") from fault
        picture = FilePicture(item_id=record.id, folder=path.parent, relative_path=record.image_path)
        items.append(item_from_record(record, index=_index(record, counts), edition=chosen, picture=picture))
    if not items:
        raise ItemDataError(f"{path}: expected at least one item, got an empty file; name another file")
    return items


def _check_edition(record: PlotRecord, edition: Edition) -> None:
    named = record.generation.get("edition", edition.name)
    if named != edition.name:
        raise RecordFault(f"expected an item of edition {edition.name}, got one of {named!r}; choose its edition")
    asked = [name for name in (*record.final_fields, *record.checkpoint_fields) if name in record.truth]
    bare = [name for name in asked if name not in record.tolerances]
    if edition.has_own_tolerances and bare:
        raise RecordFault(
            f"expected generation.tolerances for every field of edition {edition.name}, got none for "
            f"{', '.join(map(shown_field, bare))}; add them or choose the item's edition"
        )


def _claim(item_id: str, number: int, line_of: dict[str, int]) -> None:
    if item_id in line_of:
        raise RecordFault(
            f"expected ids that differ, got {item_id!r} here and in line {line_of[item_id]}; rename one"
        )
    line_of[item_id] = number


def _index(record: PlotRecord, counts: dict[str, int]) -> int:
    """Return the number at the end of the id, or else the running number within the item's type."""
    running = counts.get(record.family, 0)
    counts[record.family] = running + 1
    digits = re.search(r"_(\d{1,9})$", record.id, re.ASCII)
    return int(digits[1]) if digits else running
