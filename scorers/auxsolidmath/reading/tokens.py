"""Tokens of an answer in plain form: numbers, signs, letters, functions and units, in English and Chinese."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, NoReturn

from scorers.auxsolidmath.exact.value import DecimalLiteral

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = [
    "END",
    "SyntaxFault",
    "Token",
    "TokenReader",
    "Unit",
    "scale_between",
    "tokenize",
]

_METRES: Mapping[str, Fraction | None] = {
    "mm": Fraction(1, 1000), "cm": Fraction(1, 100), "dm": Fraction(1, 10), "m": Fraction(1), "km": Fraction(1000),
    "inch": Fraction(254, 10000), "ft": Fraction(3048, 10000), "unit": None,
}  # fmt: skip

_NAMES = {
    "mm": ("mm", "millimeter", "millimetre"),
    "cm": ("cm", "centimeter", "centimetre"),
    "dm": ("dm", "decimeter", "decimetre"),
    "m": ("m", "meter", "metre"),
    "km": ("km", "kilometer", "kilometre"),
    "inch": ("inch",),
    "ft": ("ft", "foot", "feet"),
    "unit": ("unit",),
}

_DIMENSION_WORDS: Mapping[str, int] = {"square": 2, "sq": 2, "cubic": 3, "cu": 3}
"""Words in front of a unit, with the power they mean."""

_UNIT_WORDS: Mapping[str, str] = {
    word: name for name, words in _NAMES.items() for one in words for word in (one, f"{one}s", f"{one}es")
} | dict.fromkeys(_DIMENSION_WORDS, "")
"""Words of units in any number, with the unit's name, and the words in front of one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A power of a length: `metres` of one unit of it, None for a unit without a size ("cubic units")."""

    power: int
    metres: Fraction | None


def _named_unit(name: str, power: int) -> Unit:
    """Return a unit by name; `cm^2` has its power in it."""
    word, _, raised = name.partition("^")
    return Unit(power=power * int(raised or 1), metres=_METRES[_UNIT_WORDS.get(word, word)])


def scale_between(unit: Unit | None, gold: Unit | None) -> Fraction | None:
    """Return what to multiply an answer's number by to have it in the gold's unit; None when no factor does.

    An answer or a gold without unit, or in "units", is taken to be in the other's unit.
    """
    if unit is None or gold is None:
        return Fraction(1)
    if unit.power != gold.power:
        return None
    if unit.metres is None or gold.metres is None:
        return Fraction(1)
    return (unit.metres / gold.metres) ** unit.power


_CHINESE_SIGNS: Mapping[str, str] = {
    "根号下": "√", "根号": "√", "次根号": "次√", "分之": "分之", "百分之": "百分之", "又": "又",
    "负的": "-", "负": "-",
    "正负": "±", "倍的": "*", "倍": "*", "乘以": "*", "乘": "*", "除以": "/", "加": "+", "减": "-", "比": ":",
    "度": "°", "弧度": "rad", "派": "π", "圆周率": "π", "的平方": "²", "平方": "²", "的立方": "³", "立方": "³",
}  # fmt: skip
"""Words that stand for a sign of the grammar."""

_CHINESE_UNITS: Mapping[str, str] = {
    f"{raised}{word}": f"{name}{power}"
    for raised, power in (("", ""), ("平方", "^2"), ("立方", "^3"))
    for word, name in (
        ("毫米", "mm"), ("厘米", "cm"), ("分米", "dm"), ("千米", "km"), ("公里", "km"), ("米", "m"),
        ("单位长度", "unit"), ("个单位长度", "unit"), ("单位", "unit"), ("个单位", "unit"),
    )
} | {"个平方单位": "unit^2", "个立方单位": "unit^3", "面积单位": "unit^2", "体积单位": "unit^3"}  # fmt: skip
"""Units by word, as names of `_NAMES`."""

