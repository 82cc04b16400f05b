"""What the loopback server sends: ordinary answers and every way of going wrong on the wire."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Answer", "Behaviour", "ReceivedRequest", "json_answer"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivedRequest:
    """One request as it arrived; header names are lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One answer, and how badly it is sent.

    `hang` never sends a byte. `cut_after` resets the connection after that many bytes of the body. `drip_s`
    is the pause between single bytes. `declared_length` replaces the true content-length.
    """

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    hang: bool = False
    cut_after: int | None = None
    drip_s: float | None = None
    declared_length: int | None = None


Behaviour = Callable[[ReceivedRequest], Answer | None]
"""Decides what one request gets; None means the ordinary answer."""


def json_answer(content: Any, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Answer:
    """Return an answer whose body is `content` as JSON."""
    return Answer(
        status=status,
        headers={"content-type": "application/json", **(headers or {})},
        body=json.dumps(content).encode(),
    )
