"""Reading manifests with PyYAML, without what a manifest has no need of: aliases, tags, dates, repeated keys."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from generators.items import JsonValue

__all__ = ["YamlError", "read_yaml"]

_MAX_DEPTH = 16
_TIMESTAMP = "tag:yaml.org,2002:timestamp"


class YamlError(ValueError):
    """The text is no YAML that a manifest may hold; the message is one line and names the place."""


class _Refused(yaml.YAMLError):
    """Well-formed YAML that a manifest has no need of."""

    def __init__(self, problem: str, problem_mark: object) -> None:
        super().__init__(problem)
        self.problem = problem
        self.problem_mark = problem_mark


class _ManifestLoader(yaml.SafeLoader):
    """Builds dictionaries, lists, texts, numbers, booleans and None, and nothing else.

    An alias could make a small file huge, a date would be an object, of a repeated key one value would be lost.
    """

    depth = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        event: yaml.Event = self.peek_event()  # type: ignore[no-untyped-call]
        if isinstance(event, yaml.AliasEvent):
            raise _Refused("found an alias", event.start_mark)
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise _Refused(f"found more than {_MAX_DEPTH} levels", event.start_mark)
        try:
            return super().compose_node(parent, index)
        finally:
            self.depth -= 1

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            if str(key.value) in seen:
                raise _Refused(f"found the key {key.value!r} twice", key.start_mark)
            seen.add(str(key.value))
        return super().construct_mapping(node, deep=deep)


_ManifestLoader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != _TIMESTAMP]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def read_yaml(text: str) -> JsonValue:
    """Return the document's value.

    Raises:
        YamlError: it is not well formed, or holds something a manifest has no need of.
    """
    try:
        value: JsonValue = yaml.load(text, Loader=_ManifestLoader)  # noqa: S506 - a SafeLoader with less
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise YamlError(_one_line(error)) from error
    if not _is_finite(value):
        raise YamlError("found a number that is not finite")
    return value


def _one_line(error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    place = "" if mark is None else f"line {mark.line + 1}: "
    return place + " ".join(str(getattr(error, "problem", None) or error).split())


def _is_finite(value: JsonValue) -> bool:
    if isinstance(value, dict):
        return all(_is_finite(part) for part in value.values())
    if isinstance(value, list):
        return all(_is_finite(part) for part in value)
    return not isinstance(value, float) or math.isfinite(value)
