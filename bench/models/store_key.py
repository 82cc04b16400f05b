"""Under which key a reply is stored, what came of storing it, and what asks of a store."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from bench.models.types import Request, Response

__all__ = ["Store", "StoreKey", "StoreResult", "reply_key"]


def reply_key(identity: dict[str, Any], request: Request, item_id: str) -> str:
    """Return the store's key: SHA-256 over everything that can change a reply, as 64 hex digits.

    `identity` is the model's side (provider, endpoint, name, client version), `ask` the question's
    (settings, text, picture bytes, schema, repeat number). The item's id is part of it because 59 pictures of
    PlotChain v4 are copies of others: each item is a sample of its own, asked once, in every order of tests.
    """
    content = json.dumps([identity, request.digest, item_id], sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreKey:
    """Under which key and with which notes a reply is stored; `replace` where an older one is to go."""

    key: str
    identity: dict[str, Any]
    case_id: str
    repeat: int
    replace: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreResult:
    """The reply that counts.

    `received` is the reply that came, where another run's counts; `trouble` says in one line why it is not stored.
    """

    reply: Response
    received: Response | None = None
    trouble: str | None = None


class Store(Protocol):
    """Keeps replies that were paid for."""

    def get(self, key: str) -> Response | None:
        """Return the stored reply, or None.

        Raises:
            DataError: it cannot be read back.
        """
        ...

    def file(self, reply: Response, store_key: StoreKey) -> StoreResult:
        """Store a reply that is no failure and return the one that counts: another run's, where that was first."""
        ...

    def close(self) -> None:
        """Close it; harmless when repeated."""
        ...
