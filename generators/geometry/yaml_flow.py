"""YAML's one-line lists and mappings, `[a, 1]` and `{key: value}`, JSON among them."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from generators.items import JsonValue

__all__ = ["FlowError", "read_flow"]

_QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^']|'')*'")
_PLAIN = re.compile(r"[^\s,\[\]{}:\"'](?:[^,\[\]{}:]|:(?=\S))*")
_SPACE = re.compile(r"\s*")
_MAX_DEPTH = 16


class FlowError(ValueError):
    """The text is no such list or mapping; the message says what was expected where."""


def read_flow(text: str, plain: Callable[[str], JsonValue]) -> JsonValue:
    """Read a list, a mapping or a quoted text that takes up the whole text; `plain` gives unquoted words' values.

    Raises:
        FlowError: it cannot be read.
    """
    reader = _Reader(text, plain)
    value = reader.value(1)
    if reader.peek():
        raise reader.fault("nothing more")
    return value


class _Reader:
    def __init__(self, text: str, plain: Callable[[str], JsonValue]) -> None:
        self._text = text
        self._plain = plain
        self._at = 0

    def value(self, depth: int) -> JsonValue:
        opening = self.peek()
        if depth > _MAX_DEPTH:
            raise self.fault(f"at most {_MAX_DEPTH} levels")
        if opening == "[":
            return self._list(depth)
        if opening == "{":
            return self._mapping(depth)
        return self._scalar()

    def _list(self, depth: int) -> JsonValue:
        found: list[JsonValue] = []
        self._at += 1
        while self.peek() != "]":
            found.append(self.value(depth + 1))
            self._separator("]")
        self._at += 1
        return found

    def _mapping(self, depth: int) -> JsonValue:
        found: dict[str, JsonValue] = {}
        self._at += 1
        while self.peek() != "}":
            key = str(self._scalar())
            if self.peek() != ":" or key in found:
                raise self.fault("`:` after a key that comes once")
            self._at += 1
            found[key] = self.value(depth + 1)
            self._separator("}")
        self._at += 1
        return found

    def _scalar(self) -> JsonValue:
        opening = self.peek()
        quoted = opening in {'"', "'"}
        match = (_QUOTED if quoted else _PLAIN).match(self._text, self._at)
        if match is None:
            raise self.fault("a value")
        self._at = match.end()
        if not quoted:
            return self._plain(match[0].strip())
        return str(json.loads(match[0])) if opening == '"' else match[0][1:-1].replace("''", "'")

    def _separator(self, closer: str) -> None:
        if self.peek() == ",":
            self._at += 1
        elif self.peek() != closer:
            raise self.fault(f"`,` or `{closer}`")

    def peek(self) -> str:
        space = _SPACE.match(self._text, self._at)
        self._at = space.end() if space else self._at
        return self._text[self._at : self._at + 1]

    def fault(self, expected: str) -> FlowError:
        return FlowError(f"expected {expected} at character {self._at + 1}")
