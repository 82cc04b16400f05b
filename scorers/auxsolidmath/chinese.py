"""Chinese wording of numbers, signs and units."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from scorers.auxsolidmath.expression import DecimalLiteral

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CHINESE_SIGNS", "CHINESE_UNITS", "ChineseNumber", "chinese_number"]

CHINESE_SIGNS: Mapping[str, str] = {
    "根号下": "√", "根号": "√", "次根号": "次√", "分之": "分之", "百分之": "百分之", "又": "又",
    "负的": "-", "负": "-",
    "正负": "±", "倍的": "*", "倍": "*", "乘以": "*", "乘": "*", "除以": "/", "加": "+", "减": "-", "比": ":",
    "度": "°", "弧度": "rad", "派": "π", "圆周率": "π", "的平方": "²", "平方": "²", "的立方": "³", "立方": "³",
}  # fmt: skip
"""Words that stand for a sign of the grammar."""

CHINESE_UNITS: Mapping[str, str] = {
    f"{raised}{word}": f"{name}{power}"
    for raised, power in (("", ""), ("平方", "^2"), ("立方", "^3"))
    for word, name in (
        ("毫米", "mm"), ("厘米", "cm"), ("分米", "dm"), ("千米", "km"), ("公里", "km"), ("米", "m"),
        ("单位长度", "unit"), ("个单位长度", "unit"), ("单位", "unit"), ("个单位", "unit"),
    )
} | {"个平方单位": "unit^2", "个立方单位": "unit^3", "面积单位": "unit^2", "体积单位": "unit^3"}  # fmt: skip
"""Units by word, as the names of `scorers.auxsolidmath.units`."""

_DIGITS = {sign: value for value, sign in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_TENS = {"十": 10, "百": 100, "千": 1_000}
_LONGEST = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class ChineseNumber:
    """Value and form of a number."""

    value: Fraction
    written: DecimalLiteral | None


def chinese_number(text: str) -> ChineseNumber | None:
    """Read a number such as 十二, 一百零五, 三万, 二点五 or 二〇; None when the signs make none."""
    whole, point, places = text.partition("点")
    value = _whole(whole) if len(text) <= _LONGEST else None
    if value is None or (point and (not places or any(sign not in _DIGITS for sign in places))):
        return None
    if not point:
        digits = len(str(value))
        return ChineseNumber(
            value=Fraction(value), written=DecimalLiteral(step=Fraction(1), significant_digits=digits)
        )
    step = Fraction(1, 10 ** len(places))
    digits_after = sum(_DIGITS[sign] * 10**place for place, sign in enumerate(reversed(places)))
    digits = len((str(value) + "".join(str(_DIGITS[sign]) for sign in places)).lstrip("0"))
    return ChineseNumber(
        value=value + digits_after * step, written=DecimalLiteral(step=step, significant_digits=digits)
    )


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
