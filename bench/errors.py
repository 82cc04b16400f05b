"""Every error eyechart raises on purpose, by who must act; and how an address is shown in one."""

from __future__ import annotations

__all__ = ["DataError", "EyechartError", "UserError", "without_login"]


class EyechartError(Exception):
    """Root of all errors; the message is one line: expected, received, which item, what to do."""


class UserError(EyechartError):
    """The person running the benchmark must change an option, a key or a path."""


class DataError(EyechartError):
    """A file holds something that cannot be used; the message names file and line."""


def without_login(address: str) -> str:
    """Return an address as it may be shown: what stands before its last `@` can hold a password after a colon."""
    login, _, rest = address.rpartition("@")
    return f"…@{rest}" if ":" in login else address
