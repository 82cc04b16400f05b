"""Typed values of a manifest entry; every fault is one line."""

from __future__ import annotations

import math
import re
import reprlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generators.items import JsonValue

__all__ = ["EntryFault", "fault", "file_name", "is_number", "number", "optional_number", "text", "whole"]

_SAFE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}")


class EntryFault(ValueError):  # noqa: N818
    """One fault: what was expected, what came, what to do; without file and entry."""


def fault(expected: str, got: object, remedy: str) -> EntryFault:
    """Make a fault."""
    return EntryFault(f"expected {expected}, got {reprlib.repr(got)}; {remedy}")


def text(entry: Mapping[str, JsonValue], key: str) -> str:
    """Return a text.

    Raises:
        EntryFault: it is absent or something else.
    """
    value = entry.get(key)
    if not isinstance(value, str) or not value.strip():
        raise fault(f"{key} as a text", value, "add it")
    return value


def file_name(entry: Mapping[str, JsonValue], key: str) -> str:
    """Return a path relative to the folder, of plain names, that stays in it.

    Raises:
        EntryFault: it is absent or another path.
    """
    value = text(entry, key)
    if not all(_SAFE_NAME.fullmatch(part) for part in value.split("/")):
        raise fault(
            f"{key} as a path inside the folder, of letters, digits, '_', '-' and '.'", value, "rename the file"
        )
    return value


def is_number(value: JsonValue) -> bool:
    """Whether it is a finite number, and no boolean."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def optional_number(entry: Mapping[str, JsonValue], key: str) -> float | None:
    """Return a number, None where it is absent.

    Raises:
        EntryFault: it is no number.
    """
    return None if entry.get(key) is None else number(entry, key)


def number(entry: Mapping[str, JsonValue], key: str, default: float | None = None) -> float:
    """Return a number of at least 0.

    Raises:
        EntryFault: it is absent, and has no default, or something else.
    """
    value = entry.get(key, default)
    if not isinstance(value, int | float) or not is_number(value) or value < 0:
        raise fault(f"{key} as a number of at least 0", value, "mend it")
    return value


def whole(entry: Mapping[str, JsonValue], key: str, default: int | None = None) -> int:
    """Return a whole number of at least 0.

    Raises:
        EntryFault: it is absent, and has no default, or something else.
    """
    value = entry.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise fault(f"{key} as a whole number of at least 0", value, "mend it")
    return value
