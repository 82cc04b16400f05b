"""Values in answers: which literals are numbers, and a form that every JSON writer takes."""

from __future__ import annotations

import math
import re

__all__ = ["MAX_DEPTH", "NUMBER", "decimal_or_none", "json_safe", "number_value", "without_lone_surrogates"]

MAX_DEPTH = 32
_EXACT_INTEGER_CHARS = 16

# An atomic group, not `(...)?+`: up to Python 3.11.4 that takes a part of the group too (CPython's issue 106052).
NUMBER = re.compile(r"[+\-\u2212]?(?:[0-9]++(?>(?:\.[0-9]*+)?)|\.[0-9]++)(?>(?:[eE][+\-\u2212]?[0-9]++)?)")


def decimal_or_none(literal: str) -> float | None:
    """Read a plain decimal number, or None for any other text or a number beyond the doubles.

    Accepted: ASCII digits with one sign (U+2212 too), one point, an exponent, spaces around.
    Refused, although Python's float takes some: `1_000`, `nan`, `inf`, other scripts' digits;
    and units, percent signs, thousands separators, fractions.
    """
    stripped = literal.strip()
    if not NUMBER.fullmatch(stripped):
        return None
    value = float(stripped.replace("\u2212", "-"))
    return value if math.isfinite(value) else None


def json_safe(value: object, depth: int = 1) -> object:
    """Bring a value parsed elsewhere to the form this reader gives: JSON-safe, at most `MAX_DEPTH` deep."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return _safe_number(value)
    if isinstance(value, dict | list) and depth > MAX_DEPTH:
        return "nested too deeply"
    if isinstance(value, dict):
        return {without_lone_surrogates(str(key)): json_safe(part, depth + 1) for key, part in value.items()}
    if isinstance(value, list):
        return [json_safe(part, depth + 1) for part in value]
    return without_lone_surrogates(str(value))


def number_value(literal: str) -> int | float | str:
    """Return the value of a literal that `NUMBER` matched, or the literal when no double holds it."""
    plain = literal.replace("\u2212", "-")
    if len(plain) <= _EXACT_INTEGER_CHARS and plain.lstrip("+-").isdigit():
        return int(plain)
    value = decimal_or_none(plain)
    return literal if value is None else value


def _safe_number(value: float) -> int | float | str:
    if isinstance(value, int) and abs(value) < 10**_EXACT_INTEGER_CHARS:
        return value
    try:
        number = float(value)
    except OverflowError:
        return "an integer beyond the doubles"
    return number if math.isfinite(number) else str(number)


def without_lone_surrogates(text: str) -> str:
    """Replace halves of surrogate pairs by U+FFFD: they cannot be written as UTF-8."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
