"""What a row of the real data set does not say: whether it is a proof, the kind of its answer, what it allows.

Rules, the first that applies:

* PROVING: no answer; or the question asks for a proof and the answer holds no value. Else CALCULATION.
* interval: the answer has < > ≤ ≥, ∞ or a square bracket beside a round one or a comma; or it is "(a, b)" and the
  question asks for a range.
* multi: labelled parts, ±, or several values (";", a comma that is no thousands separator, "or", "and").
* ratio: two or more values with ":" between them.
* angle: a degree sign or word, an arc function; or the question asks for an angle itself, not for its cosine,
  sine or tangent, and the answer is a multiple of π or a whole number.
* symbolic: a letter that is no unit, function or constant.
* number: everything else.
"""

from __future__ import annotations

import re
from typing import Literal

__all__ = ["Kind", "allowances", "guess_answer_kind", "guess_kind"]

Kind = Literal["CALCULATION", "PROVING"]

_PROOF = re.compile(r"\b(?:prove|show that|verify that|demonstrate)\b|求证|证明", re.IGNORECASE)
_VALUE = re.compile(r"[0-9√π]|\\(?:frac|sqrt|pi)|[零一二三四五六七八九十]分之|根号")
_COMPARISON = re.compile(r"[<>≤≥∞]|\\(?:le|ge|lt|gt|leq|geq|leqslant|geqslant|infty)(?![a-z])")
_HALF_OPEN = re.compile(r"^\W*(?:\w+\s*(?:∈|\\in)\s*)?(?:[(\[][^()\[\]]*,[^()\[\]]*\]|\[[^()\[\]]*,[^()\[\]]*\))")
_OPEN = re.compile(r"^\W*\([^()]*,[^()]*\)\W*$")
_RANGE = re.compile(r"\b(?:range|interval)\b|范围|区间", re.IGNORECASE)
_LABELS = re.compile(r"\(\s*(?:1|i|I)\s*\).*\(\s*(?:2|ii|II)\s*\)|①.*②|⑴.*⑵", re.DOTALL)
_SEVERAL = re.compile(r"±|\\pm|;|；|，|,(?![0-9]{3}(?![0-9]))|\bor\b|\band\b|或|和", re.IGNORECASE)
_RATIO = re.compile(r"[\w)}]\s*[:∶：]\s*[\w(√\\]")
_ANGULAR = re.compile(r"°|\\circ|\\degree|\bdegrees?\b|度|\barc|\\arc|\^\{?-1\}?\s*\(")
_ANGLE_ASKED = re.compile(r"\bangle\b|角|\bdegrees?\b|度数", re.IGNORECASE)
_FUNCTION_ASKED = re.compile(r"\b(?:co)?sines?\b|\btangents?\b|\b(?:cos|sin|tan)\b|余弦|正弦|正切", re.IGNORECASE)
_OTHER_ASKED = re.compile(
    r"\b(?:volume|area|length|distance|radius|ratio|height)\b|体积|面积|长|距离|半径|比|高", re.IGNORECASE
)
_ANGLE_VALUE = re.compile(r"π|\\pi|^\s*[0-9]{1,3}\s*$")
_WORDS = re.compile(
    r"\\[a-zA-Z]+|\b(?:arc)?(?:cos|sin|tan|cot)\b|\bsqrt\b|\bpi\b|\b(?:square|cubic|sq|cu)?\s*(?:units?|[cmdk]?m)\b(?:\^?[23])?"
    r"|\b[A-Za-z]{1,3}\w*\s*=",
    re.IGNORECASE,
)
_LETTER = re.compile(r"(?<![A-Za-z])[a-zA-Z](?![A-Za-z])|[αβγδθλ]|(?<![A-Za-z])[a-z]{2,3}(?![A-Za-z])")
_SHORT_PI = re.compile(
    r"(?:π|\\pi|pi)\s*(?:取|=|≈|\\approx|as|to be)\s*3\.14(?![0-9])|取\s*π\s*为?\s*3\.14", re.IGNORECASE
)
_PERCENT = re.compile(r"\bpercent(?:age)?\b|百分之几|百分比|百分数", re.IGNORECASE)
_DIHEDRAL = re.compile(r"\bdihedral\b|二面角", re.IGNORECASE)


def guess_kind(question: str, answer: str) -> Kind:
    """Return whether a proof or a value is asked for."""
    if not answer.strip():
        return "PROVING"
    asks_proof = _PROOF.search(question) is not None
    return "PROVING" if asks_proof and not _VALUE.search(answer) else "CALCULATION"


def guess_answer_kind(question: str, answer: str) -> str:
    """Return the kind of a calculation's answer."""
    if _is_interval(question, answer):
        return "interval"
    if _LABELS.search(answer) or _SEVERAL.search(answer.replace("{,}", "")):
        return "multi"
    if _RATIO.search(answer):
        return "ratio"
    if _is_angle(question, answer):
        return "angle"
    return "symbolic" if _LETTER.search(_WORDS.sub(" ", answer)) else "number"


def _is_interval(question: str, answer: str) -> bool:
    if _LABELS.search(answer):
        return False
    if _COMPARISON.search(answer) or _HALF_OPEN.search(answer.replace("\\left", "").replace("\\right", "")):
        return True
    return _OPEN.search(answer) is not None and _RANGE.search(question) is not None


def _is_angle(question: str, answer: str) -> bool:
    if _ANGULAR.search(answer):
        return True
    asked = _asked(question)
    other = _FUNCTION_ASKED.search(asked) or _OTHER_ASKED.search(asked)
    return bool(_ANGLE_ASKED.search(asked) and not other and _ANGLE_VALUE.search(answer))


def _asked(question: str) -> str:
    """Return the last sentence that is not empty: what is asked for."""
    sentences = [part for part in re.split(r"[.。?？!;；\n]", question) if part.strip()]
    return re.split(r"\b(?:find|determine|calculate|compute|what is)\b|求|则", sentences[-1], flags=re.IGNORECASE)[
        -1
    ]


def allowances(question: str) -> dict[str, bool]:
    """Return what the question allows, only what it does: a rounded percentage, π = 3.14, an obtuse angle."""
    found = {
        "asked_percent": _PERCENT.search(question),
        "obtuse_allowed": _DIHEDRAL.search(question),
        "pi_as_3_14": _SHORT_PI.search(question),
    }
    return {name: True for name, match in found.items() if match}
