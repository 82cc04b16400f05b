"""API keys: read from the environment, checked, and kept out of everything that is shown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bench.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Key", "bearer_headers", "read_key"]

HIDDEN = "[key]"
SHORTEST_ECHO = 6
SHORTEST_SECRET = 16
WORD = re.compile(r"[^\s\"'`,;:(){}\[\]<>=]+")


class Key:
    """An API key that shows itself to nobody who does not call `reveal`."""

    __slots__ = ("_value", "variable")

    def __init__(self, value: str, *, variable: str) -> None:
        self._value = value
        self.variable = variable

    def __repr__(self) -> str:
        return f"Key(from {self.variable})"

    __str__ = __repr__

    def __reduce__(self) -> str:
        raise TypeError("a key is not written anywhere: read it from the environment again")

    def reveal(self) -> str:
        """Return the key itself, for a request header and nothing else."""
        return self._value

    def redact(self, text: str) -> str:
        """Return `text` without the key: whole, or as servers echo it (its beginning, then stars)."""
        text = text.replace(self._value, HIDDEN)
        return WORD.sub(lambda word: HIDDEN if self._echoes(word[0]) else word[0], text)

    def hide_in_answer(self, text: str) -> str:
        """Return a model's text without the key; one so short that it may be part of any answer is no secret."""
        return text if len(self._value) < SHORTEST_SECRET else text.replace(self._value, HIDDEN)

    def _echoes(self, word: str) -> bool:
        head = self._value[:SHORTEST_ECHO]
        return len(head) == SHORTEST_ECHO and word.startswith(head)


def bearer_headers(key: Key | None) -> dict[str, str]:
    """Return the header that carries a key as bearer token, or none without a key."""
    return {"authorization": f"Bearer {key.reveal()}"} if key else {}


def read_key(variable: str, environ: Mapping[str, str], *, needed_by: str | None) -> Key | None:
    """Read a key from the environment variable; `needed_by` is the model that cannot do without it.

    Raises:
        UserError: The variable is needed and not set, or holds what no key can be. The value is never shown.
    """
    value = environ.get(variable)
    if value is None:
        if needed_by is None:
            return None
        raise UserError(f"{needed_by} needs an API key: set the environment variable {variable}")
    if not value.strip():
        raise UserError(f"{variable} is set but empty: set it to the API key, or unset it")
    if not value.isascii() or not value.isprintable() or " " in value:
        raise UserError(
            f"{variable} holds a space, a line break or a character that no API key has: "
            "check how it was pasted (the value is not shown)"
        )
    return Key(value, variable=variable)
