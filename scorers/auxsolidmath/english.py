r"""English wording of numbers and operations, brought to signs where a value stands.

Numerals count only where a value is stated: at the beginning, in a box, or behind `=`, `:`, "is" and the like, and
before an end, a unit or a sign. "one of the edges" and "the two planes" stay as they are.
"""

from __future__ import annotations

import re

__all__ = ["in_signs"]

_ONES = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17, "eighteen": 18, "nineteen": 19,
}  # fmt: skip
_TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
_PARTS = {
    "half": 2, "halves": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7,
    "eighth": 8, "ninth": 9, "tenth": 10, "twelfth": 12,
}  # fmt: skip
_ONE = "|".join(sorted(_ONES, key=len, reverse=True))
_TEN = "|".join(_TENS)
_BELOW_100 = rf"(?:(?:{_TEN})(?:[- ](?:{_ONE}))?|{_ONE})"
_WHOLE = rf"(?:(?:{_ONE}) hundred(?:(?: and)? {_BELOW_100})?|{_BELOW_100})"
_PART = rf"(?:{'|'.join(word if word.endswith('es') else word + 's?' for word in _PARTS)})"
_FRACTION = rf"(?:{_WHOLE}[- ]{_PART}|half)"
_NUMERAL = (
    rf"(?P<both>(?P<count>{_WHOLE}) and (?:an? )?(?P<rest>{_FRACTION}))"
    rf"|(?P<fraction>{_FRACTION})|(?P<decimal>{_WHOLE}) point (?P<places>(?:(?:{_ONE})\s?){{1,6}}(?<=\w))"
    rf"|(?P<whole>{_WHOLE})"
)
_BEFORE = (
    r"(?P<before>(?:^|[{=≈:]|\b(?:is|equals|equal to|be|exactly|about|approximately|gives)\b|[为是]|√|[*/])"
    r"[ $*]{0,4}(?:the |an? )?(?:minus )?[ -]{0,3})"
)
_BEHIND = (
    r"(?=[\s$]{0,3}(?:$|[.,;!)}(√*/°]|π|\\frac|\\sqrt|(?:pi|times|over|degrees?|rad|radians?|(?:cubic|square) \w+"
    r"|units?|cm|mm|m|root|or)\b|\n))"
)
_NUMERALS = re.compile(f"{_BEFORE}(?:{_NUMERAL}){_BEHIND}", re.IGNORECASE | re.MULTILINE)
_START = r"(?=[\s$]{0,3}(?:[0-9√π(\\]|" + _FRACTION + "|" + _WHOLE + r"))"
_VALUE_END = r"(?<=[0-9π°})])"
_RADICAND = rf"(?=[\s$]{{0,3}}(?:[0-9]+(?![0-9./ ]*/| (?:over|divided))|{_ONE}))"
_DEGREES = r"(?=[\s$]{0,3}[0-9.]+\s?°)"
_SIGNS = tuple(
    (re.compile(pattern, re.IGNORECASE | re.MULTILINE), sign)
    for pattern, sign in (
        (rf"\b(?:the )?(?:positive )?square root of{_RADICAND}", "√ "),
        (rf"\b(?:the )?cube root of{_RADICAND}", "∛ "),
        (rf"{_VALUE_END}[\s$]{{0,3}}\bdivided by\b{_START}", "/ "),
        (rf"\b(?:plus or minus|plus[- ]minus)\b{_START}", "± "),
        (rf"\b(?:negative|neg)\b{_START}", "- "),
        (rf"{_BEFORE}twice(?: the)?\b(?=[\s$]{{0,3}}[0-9√\\])", r"\g<before>2* "),
        (rf"{_BEFORE}half(?: of)?(?: the)?\b(?=[\s$]{{0,3}}[0-9√\\])", r"\g<before>1/2* "),
        (r"(?<=[0-9]) and (?:a|one) half\b", " 1/2 "),
        (rf"\b(?:the )?cosine of{_DEGREES}", "cos "),
        (rf"\b(?:the )?sine of{_DEGREES}", "sin "),
        (rf"\b(?:the )?tangent of{_DEGREES}", "tan "),
    )
)
_MOST_NUMERALS = 3


def in_signs(text: str) -> str:
    """Return the text with worded numbers and operations as signs of the grammar; linear in its length."""
    for pattern, sign in _SIGNS:
        text = pattern.sub(sign, text)
    for _ in range(_MOST_NUMERALS):
        text = _NUMERALS.sub(_written, text)
    return text


def _written(found: re.Match[str]) -> str:
    before = found["before"]
    if found["both"]:
        return f"{before}{_whole(found['count'])} {_fraction(found['rest'])}"
    if found["fraction"]:
        return f"{before}{_fraction(found['fraction'])}"
    if found["decimal"]:
        places = "".join(str(_ONES[word]) for word in found["places"].lower().split())
        return f"{before}{_whole(found['decimal'])}.{places}"
    return f"{before}{_whole(found['whole'])}"


def _fraction(text: str) -> str:
    words = text.lower()
    if words == "half":
        return "1/2"
    upper, _, part = words.replace("-", " ").rpartition(" ")
    return f"{_whole(upper)}/{_PARTS.get(part) or _PARTS[part.removesuffix('s')]}"


def _whole(text: str) -> int:
    value = 0
    for word in text.lower().replace("-", " ").split():
        if word == "hundred":
            value *= 100
        else:
            value += _ONES.get(word) or _TENS.get(word, 0)
    return value
