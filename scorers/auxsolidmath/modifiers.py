"""Words next to a value that make it another value, a bound, or the number of a step: such a value is not read."""

from __future__ import annotations

import re

__all__ = ["bounds", "changed_before", "changed_behind", "names_another"]

_NUMERALS = (
    "zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen"
    "|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|point"
)
_BOUNDS = (
    r"(?:at (?:least|most)|up to|(?:more|less|greater|smaller|larger|fewer|lower|higher|bigger|other) than|over"
    r"|under|above|below|beyond|exceed(?:s|ing)?|between|not reach(?:ing)?|小于|大于|少于|多于|超过|低于|高于|至少"
    r"|至多|最多|不到|不足|不超过|不小于|不大于)"
)
_CHANGING = (
    r"(?:negative|neg|minus|plus|twice|thrice|double|triple|half|times|reciprocal|inverse|squared?|cubed?|root"
    r"|opposite|supplement|complement|log|ln|lg|负数|平方根|倒数|相反数|补角|余角|一半)"
)
_NUMBERED = (
    r"(?:steps?|figure|fig|case|theorem|lemma|part|option|question|problem|equation|eq|section|method|example|claim"
    r"|exercise|choice|image|diagram|page|no|number|步骤|图|情况|定理|选项|方法|例|第)"
)
_BETWEEN = r"(?:[\s$'\"]|\b(?:of|the|an?|than|to|exactly|by|and|or)\b|[的为是])*"
_BEFORE = re.compile(
    rf"(?:\b|(?<=[\u4e00-\u9fa5]))(?:{_NUMERALS}|{_BOUNDS}|{_CHANGING}|{_NUMBERED}){_BETWEEN}$", re.IGNORECASE
)
_BOUND_BEFORE = re.compile(rf"{_BOUNDS}(?:[\s$]|\b(?:and|or|equal|to)\b|[或等于])*$", re.IGNORECASE)
_BEHIND = re.compile(
    r"^[\s$]*(?:,?\s*(?:or|and)\s+(?:more|less|greater|fewer|higher|lower|above|below|so|beyond|an?\s+(?:half|bit))\b"
    r"|and\s+one\s+half\b|at\s+(?:most|least)\b|的?[^,;。]{0,8}(?:倍|半|平方根|立方根|倒数|相反数|补角|余角|以上|以下|以内))",
    re.IGNORECASE,
)
_ANOTHER = re.compile(
    r"^[\s$]*(?:[A-Za-zα-ω]{1,2}[0-9_']*|\|?[A-Z][A-Z]\|?)\s*(?:\^\s*\{?\s*[2-9]\s*\}?|\s+squared)[\s$]*$"
    r"|^[\s$]*(?:sin|cos|tan)\s*\^\s*\{?\s*2|^[\s$]*[2-9]\s?\*?\s?(?:[A-Za-zα-ω]|[A-Z]{2})(?:_\{?\w+\}?)?[\s$]*$"
    r"|\b(?:square|cube|reciprocal|negative) of\b|^[\s$]*(?:thus|so|hence|therefore)?,?\s*(?:twice|half|double)\b"
    r"|\b(?:a|one|two|three)[- ](?:half|thirds?|quarters?) of\b|\bsquared\s*$"
    r"|(?:的(?:平方|立方|一半|两倍|倒数)|分之[一二三四五])\s*$",
    re.IGNORECASE,
)


def changed_before(text: str) -> bool:
    """Whether the words in front of a value end in one that changes it."""
    return _BEFORE.search(text) is not None


def bounds(text: str) -> bool:
    """Whether a member of a chain ends in a word that makes the next a bound."""
    return _BOUND_BEFORE.search(text) is not None


def changed_behind(text: str) -> bool:
    """Whether the words behind a value begin with some that change it."""
    return _BEHIND.search(text) is not None


def names_another(text: str) -> bool:
    """Whether the left side of an equation is a power, a part or a multiple of what it is about."""
    return _ANOTHER.search(text) is not None
