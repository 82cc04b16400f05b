"""Reading the part of YAML in which manifests are written; no YAML library is needed.

Understood: block mappings and lists, nested by spaces; plain, 'single' and "double" quoted scalars; `[...]` and
`{...}` on one line; comments; `---` at the beginning; a whole file in JSON.
Refused with line number: tabs, anchors, tags, block texts (`|`, `>`), several documents, a key given twice.
Nothing is executed and no object is built but dictionaries, lists, texts, numbers, booleans and None.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from generators.geometry.yaml_flow import read_flow

if TYPE_CHECKING:
    from generators.items import JsonValue

__all__ = ["YamlError", "read_yaml"]

_KEY = re.compile(
    r"""(?P<key>"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s#'"\[\]{},&*!|>%@`-][^#:]*?|-[^\s#:]+)\s*:(?:\s+|$)"""
)
_COMMENT = re.compile(r"(?:^|\s)#.*$")
_INTEGER = re.compile(r"[+-]?(?:0|[1-9][0-9]{0,17})")
_FLOAT = re.compile(r"[+-]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")
_WORDS: dict[str, JsonValue] = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip
_REFUSED = {"&": "anchor", "*": "alias", "!": "tag", "|": "block text", ">": "block text"}
_MAX_DEPTH = 16


class YamlError(ValueError):
    """The text is not in the part of YAML that is understood; the message names line, expected and got."""


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    indent: int
    text: str


def read_yaml(text: str) -> JsonValue:
    """Return the document's value.

    Raises:
        YamlError: see above.
    """
    if text.lstrip().startswith("{"):
        return _json(text.strip(), 1)
    lines = [line for number, raw in enumerate(text.splitlines(), start=1) if (line := _line(number, raw))]
    if lines and lines[0].text == "---":
        lines = lines[1:]
    if not lines:
        return None
    value, rest = _block(lines, 0, lines[0].indent, 1)
    if rest < len(lines):
        raise _fault(lines[rest], "one document with even indentation")
    return value


def _line(number: int, raw: str) -> _Line | None:
    text = raw.rstrip()
    indent = len(text) - len(text.lstrip(" "))
    if text[indent : indent + 1] == "\t":
        raise YamlError(f"line {number}: expected spaces as indentation, got a tab")
    body = text[indent:]
    if "#" in body and not body.startswith(('"', "'")) and '"' not in body and "'" not in body:
        body = _COMMENT.sub("", body).rstrip()
    return None if not body or body.startswith("#") else _Line(number, indent, body)


def _block(lines: list[_Line], at: int, indent: int, depth: int) -> tuple[JsonValue, int]:
    if depth > _MAX_DEPTH:
        raise _fault(lines[at], f"at most {_MAX_DEPTH} levels")
    if lines[at].text == "-" or lines[at].text.startswith("- "):
        return _sequence(lines, at, indent, depth)
    return _mapping(lines, at, indent, depth)


def _sequence(lines: list[_Line], at: int, indent: int, depth: int) -> tuple[JsonValue, int]:
    found: list[JsonValue] = []
    while at < len(lines) and lines[at].indent == indent and (lines[at].text + " ").startswith("- "):
        rest = lines[at].text[1:].lstrip(" ")
        inner = indent + len(lines[at].text) - len(rest)
        if rest and (_KEY.match(rest) or rest.startswith("- ")):
            lines[at] = _Line(lines[at].number, inner, rest)
            value, at = _block(lines, at, inner, depth + 1)
        elif rest:
            value, at = _scalar(rest, lines[at]), at + 1
        else:
            value, at = _nested(lines, at + 1, indent + 1, depth)
        found.append(value)
    return found, at


def _mapping(lines: list[_Line], at: int, indent: int, depth: int) -> tuple[JsonValue, int]:
    found: dict[str, JsonValue] = {}
    while at < len(lines) and lines[at].indent == indent and not (lines[at].text + " ").startswith("- "):
        line = lines[at]
        match = _KEY.match(line.text)
        if match is None:
            raise _fault(line, "`key: value`")
        key = str(_scalar(match["key"], line))
        if key in found:
            raise _fault(line, "each key once")
        rest = line.text[match.end() :]
        if rest:
            found[key], at = _scalar(rest, line), at + 1
        else:
            follows = at + 1 < len(lines) and (lines[at + 1].text + " ").startswith("- ")
            found[key], at = _nested(lines, at + 1, indent if follows else indent + 1, depth)
    return found, at


def _nested(lines: list[_Line], at: int, least: int, depth: int) -> tuple[JsonValue, int]:
    """Read what is indented by at least so much, or None where nothing is."""
    if at >= len(lines) or lines[at].indent < least:
        return None, at
    return _block(lines, at, lines[at].indent, depth + 1)


def _scalar(text: str, line: _Line) -> JsonValue:
    if text[0] in _REFUSED:
        raise _fault(line, f"no {_REFUSED[text[0]]}")
    if text[0] not in "[{\"'":
        return _plain(text)
    try:
        return read_flow(text, _plain)
    except ValueError as error:
        raise YamlError(f"line {line.number}: {error} of {text[:60]!r}") from error


def _plain(text: str) -> JsonValue:
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        return int(text)
    return float(text) if _FLOAT.fullmatch(text) else text


def _json(text: str, number: int) -> JsonValue:
    try:
        value: JsonValue = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise YamlError(f"line {number}: expected JSON, got {error}") from error
    return value


def _refuse(name: str) -> float:
    raise ValueError(f"{name}, which is no number")


def _fault(line: _Line, expected: str) -> YamlError:
    return YamlError(f"line {line.number}: expected {expected}, got {line.text[:60]!r}")