_DIGITS = {sign: value for value, sign in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_TENS = {"十": 10, "百": 100, "千": 1_000}
_LONGEST = 20


def _chinese_number(text: str) -> tuple[Fraction, DecimalLiteral] | None:
    """Read a number such as 十二, 一百零五, 三万, 二点五 or 二〇, and its form; None when the signs make none."""
    whole, point, places = text.partition("点")
    value = _whole(whole) if len(text) <= _LONGEST else None
    if value is None or (point and (not places or any(sign not in _DIGITS for sign in places))):
        return None
    digits = "".join(str(_DIGITS[sign]) for sign in places)
    step = Fraction(1, 10 ** len(digits))
    significant = f"{value}{digits}".lstrip("0") if digits else str(value)
    return value + int(digits or 0) * step, DecimalLiteral(step=step, significant_digits=len(significant))


def _whole(text: str) -> int | None:
    if not text:
        return None
    if all(sign in _DIGITS for sign in text):
        return int("".join(str(_DIGITS[sign]) for sign in text))
    upper, ten_thousand, lower = text.partition("万")
    if ten_thousand:
        high, low = _below_ten_thousand(upper), _below_ten_thousand(lower) if lower else 0
        return None if high is None or low is None else 10_000 * high + low
    return _below_ten_thousand(text)


def _below_ten_thousand(text: str) -> int | None:
    result, digit, smallest = 0, None, 10_000
    for sign in text:
        if sign in _TENS and _TENS[sign] < smallest:
            smallest = _TENS[sign]
            result += (1 if digit is None else digit) * smallest
            digit = None
        elif sign in _DIGITS and not digit:
            digit = _DIGITS[sign]
        else:
            return None
    return result + (digit or 0) if text else None


_MAX_DIGITS = 30
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
    + rf"|(?P<chinese_unit>{'|'.join(sorted(_CHINESE_UNITS, key=len, reverse=True))})"
    + rf"|(?P<chinese_sign>{'|'.join(sorted(_CHINESE_SIGNS, key=len, reverse=True))})"
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
    if lower in _UNIT_WORDS and not (len(text) > 1 and set(text) <= letters):
        return Token(kind="unit", text=lower, spaced=spaced)
    return None


def _plain_number(found: re.Match[str], spaced: bool) -> Token:
    digits = found[0].replace(",", "").replace(" ", "").rstrip("…")
    if len(digits) > _MAX_DIGITS:
        raise SyntaxFault(f"a number of more than {_MAX_DIGITS} digits")
    places = len(digits.partition(".")[2])
    written = DecimalLiteral(
        step=Fraction(1, 10**places), significant_digits=len(digits.replace(".", "").lstrip("0"))
    )
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
    read = _chinese_number(found[0])
    if read is None:
        raise SyntaxFault(f"cannot read the number {found[0][:20]!r}")
    return Token(kind="number", text=found[0], spaced=spaced, value=read[0], written=read[1])


_READERS: Mapping[str, Callable[[re.Match[str], bool], Token]] = {
    "ellipsis": _number_with_ellipsis,
    "recurring": _recurring_number,
    "scientific": _scientific_number,
    "number": _plain_number,
    "command": _command,
    "chinese": _chinese,
    "chinese_sign": lambda found, spaced: Token(kind="sign", text=_CHINESE_SIGNS[found[0]], spaced=spaced),
    "chinese_unit": lambda found, spaced: Token(kind="unit", text=_CHINESE_UNITS[found[0]], spaced=spaced),
}


END = Token(kind="sign", text="")
"""What stands behind the last token."""


@dataclass(slots=True, kw_only=True)
class TokenReader:
    """Goes through tokens, from the place `at`; a `SyntaxFault` says what else was expected there."""

    tokens: list[Token]
    at: int = 0

    def ahead(self, by: int = 0) -> Token:
        """Return the token so many places ahead; behind the last one there is `END`."""
        return self.tokens[self.at + by] if self.at + by < len(self.tokens) else END

    def sees(self, *texts: str) -> bool:
        """Whether the next token is one of these signs."""
        token = self.ahead()
        return token.kind == "sign" and token.text in texts and token is not END

    def take(self) -> Token:
        """Take the next token."""
        token = self.ahead()
        self.at += 1
        return token

    def takes(self, *texts: str) -> bool:
        """Take the next token if it is one of these signs; return whether it was."""
        if self.sees(*texts):
            self.at += 1
            return True
        return False

    def fail(self, expected: str) -> NoReturn:
        """Refuse the next token."""
        token = self.ahead()
        raise SyntaxFault(
            f"expected {expected}, got {token.text[:20]!r}" if token is not END else f"{expected} is missing"
        )

    def unit(self) -> Unit | None:
        """Take a unit, if there is one."""
        raised = 1
        while self.ahead().kind == "unit" and self.ahead().text in _DIMENSION_WORDS:
            raised = _DIMENSION_WORDS[self.take().text]
        if self.ahead().kind != "unit":
            return None if raised == 1 else self.fail("a unit")
        name = self.take().text
        token = self.ahead()
        if self.takes("²", "³"):
            raised = 2 if token.text == "²" else 3
        elif self.takes("^") or (token.kind == "number" and not token.spaced):
            raised = self._unit_power()
        return _named_unit(name, raised)

    def _unit_power(self) -> int:
        braced = self.takes("{")
        token = self.take()
        if token.kind != "number" or token.value not in {1, 2, 3} or (braced and not self.takes("}")):
            raise SyntaxFault("a unit has another power than 1, 2 or 3")
        return int(token.value)

    def fraction_behind(self) -> Fraction | None:
        """Take a proper fraction of whole numbers that makes the number before it a mixed one."""
        ahead = [self.ahead(place) for place in range(7)]
        texts = [token.text if token.kind == "sign" else "" for token in ahead]
        wholes = [token.value if token.kind == "number" else None for token in ahead]
        if texts[0] == "frac" and wholes[1] is not None and wholes[1].denominator == 1:
            return self._short_fraction(ahead[1])
        if texts[0] == "frac" and texts[1] == "{" and texts[3] == "}":
            upper, lower, length = wholes[2], wholes[5] if texts[4] == "{" and texts[6] == "}" else wholes[4], 7
            length = 7 if texts[4] == "{" else 5
        elif wholes[0] is not None and ahead[0].spaced and texts[1] == "/":
            upper, lower, length = wholes[0], wholes[2], 3
        elif texts[0] == "又" and texts[2] == "分之":
            upper, lower, length = wholes[3], wholes[1], 4
        else:
            return None
        return self._proper(upper, lower, length)

    def _short_fraction(self, digits: Token) -> Fraction | None:
        r"""`\frac12`, and `\frac1{2}` or `\frac1 2`."""
        if len(digits.text) == 2:  # noqa: PLR2004 - one digit above, one below
            return self._proper(Fraction(int(digits.text[0])), Fraction(int(digits.text[1])), 2)
        if len(digits.text) == 1 and self.ahead(2).text == "{" and self.ahead(4).text == "}":
            lower = self.ahead(3)
            return self._proper(digits.value, lower.value if lower.kind == "number" else None, 5)
        if len(digits.text) == 1 and self.ahead(2).kind == "number":
            return self._proper(digits.value, self.ahead(2).value, 3)
        return None

    def _proper(self, upper: Fraction | None, lower: Fraction | None, length: int) -> Fraction | None:
        if upper is None or lower is None:
            return None
        if not 0 < upper < lower or upper.denominator != 1 or lower.denominator != 1:
            raise SyntaxFault("a number before a fraction, neither a mixed number nor a product")
        self.at += length
        return upper / lower
