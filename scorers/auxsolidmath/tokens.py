"""Tokens of an answer in plain form."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from scorers.auxsolidmath.chinese import CHINESE_SIGNS, CHINESE_UNITS, chinese_number
from scorers.auxsolidmath.expression import DecimalLiteral
from scorers.auxsolidmath.units import UNIT_WORDS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["MAX_DIGITS", "SyntaxFault", "Token", "TokenKind", "tokenize"]

MAX_DIGITS = 30
"""Longest number read."""

TokenKind = Literal["number", "sign", "letter", "function", "unit"]


class SyntaxFault(ValueError):  # noqa: N818
    """The text is no expression of the grammar; the message is one clause."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A number with its value, a sign or bracket, a letter, a function's name, or a unit's word.

    `spaced` tells of a space before it.
    """

    kind: TokenKind
    text: str
    spaced: bool = False
    value: Fraction = Fraction(0)
    written: DecimalLiteral | None = None


_FUNCTIONS = {
    "arccos": "arccos", "acos": "arccos", "arccosine": "arccos", "arcsin": "arcsin", "asin": "arcsin",
    "arcsine": "arcsin", "arctan": "arctan", "atan": "arctan", "arctg": "arctan", "arctangent": "arctan",
    "arccot": "arccot", "arcctg": "arccot", "cos": "cos", "sin": "sin", "tan": "tan", "tg": "tan", "cot": "cot",
    "ctg": "cot", "sec": "sec", "csc": "csc",
}  # fmt: skip
_WORDS = {
    "sqrt": "√", "root": "√", "cbrt": "∛", "pi": "π", "times": "*", "over": "/", "plus": "+", "minus": "-",
    "degree": "°", "degrees": "°", "deg": "°", "rad": "rad", "rads": "rad", "radian": "rad", "radians": "rad",
    "percent": "%", "squared": "²", "cubed": "³",
}  # fmt: skip
_LONGEST_LETTERS = 4

_NUMBER = (
    r"(?P<ellipsis>[0-9]{1,20}\.[0-9]{0,20}?([0-9])\2{2,20}…)"
    r"|(?P<recurring>(?P<whole>[0-9]{1,30})\.(?:(?P<fixed>[0-9]{0,30})"
    r"(?:\\recurring\{(?P<line>[0-9]{1,20})\}"
    r"|(?P<dots>\\dot\{[0-9]\}(?:[0-9]{0,20}\\dot\{[0-9]\})?)"
    r"|\((?P<round>[0-9]{1,20})\))))"
    r"|(?P<scientific>[0-9]{1,20}(?:\.[0-9]{1,20}(?:[eE][-+]?|E)|[eE]\+?)[0-9]{1,2})(?![0-9.A-Za-z])"
    r"|(?P<number>(?:[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|[0-9]{1,3}(?:[ ][0-9]{3})+(?![0-9/])|[0-9]+)"
    r"(?:\.[0-9]+…?)?|\.[0-9]+…?)"
)
_TOKEN = re.compile(
    _NUMBER
    + r"|(?P<command>\\[a-z]+)"
    + r"|(?P<name>[A-Za-z](?:_\{[A-Za-z0-9]{1,5}\}|_[A-Za-z0-9]))"
    + r"|(?P<word>[A-Za-z]+)"
    + rf"|(?P<chinese_unit>{'|'.join(sorted(CHINESE_UNITS, key=len, reverse=True))})"
    + rf"|(?P<chinese_sign>{'|'.join(sorted(CHINESE_SIGNS, key=len, reverse=True))})"
    + r"|(?P<chinese>[零〇一二两三四五六七八九十百千万点]+)"
    + r"|(?P<greek>[αβγδεθλμρστφψωΩΔ])"
    + r"|(?P<sign>[-+*/^(){}\[\]°%π√±|:'\"²³])"
)
_COMMANDS = {"\\frac": "frac", "\\sqrt": "√"}


def tokenize(text: str, *, letters: frozenset[str] = frozenset()) -> list[Token]:
    """Split a text wholly into tokens.

    Args:
        text: the text in plain form.
        letters: parameters, which win over units and constants of the same name.

    Raises:
        SyntaxFault: something is no token, or a number is too long.
    """
    tokens: list[Token] = []
    at = 0
    while at < len(text):
        if text[at] in " $\n":
            at += 1
            continue
        found = _TOKEN.match(text, at)
        if found is None:
            raise SyntaxFault(f"cannot read {text[at : at + 12]!r}")
        spaced = at > 0 and text[at - 1] in " $\n"
        tokens.extend(_tokens(found, spaced, letters))
        at = found.end()
    return tokens


def _tokens(found: re.Match[str], spaced: bool, letters: frozenset[str]) -> list[Token]:
    kind, text = str(found.lastgroup), found[0]
    for group, make in _READERS.items():
        if found[group] is not None:
            return [make(found, spaced)]
    if kind == "word":
        return _word(text, spaced, letters)
    if kind in {"name", "greek"}:
        name = text.replace("{", "").replace("}", "")
        return [Token(kind="letter", text=name, spaced=spaced)]
    return [Token(kind="sign", text=text, spaced=spaced)]


def _word(text: str, spaced: bool, letters: frozenset[str]) -> list[Token]:
    known = _known_word(text, spaced, letters)
    if known is not None:
        return [known]
    function = next((name for name in _FUNCTIONS if text.startswith(name) and len(text) == len(name) + 1), None)
    if function is not None:
        return [
            Token(kind="function", text=_FUNCTIONS[function], spaced=spaced),
            Token(kind="letter", text=text[-1]),
        ]
    if len(text) > _LONGEST_LETTERS and not set(text) <= letters:
        raise SyntaxFault(f"cannot read the word {text[:20]!r}")
    return [Token(kind="letter", text=one, spaced=spaced and place == 0) for place, one in enumerate(text)]


def _known_word(text: str, spaced: bool, letters: frozenset[str]) -> Token | None:
    lower = text if len(text) == 1 else text.lower()
    if text in letters:
        return Token(kind="letter", text=text, spaced=spaced)
    if lower in _FUNCTIONS:
        return Token(kind="function", text=_FUNCTIONS[lower], spaced=spaced)
    if lower in _WORDS:
        return Token(kind="sign", text=_WORDS[lower], spaced=spaced)
    if lower in UNIT_WORDS and not (len(text) > 1 and set(text) <= letters):
        return Token(kind="unit", text=lower, spaced=spaced)
    return None


def _plain_number(found: re.Match[str], spaced: bool) -> Token:
    digits = found[0].replace(",", "").replace(" ", "").rstrip("…")
    if len(digits) > MAX_DIGITS:
        raise SyntaxFault(f"a number of more than {MAX_DIGITS} digits")
    written = None
    if "." in digits:
        places = len(digits) - digits.index(".") - 1
        written = DecimalLiteral(
            step=Fraction(1, 10**places), significant_digits=len(digits.replace(".", "").lstrip("0"))
        )
    else:
        written = DecimalLiteral(step=Fraction(1), significant_digits=len(digits.lstrip("0")))
    return Token(kind="number", text=found[0], spaced=spaced, value=Fraction(digits), written=written)


def _scientific_number(found: re.Match[str], spaced: bool) -> Token:
    """Read `4.2e1`; its last digit is as exact as its power of ten."""
    mantissa, _, exponent = found[0].lower().partition("e")
    power = Fraction(10) ** int(exponent)
    places = len(mantissa.partition(".")[2])
    written = DecimalLiteral(
        step=power / 10**places, significant_digits=len(mantissa.replace(".", "").lstrip("0"))
    )
    return Token(kind="number", text=found[0], spaced=spaced, value=Fraction(mantissa) * power, written=written)


def _recurring_number(found: re.Match[str], spaced: bool) -> Token:
    fixed = found["fixed"] or ""
    period = re.sub(r"[^0-9]", "", found["line"] or found["dots"] or found["round"])
    scale = 10 ** len(fixed)
    value = Fraction(int(found["whole"] + fixed), scale) + Fraction(int(period), scale * (10 ** len(period) - 1))
    return Token(kind="number", text=found[0], spaced=spaced, value=value)


def _number_with_ellipsis(found: re.Match[str], spaced: bool) -> Token:
    """Read `2.666…`: the last digit goes on for ever."""
    digits = found[0].rstrip("…")
    scale = 10 ** (len(digits) - digits.index(".") - 1)
    value = Fraction(digits) + Fraction(int(digits[-1]), 9 * scale)
    return Token(kind="number", text=found[0], spaced=spaced, value=value)


def _command(found: re.Match[str], spaced: bool) -> Token:
    if found[0] not in _COMMANDS:
        raise SyntaxFault(f"cannot read {found[0][:20]!r}")
    return Token(kind="sign", text=_COMMANDS[found[0]], spaced=spaced)


def _chinese(found: re.Match[str], spaced: bool) -> Token:
    value = chinese_number(found[0])
    if value is None:
        raise SyntaxFault(f"cannot read the number {found[0][:20]!r}")
    return Token(kind="number", text=found[0], spaced=spaced, value=value.value, written=value.written)


_READERS: Mapping[str, Callable[[re.Match[str], bool], Token]] = {
    "ellipsis": _number_with_ellipsis,
    "recurring": _recurring_number,
    "scientific": _scientific_number,
    "number": _plain_number,
    "command": _command,
    "chinese": _chinese,
    "chinese_sign": lambda found, spaced: Token(kind="sign", text=CHINESE_SIGNS[found[0]], spaced=spaced),
    "chinese_unit": lambda found, spaced: Token(kind="unit", text=CHINESE_UNITS[found[0]], spaced=spaced),
}
