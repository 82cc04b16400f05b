"""Finding the JSON object in a model's reply: total, bounded, and it says which rule found it.

Tried in this order, each with the repairs of `scorers.object_reader`:

1. `direct`: the whole text is one object.
2. `fenced`: an object inside a Markdown code fence (a fence left open ends with the text).
3. `embedded`: an object anywhere in the text; a list around it and prose beside it are ignored.

Thinking blocks are dropped before 2 and 3. The first object in that order that holds an expected
field wins; without one, the first object. An object without an expected field may hold one that has
it one level down, `{"answer": {...}}`: that one is taken (`nested`). Field names must match exactly,
case included. Several objects are never merged.

Bounds: only the last `MAX_CHARS` characters are looked at, because models think first and answer
last (`tail` in the rule says it happened), and reading stops after `MAX_WORK` characters in all, so
that a text made to be read again and again still ends.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from scorers.json_values import MAX_DEPTH
from scorers.object_reader import ObjectReader, UnreadableObjectError
from scorers.thinking import without_thinking

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

__all__ = [
    "MAX_CHARS",
    "MAX_WORK",
    "SPARE_WORK",
    "Extraction",
    "extract_object",
    "fields_of",
    "last_object",
    "structured_values",
]

MAX_CHARS = 100_000
MAX_WORK = 500_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """The object that was found, JSON-safe, and the rule; `answer` is None when there was none."""

    answer: dict[str, object] | None
    rule: str


@dataclass(slots=True, kw_only=True)
class _Budget:
    left: int


def extract_object(text: str, expected: Collection[str]) -> Extraction:
    """Find the object that answers the expected fields; any text gets a verdict.

    The rule reads like "fenced", "embedded, comment, trailing comma" or "none".
    """
    seen = text[-MAX_CHARS:]
    cut = ["tail"] if len(text) > MAX_CHARS else []
    first: Extraction | None = None
    for candidate in _candidates(seen, _Budget(left=MAX_WORK)):
        answer = candidate.answer or {}
        if not expected or any(name in answer for name in expected):
            return _with_notes(candidate, answer, cut)
        nested = _nested(answer, expected)
        if nested is not None:
            return _with_notes(candidate, nested, ["nested", *cut])
        first = first or _with_notes(candidate, answer, cut)
    return first or Extraction(answer=None, rule=", ".join(["none", *cut]))


def _with_notes(candidate: Extraction, answer: dict[str, object], notes: list[str]) -> Extraction:
    return Extraction(answer=answer, rule=", ".join([candidate.rule, *notes]))


def _nested(answer: dict[str, object], expected: Collection[str]) -> dict[str, object] | None:
    for value in answer.values():
        if isinstance(value, dict) and any(name in value for name in expected):
            return value
    return None


def _candidates(text: str, budget: _Budget) -> Iterator[Extraction]:
    yield from _direct(text, budget)
    visible = without_thinking(text)
    for body in visible.split("```")[1::2]:
        yield from _objects(body, "fenced", budget)
    yield from _objects(visible, "embedded", budget)


def _direct(text: str, budget: _Budget) -> Iterator[Extraction]:
    whole = text.strip()
    if not whole.startswith("{"):
        return
    reader = ObjectReader(whole, 0)
    found = _read(reader, budget)
    if found is not None and reader.position == len(whole):
        yield Extraction(answer=found, rule=", ".join(["direct", *reader.forgiven]))


def _objects(text: str, where: str, budget: _Budget) -> Iterator[Extraction]:
    start = text.find("{")
    while start >= 0 and budget.left > 0:
        reader = ObjectReader(text, start)
        found = _read(reader, budget)
        if found is not None:
            yield Extraction(answer=found, rule=", ".join([where, *reader.forgiven]))
        start = text.find("{", start + 1 if found is None else reader.position)


def _read(reader: ObjectReader, budget: _Budget) -> dict[str, object] | None:
    start = reader.position
    try:
        return reader.read()
    except UnreadableObjectError:
        return None
    finally:
        budget.left -= reader.position - start + 1


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
