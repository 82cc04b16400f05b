"""JSON in a reply: every outermost object and list, with the repairs of `scorers.object_reader`."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING

from scorers.json_values import MAX_DEPTH
from scorers.object_reader import ObjectReader, UnreadableObjectError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

__all__ = ["SPARE_WORK", "fields_of", "last_object", "structured_values"]

SPARE_WORK = 20_000
"""Characters that may be looked at more than once before reading stops."""

_LEVEL_WORK = 30
"""What giving up one opened object costs, in characters."""

_OPENING = re.compile(r"[\[{]")
_PLAIN_LIST = re.compile(r"(?>(?:[\[\]., \n-]|[0-9]{1,15}(?![0-9]))*)")
_BRACKET = re.compile(r"[\[\]]")


@lru_cache(maxsize=4)
def structured_values(text: str) -> list[dict[str, object] | list[object]]:
    """Return the outermost JSON objects and lists of a text in their order; what cannot be read is skipped.

    Callers must not change them: the last results are kept, because a reply is looked through for several names.
    """
    found: list[dict[str, object] | list[object]] = []
    at, work, most = 0, 0, len(text) + SPARE_WORK
    while work < most and (opening := _OPENING.search(text, at)):
        start = opening.start()
        value, stop = _object(text, start) if opening[0] == "{" else _list(text, start)
        work += stop - start + 1
        if value is None:
            work += _LEVEL_WORK * (1 + text.count("{", start, stop))
        else:
            found.append(value)
        at = start + 1 if value is None else stop
    return found


def _object(text: str, start: int) -> tuple[dict[str, object] | None, int]:
    reader = ObjectReader(text, start)
    try:
        return reader.read(), reader.position
    except UnreadableObjectError:
        return None, reader.position


def _list(text: str, start: int) -> tuple[list[object] | None, int]:
    """Read a list as the one field of an object, because the reader reads objects; lists of numbers directly."""
    stop, closed = _closing(text, start)
    if not closed:
        return None, stop
    if _PLAIN_LIST.fullmatch(text, start, stop):
        with suppress(ValueError):
            return json.loads(text[start:stop]), stop
    value, _ = _object(f'{{"list":{text[start:stop]}}}', 0)
    entries = value.get("list") if value else None
    return (entries if isinstance(entries, list) else None), stop


def _closing(text: str, start: int) -> tuple[int, bool]:
    """Return the end of the bracket that opens at `start`, or how far was looked in vain."""
    depth, at = 0, start
    for bracket in _BRACKET.finditer(text, start):
        at = bracket.end()
        depth += 1 if bracket[0] == "[" else -1
        if depth == 0:
            return at, True
        if depth > MAX_DEPTH:
            return at, False
    return len(text), False


def last_object(text: str, names: Collection[str]) -> dict[str, object] | None:
    """Return the fields of the last object that has one of the names, itself or one level down.

    Names are compared in lower case with `_` for spaces and hyphens.
    """
    holding: dict[str, object] | None = None
    for value in structured_values(text):
        for fields in _levels(value):
            if any(not isinstance(fields.get(name, {}), dict) for name in names):
                holding = fields
                break
    return holding


def _levels(value: object) -> Iterator[dict[str, object]]:
    if isinstance(value, dict):
        yield fields_of(value)
        for part in value.values():
            if isinstance(part, dict):
                yield fields_of(part)


def fields_of(value: dict[str, object]) -> dict[str, object]:
    """Return the object with its keys in lower case and `_` for spaces and hyphens."""
    return {re.sub(r"[\s-]+", "_", key.strip().lower()): part for key, part in value.items()}
