"""A reply as JSON-safe content and back, for the store and for records."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

from bench.models.parts import part_names, parts
from bench.models.protocol import Reply, Usage

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["reply_from_json", "reply_to_json"]


def reply_to_json(reply: Reply) -> dict[str, Any]:
    """Return a JSON-safe copy; pictures as base64 text."""
    return {
        **parts(reply),
        "usage": parts(reply.usage),
        "pictures": [base64.b64encode(picture).decode() for picture in reply.pictures],
    }


def reply_from_json(content: Mapping[str, Any]) -> Reply:
    """Rebuild what `reply_to_json` wrote.

    Raises:
        KeyError: a part is missing.
        TypeError: a part is of another type.
        ValueError: the parts contradict each other.
    """
    pictures = tuple(base64.b64decode(text, validate=True) for text in content["pictures"])
    plain = {name: content[name] for name in part_names(Reply) if name not in {"usage", "pictures"}}
    if not isinstance(plain["text"], str):
        raise TypeError(f"reply text must be str, got {plain['text']!r}")
    return Reply(**plain, usage=Usage(**content["usage"]), pictures=pictures)
