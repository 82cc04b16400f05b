"""A reply as JSON-safe content and back, for the store and for records."""

from __future__ import annotations

import base64
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

from bench.models.protocol import Reply, Usage

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["reply_from_json", "reply_to_json"]


def reply_to_json(reply: Reply) -> dict[str, Any]:
    """Return a JSON-safe copy; pictures as base64 text."""
    content = asdict(reply)
    content["pictures"] = [base64.b64encode(picture).decode() for picture in reply.pictures]
    return content


def reply_from_json(content: Mapping[str, Any]) -> Reply:
    """Rebuild what `reply_to_json` wrote.

    Raises:
        KeyError: a part is missing.
        TypeError: a part is of another type.
        ValueError: the parts contradict each other.
    """
    pictures = tuple(base64.b64decode(text, validate=True) for text in content["pictures"])
    plain = {entry.name: content[entry.name] for entry in fields(Reply) if entry.name not in {"usage", "pictures"}}
    if not isinstance(plain["text"], str):
        raise TypeError(f"reply text must be str, got {plain['text']!r}")
    return Reply(**plain, usage=Usage(**content["usage"]), pictures=pictures)
