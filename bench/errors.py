"""Every error eyechart raises on purpose, by who must act."""

from __future__ import annotations

__all__ = ["DataError", "EyechartError", "UserError"]


class EyechartError(Exception):
    """Root of all errors; the message is one line: expected, received, which item, what to do."""


class UserError(EyechartError):
    """The person running the benchmark must change an option, a key or a path."""


class DataError(EyechartError):
    """A file holds something that cannot be used; the message names file and line."""
