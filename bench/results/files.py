"""Files and what stands in them: written whole or not at all, JSON in lines, and JSON read back with care."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from bench.errors import DataError
from scorers.json_values import without_lone_surrogates

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

__all__ = ["convert", "json_line", "json_lines", "read_object", "safe_name", "write_atomically"]

T = TypeVar("T")

_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False)
_LINE_BREAKS = {"\u2028": "\\u2028", "\u2029": "\\u2029", "\x85": "\\u0085"}


def json_lines(rows: Iterable[object]) -> str:
    """Return one line of JSON for each row, of which no reader takes a character in a text for a line break.

    Raises:
        ValueError: a number is NaN or infinite.
    """
    return "".join(f"{json_line(row)}\n" for row in rows)


def json_line(row: object) -> str:
    """Return a row of `json_lines`, without its end.

    Raises:
        ValueError: a number is NaN or infinite.
    """
    text = _ENCODER.encode(row)
    if text.isascii():
        return text
    for character, escape in _LINE_BREAKS.items():
        text = text.replace(character, escape)
    return without_lone_surrogates(text)


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write a file (text as UTF-8) that is there whole or not at all, also after a power failure.

    Its folder is made; an old file is replaced.

    Raises:
        OSError: it cannot be written; no half-written file is left.
    """
    from generators import files  # noqa: PLC0415 - tables are computed without the generators

    data = content.encode() if isinstance(content, str) else content
    files.write_atomically(path, data, synced=True)


def safe_name(text: str) -> str:
    """Return text as part of a file's name: letters, digits, `.`, `_` and `-` stay, other runs become `-`."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text)


def read_object(
    text: bytes, place: str, *, expected: str = "a JSON object", constant: Callable[[str], object] = float
) -> dict[str, Any]:
    """Decode a JSON object; the last of equal keys counts. `constant` makes values of NaN, Infinity and -Infinity.

    Raises:
        DataError: it is malformed, nested too deeply or no object; the message begins with `place`.
    """
    try:
        content = json.loads(text.decode("utf-8"), parse_constant=constant)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{place}: expected {expected}, got malformed JSON: {error}") from error
    if not isinstance(content, dict):
        raise DataError(f"{place}: expected a JSON object, got {type(content).__name__}")
    return content


def convert(content: object, kind: type[T]) -> T:
    """Build a record from decoded JSON: lists become tuples, base64 text bytes; other parts are ignored.

    Raises:
        ValueError: a part is missing or of another type; the message says where, such as "usage.input_tokens must
            be a whole number, got '9'".
    """
    try:
        return msgspec.convert(content, kind)
    except msgspec.ValidationError as error:
        raise ValueError(_complaint(str(error), content, kind)) from None


_MESSAGE = re.compile(r"(?P<fault>.*?)(?: - at `\$(?P<path>.*)`)?", re.DOTALL)
_MISSING = re.compile(r"Object missing required field `(\w+)`")
_WANTED = {
    "Expected `str`": "text",
    "Expected `object`": "an object",
    "Expected `array`": "a list",
    "Expected `bool`": "true or false",
    "Expected `int`": "a whole number",
    "Expected `int` >=": "a whole number from 0",
    "Expected `int | float`": "a number",
    "Expected `float`": "a number",
    "Expected `float` >=": "a number from 0",
    "Expected `float` <=": "a number from 0",
    "Number out of range": "a number that a double holds",
    "Invalid base64": "base64",
}
_STEP = re.compile(r"\.(\w+)|\[(\d+)\]")


def _complaint(message: str, content: object, kind: type) -> str:
    """Say in the project's words what msgspec found; of its messages only these forms are known."""
    found = _MESSAGE.fullmatch(message)
    fault, path = (found["fault"], found["path"] or "") if found else (message, "")
    if missing := _MISSING.fullmatch(fault):
        return f"{path}.{missing[1]} is missing".removeprefix(".")
    place, fault = path.removeprefix(".") or "it", fault.replace(" | null`", "`")
    if fault.startswith("Invalid enum value"):
        wanted = f"one of {', '.join(_choices(kind, path))}"
    elif (form := next((form for form in reversed(_WANTED) if fault.startswith(form)), None)) is not None:
        wanted = _WANTED[form]
    else:  # what a record says of its own parts
        return f"{place}: {fault}" if path else fault
    return f"{place} must be {wanted}, got {_shown(content, path)}"


def _choices(kind: object, path: str) -> list[str]:
    """Return the words that the part at `path` may be."""
    kinds = _alternatives(kind)
    for name in (name for name, _ in _STEP.findall(path) if name):
        hints = [get_type_hints(one).get(name) for one in kinds if isinstance(one, type)]
        kinds = [part for hint in hints for part in _alternatives(hint)]
    return [str(word) for one in kinds if get_origin(one) is Literal for word in get_args(one)]


def _alternatives(kind: object) -> list[object]:
    """Return a type and, of a union or a tuple, the types in it."""
    parts = () if get_origin(kind) is Literal else get_args(kind)
    return [kind, *(inner for part in parts for inner in _alternatives(part))]


def _shown(content: Any, path: str) -> str:  # noqa: ANN401
    """Return what stands at `path`, cut; of what stands under a key that is no name, the whole object."""
    for name, index in _STEP.findall(path.partition("[...]")[0]):
        content = content[name] if name else content[int(index)]
    try:
        return f"{content!r:.80}"
    except RecursionError:
        return f"a deeply nested {type(content).__name__}"
