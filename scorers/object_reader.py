"""A forgiving reader of one JSON object: bounded, without evaluation, noting what it forgave.

Read as json does: objects, lists, strings with escapes, numbers, true, false, null; of duplicate
keys the last wins. Forgiven, each noted under the name given here:

* `comment`: `// ...` and `# ...` to the end of the line, `/* ... */`; models copy the `// Hz` of the
  prompt's schema. A comment that swallowed the comma (`1 // Hz,`) stands for it.
* `trailing comma`: one before a closing bracket.
* `fraction`: number / number as a value, divided into a decimal.
* `number form`: a plus sign, `5.`, `.5`, leading zeros, the minus sign U+2212.
* `quotes`: single-quoted strings and unquoted identifier keys.
* `Python literal`: True, False, None.
* `not finite`: NaN and Infinity.

Refused, so that the object does not count as one: units or percent signs after a number, thousands
separators, other arithmetic, `<number or null>`, two commas, a missing comma or bracket, nesting
deeper than `json_values.MAX_DEPTH`. Values are JSON-safe: whatever no finite double can hold (NaN,
1e999, 1/0) is kept as the text that was written, and lone surrogates become U+FFFD.
"""

from __future__ import annotations

import json
import math
import re
from typing import NoReturn

from scorers.json_values import MAX_DEPTH, NUMBER, decimal_or_none, number_value, without_lone_surrogates

__all__ = ["ObjectReader", "UnreadableObjectError"]

_SPACE = re.compile(r"[\s\ufeff\u200b]++")
_DOUBLE_QUOTED = re.compile(r'"([^"\\]*+(?>(?:\\.[^"\\]*+)*))"', re.DOTALL)
_SINGLE_QUOTED = re.compile(r"'([^'\\]*+(?>(?:\\.[^'\\]*+)*))'", re.DOTALL)
_SINGLE_QUOTED_PART = re.compile(r'\\.|"', re.DOTALL)
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*+")
_JSON_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*+)(?>(?:\.[0-9]++)?)(?>(?:[eE][+-]?[0-9]++)?)")
_OVER = re.compile(r"[ \t]*+/(?![/*])[ \t]*+")
_WORD = re.compile(r"-?[A-Za-z]++")
_WORDS: dict[str, object] = {"true": True, "false": False, "null": None}
_PYTHON_WORDS: dict[str, object] = {"True": True, "False": False, "None": None}
_NOT_FINITE = frozenset({"NaN", "Infinity", "-Infinity"})


class UnreadableObjectError(ValueError):
    """No object can be read from this place."""


class ObjectReader:
    """Reads one object that begins at `position`, where the text must hold `{`.

    `position` only moves forward, over everything that was looked at, also when reading fails: the
    caller bounds its work by it. `forgiven` lists the repairs in the order they were first needed.
    """

    def __init__(self, text: str, position: int) -> None:
        self.text = text
        self.position = position
        self.forgiven: list[str] = []

    def read(self) -> dict[str, object]:
        """Read the object and leave `position` behind its closing bracket.

        Raises:
            UnreadableObjectError: it is not an object, not even with the repairs above.
        """
        return self._object(1)

    def _object(self, depth: int) -> dict[str, object]:
        self._open(depth)
        found: dict[str, object] = {}
        while self._peek() != "}":
            key = self._key()
            self._gap()
            if self._peek() != ":":
                self._fail()
            self.position += 1
            self._gap()
            found[key] = self._value(depth)
            self._separator("}")
        self.position += 1
        return found

    def _list(self, depth: int) -> list[object]:
        self._open(depth)
        found: list[object] = []
        while self._peek() != "]":
            found.append(self._value(depth))
            self._separator("]")
        self.position += 1
        return found

    def _open(self, depth: int) -> None:
        if depth > MAX_DEPTH:
            self._fail()
        self.position += 1
        self._gap()

    def _separator(self, closer: str) -> None:
        commented = self._gap()
        if self._peek() == ",":
            self.position += 1
            self._gap()
            if self._peek() == closer:
                self._note("trailing comma")
        elif self._peek() != closer and not commented:
            self._fail()

    def _key(self) -> str:
        if self._peek() in {'"', "'"}:
            return self._string()
        bare = _IDENTIFIER.match(self.text, self.position)
        if bare is None:
            self._fail()
        self._note("quotes")
        self.position = bare.end()
        return bare[0]

    def _value(self, depth: int) -> object:
        opening = self._peek()
        if opening == "{":
            return self._object(depth + 1)
        if opening == "[":
            return self._list(depth + 1)
        if opening in {'"', "'"}:
            return self._string()
        word = _WORD.match(self.text, self.position)
        return self._number() if word is None else self._word(word[0])

    def _string(self) -> str:
        double = self._peek() == '"'
        match = (_DOUBLE_QUOTED if double else _SINGLE_QUOTED).match(self.text, self.position)
        if match is None:
            self.position = len(self.text)
            self._fail()
        self.position = match.end()
        body = match[1]
        if not double:
            self._note("quotes")
            body = _SINGLE_QUOTED_PART.sub(_as_double_quoted, body)
        try:
            decoded = str(json.loads(f'"{body}"', strict=False))
        except ValueError as error:
            raise UnreadableObjectError(f"bad escape in a string before character {self.position}") from error
        return without_lone_surrogates(decoded)

    def _word(self, word: str) -> object:
        if word in _NOT_FINITE:
            self._note("not finite")
        elif word in _PYTHON_WORDS:
            self._note("Python literal")
        elif word not in _WORDS:
            self._fail()
        self.position += len(word)
        return (_WORDS | _PYTHON_WORDS).get(word, word)

    def _number(self) -> int | float | str:
        start = self.position
        literal = self._number_literal()
        over = _OVER.match(self.text, self.position)
        if over is None:
            return number_value(literal)
        self.position = over.end()
        top, bottom = decimal_or_none(literal), decimal_or_none(self._number_literal())
        self._note("fraction")
        if top is None or not bottom or not math.isfinite(top / bottom):
            return self.text[start : self.position]
        return top / bottom

    def _number_literal(self) -> str:
        match = NUMBER.match(self.text, self.position)
        if match is None:
            self._fail()
        if not _JSON_NUMBER.fullmatch(match[0]):
            self._note("number form")
        self.position = match.end()
        return match[0]

    def _gap(self) -> bool:
        """Skip spaces and comments; return whether a comment was among them."""
        commented = False
        while True:
            if spaces := _SPACE.match(self.text, self.position):
                self.position = spaces.end()
            if self.text.startswith(("//", "#"), self.position):
                self._skip_past("\n")
            elif self.text.startswith("/*", self.position):
                self._skip_past("*/")
            else:
                return commented
            commented = True
            self._note("comment")

    def _skip_past(self, end: str) -> None:
        found = self.text.find(end, self.position + len(end))
        self.position = len(self.text) if found < 0 else found + len(end)

    def _peek(self) -> str:
        return self.text[self.position : self.position + 1]

    def _note(self, repair: str) -> None:
        if repair not in self.forgiven:
            self.forgiven.append(repair)

    def _fail(self) -> NoReturn:
        raise UnreadableObjectError(f"no JSON object: character {self.position} is {self._peek()!r}")


def _as_double_quoted(part: re.Match[str]) -> str:
    return {"\\'": "'", '"': '\\"'}.get(part[0], part[0])
