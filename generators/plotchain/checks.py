"""What a data set record must hold; every fault is one line."""

from __future__ import annotations

import math
import re
import reprlib
from typing import TYPE_CHECKING

from generators.files import parse_json, path_fault
from generators.plotchain.records import PlotRecord

if TYPE_CHECKING:
    from generators.items import JsonValue

__all__ = ["RecordFault", "checked_record", "parse_record", "shown_field"]

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
