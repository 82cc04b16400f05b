"""Numbers in prose: digits with thousands separators, words, decimals, and what makes one no commitment."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

__all__ = ["NUMBER", "Quantity", "committed_value", "is_hedged", "quantities", "value_of"]

_UNITS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = {
    name: 20 + 10 * place
    for place, name in enumerate(("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"))
}
_WORDS = {name: value for value, name in enumerate(_UNITS)} | _TENS | {"fourty": 40, "none": 0}
_WORD = "|".join(sorted([*_WORDS, "hundred"], key=len, reverse=True))
_WORDED = rf"(?:a[ ]hundred|(?:{_WORD}))(?:(?:[ -]|[ ]and[ ])(?:{_WORD})){{0,4}}"
_DIGITS = r"[0-9]{1,3}(?:[,'\u2009][0-9]{3})+(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?|\.[0-9]+"
_EXPONENT = r"(?:[eE][+-]?[0-9]{1,3})?"

NUMBER = (
    rf"(?:(?<![\w.])[+-]?(?:{_DIGITS}){_EXPONENT}(?![0-9A-Za-z_½¼¾]|\.[0-9])|(?<![\w-])(?:{_WORDED})(?![\w-]))"
)
"""A number as digits or words, never a part of one; a sign counts only in front of digits."""

_NUMBER = re.compile(NUMBER, re.IGNORECASE)
_UNIT = r"(?:\s?(?:µm|um|nm|mm|px|pixels?|microns?|micromet(?:er|re)s?|spots?|dots?|circles?))?"
_RANGE = re.compile(
    rf"(?:{NUMBER}){_UNIT},?\s{{0,3}}(?:-|to|or|up to|through|~|/|…)\s{{0,3}}~?(?:{NUMBER})(?!\s{{0,2}}=)"
    rf"|between\s+(?:about\s+|around\s+)?(?:{NUMBER}){_UNIT}\s+and\s+(?:{NUMBER})",
    re.IGNORECASE,
)
_BOUND_BEFORE = re.compile(
    r"(?:at least|at most|more than|less than|fewer than|greater than|over|under|up to|no more than|not more than|"
    r"minimum of|maximum of|upwards of|in excess of|(?<![=-])[<>≥≤])\s{0,3}$",
    re.IGNORECASE,
)
_BOUND_AFTER = re.compile(r"\s{0,2}(?:\+(?!\s{0,2}[0-9])|or (?:more|fewer|less)\b|plus\b)", re.IGNORECASE)
_BEFORE_CHARS = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """A number in a text: its value and where it stands; `hedged` if it is part of a range or a mere bound."""

    value: float
    start: int
    end: int
    hedged: bool


def value_of(literal: str) -> float | None:
    """Read digits (thousands separators allowed) or words; None for what is neither or beyond all use."""
    plain = re.sub(r"[,'\u2009]", "", literal)
    if re.fullmatch(rf"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+){_EXPONENT}", plain):
        return float(plain)
    words = re.findall(r"[a-z]+", literal.lower())
    return _spoken(words) if words and all(word in {*_WORDS, "a", "hundred", "and"} for word in words) else None


def _spoken(words: list[str]) -> float:
    total = 0
    for word in words:
        if word == "hundred":
            total = max(total, 1) * 100
        else:
            total += _WORDS.get(word, 0)
    return float(total)


def quantities(text: str) -> list[Quantity]:
    """Find the numbers of a text in their order."""
    ranges = [match.span() for match in _RANGE.finditer(text)]
    found: list[Quantity] = []
    place = 0
    for match in _NUMBER.finditer(text):
        while place < len(ranges) and ranges[place][1] < match.end():
            place += 1
        in_range = place < len(ranges) and ranges[place][0] <= match.start()
        hedged = in_range or is_hedged(text, match.start(), match.end())
        value = value_of(match[0])
        number = math.nan if value is None else value
        found.append(Quantity(value=number, start=match.start(), end=match.end(), hedged=hedged))
    return found


def is_hedged(text: str, start: int, end: int) -> bool:
    """Whether the number at that place is only a bound ("at least 40", "100+")."""
    before = text[max(0, start - _BEFORE_CHARS) : start]
    return bool(_BOUND_BEFORE.search(before) or _BOUND_AFTER.match(text, end))


def committed_value(text: str) -> float | None:
    """Return the first number of a text, or None when there is none or it is hedged."""
    found = quantities(text)
    return None if not found or found[0].hedged else found[0].value
