"""Answer an answer as the gold's kind: values, intervals and their unions, sets such as ±2, parts, ratios.

Parts have labels, "(1) 2; (2) 3", or names, "AB = 2, CD = 3".
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, get_args

from scorers.auxsolidmath.reading.claims import Claim, claims_of, named_claims, read_located, read_member
from scorers.auxsolidmath.reading.grammar import parse_quantity
from scorers.auxsolidmath.reading.locating import locate, part_texts
from scorers.auxsolidmath.reading.statements import (
    chain,
    clauses,
    holds_value,
    split_outside_brackets,
    without_remarks,
)
from scorers.auxsolidmath.reading.tokens import SyntaxFault

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scorers.auxsolidmath.exact.value import Expression

__all__ = [
    "ANSWER_KINDS",
    "Answer",
    "AnswerKind",
    "IntervalAnswer",
    "Part",
    "Parts",
    "Ratio",
    "labelled_parts",
    "read_as",
]

AnswerKind = Literal["number", "angle", "multi", "interval", "symbolic", "ratio"]

ANSWER_KINDS: tuple[AnswerKind, ...] = get_args(AnswerKind)

_BRACKETED = re.compile(r"[(\[\]]([^\[\]]*)[)\]\[]$")
_NAMED = re.compile(
    r"^.*(?:∈|\b(?:range|interval|belongs to|in)\b(?:\s+(?:is|of))?|取值范围(?:为|是)?|范围(?:为|是)|属于)",
    re.IGNORECASE,
)
_SET_BUILDER = re.compile(r"⦃[^|:⦄]{1,20}[|:]([^⦄]+)⦄")
_ALL_NUMBERS = re.compile(r"[,;]?\s*\S{1,4}\s*∈\s*(?:\\mathbb\s*)?\{?R\}?")
_UNION = re.compile(r"∪|(?<=[\])])\s*,\s*(?=[(\[])|\bor\b|\bunion\b|或", re.IGNORECASE)
_COMPARISON = re.compile(r"([<>≤≥])")
_INFINITE = re.compile(r"^[+\s]*∞$")
_MINUS_INFINITE = re.compile(r"^-\s*∞$")
_OUTER = " \t$.,;!?"
_ENDS = 2
_SET = re.compile(r"(?<![a-z}_^])\{([^{}]{1,160},[^{}]{1,160})\}")
_TUPLE = re.compile(r"^[\s$]*\(((?:[^()]|\([^()]{0,60}\)){1,200},(?:[^()]|\([^()]{0,60}\)){1,200})\)[\s$.]*$")
_TO = re.compile(r"(?<=[0-9)}\s$])\s*\bto\b\s*(?=[0-9(√\\$])")
_PAIR = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalAnswer:
    """An interval; an end of None is infinite."""

    low: Claim | None
    high: Claim | None
    low_closed: bool
    high_closed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """The answer to one part: values, or intervals."""

    claims: tuple[Claim, ...] = ()
    intervals: tuple[IntervalAnswer, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """Parts by label or name, or a set of values, `ordered` when written as coordinates: (a, b)."""

    labelled: Mapping[str, Part] = field(default_factory=dict)
    named: Mapping[str, Part] = field(default_factory=dict)
    values: tuple[Claim, ...] = ()
    ordered: bool = False

    @property
    def all_values(self) -> tuple[Claim, ...]:
        """Every value, of all parts."""
        return (*self.values, *(claim for part in self.labelled.values() for claim in part.claims))


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratio:
    """Three or more terms, or the claims that a value or a ratio of two makes."""

    terms: tuple[Expression, ...] = ()
    claims: tuple[Claim, ...] = ()


Answer = tuple[Claim, ...] | tuple[IntervalAnswer, ...] | Parts | Ratio
"""An answer that was read, by its kind."""


def read_as(text: str, kind: AnswerKind, letters: frozenset[str]) -> Answer | None:
    """Read a text as an answer of the kind; None where it holds none.

    Raises:
        SyntaxFault: there is an answer that cannot be read.
    """
    if kind == "interval":
        return _parse_intervals(text, letters)
    if kind == "multi":
        return _parse_parts(text, letters)
    if kind == "ratio":
        return _parse_ratio(text, letters)
    return claims_of(text, letters) or None


def _parse_intervals(statement: str, letters: frozenset[str]) -> tuple[IntervalAnswer, ...] | None:
    """Read one interval or a union: `(0, √2/2]`, `x ∈ [1, 2)`, `0 < x ≤ 2`, `x > 1`, `(-∞, 0) ∪ [1, 2]`.

    Returns None where there is none.
    """
    if not holds_value(statement):
        return None
    text = _SET_BUILDER.sub(r" \1 ", _ALL_NUMBERS.sub("", statement))
    members = chain(text)
    text = members[-1].text if members else text
    if "∈" in text or not _COMPARISON.search(text):
        text = _NAMED.sub("", text)
    pieces = [piece.strip(_OUTER) for piece in _UNION.split(text) if piece.strip(_OUTER)]
    if not any(_COMPARISON.search(piece) or _BRACKETED.search(piece) for piece in pieces):
        return None
    return tuple(_interval(piece, letters) for piece in pieces)


def _interval(text: str, letters: frozenset[str]) -> IntervalAnswer:
    if _COMPARISON.search(text):
        return _from_inequality(text, letters)
    found = re.search(r"[(\[\]]", text)
    if found is None or text[-1] not in ")][":
        raise SyntaxFault("expected an interval")
    text = text[found.start() :]
    ends = split_outside_brackets(text[1:-1], marks=",;", thousands=False)
    if len(ends) != _ENDS:
        raise SyntaxFault(f"expected an interval with two ends, got {len(ends)}")
    return _checked(
        IntervalAnswer(
            low=_end(ends[0], letters, _MINUS_INFINITE),
            high=_end(ends[1], letters, _INFINITE),
            low_closed=text[0] == "[",
            high_closed=text[-1] == "]",
        )
    )


def _end(text: str, letters: frozenset[str], infinite: re.Pattern[str]) -> Claim | None:
    stripped = text.strip(_OUTER)
    if infinite.match(stripped):
        return None
    return Claim(text=stripped, quantity=read_member(stripped, letters)[0], approximate=False)


def _checked(interval: IntervalAnswer) -> IntervalAnswer:
    if (interval.low is None and interval.low_closed) or (interval.high is None and interval.high_closed):
        raise SyntaxFault("a closed end at infinity")
    return interval


def _from_inequality(text: str, letters: frozenset[str]) -> IntervalAnswer:
    """Read `a < x ≤ b`, `x > a`, `a ≥ x`, or two of them joined by "and" or a comma."""
    joined = [piece for piece in re.split(r"\band\b|,|且", text) if _COMPARISON.search(piece)]
    if len(joined) == _ENDS:
        return _both(*(_from_inequality(piece, letters) for piece in joined))
    pieces = _COMPARISON.split(text)
    terms, signs = [piece.strip(_OUTER) for piece in pieces[::2]], pieces[1::2]
    if len(signs) == 1:
        return _one_sided(terms, signs[0], letters)
    if len(signs) != _ENDS or (signs[0] in "<≤") != (signs[1] in "<≤"):
        raise SyntaxFault("expected an inequality with one or two ends")
    if signs[0] in ">≥":
        terms, signs = terms[::-1], [_MIRRORED[sign] for sign in signs[::-1]]
    return IntervalAnswer(
        low=_end(terms[0], letters, _MINUS_INFINITE),
        high=_end(terms[2], letters, _INFINITE),
        low_closed=signs[0] == "≤",
        high_closed=signs[1] == "≤",
    )


_MIRRORED = {"<": ">", ">": "<", "≤": "≥", "≥": "≤"}


def _one_sided(terms: Sequence[str], sign: str, letters: frozenset[str]) -> IntervalAnswer:
    name, bound = terms
    if _is_value(name, letters):
        name, bound, sign = bound, name, _MIRRORED[sign]
    end = Claim(text=bound, quantity=read_member(bound, letters)[0], approximate=False)
    closed = sign in "≤≥"
    if sign in ">≥":
        return IntervalAnswer(low=end, high=None, low_closed=closed, high_closed=False)
    return IntervalAnswer(low=None, high=end, low_closed=False, high_closed=closed)


def _is_value(text: str, letters: frozenset[str]) -> bool:
    if not holds_value(text):
        return False
    try:
        read_member(text, letters)
    except SyntaxFault:
        return False
    return True


def _both(first: IntervalAnswer, second: IntervalAnswer) -> IntervalAnswer:
    if first.low is None:
        first, second = second, first
    if first.low is None or first.high is not None or second.low is not None or second.high is None:
        raise SyntaxFault("expected one lower and one upper bound")
    return IntervalAnswer(
        low=first.low, high=second.high, low_closed=first.low_closed, high_closed=second.high_closed
    )


def _parse_parts(text: str, letters: frozenset[str]) -> Parts | None:
    """Read parts or a set from a text without prose around it."""
    labelled = part_texts(text)
    if labelled:
        parts = {}
        for label, part in labelled.items():
            found = _part(part, letters)
            if found is None:
                raise SyntaxFault("a part without a value")
            parts[label] = found
        return Parts(labelled=parts)
    bare = _SET.sub(r" \1 ", text.replace("⦃", " ").replace("⦄", " "))
    tuple_of = _TUPLE.match(bare)
    bare = tuple_of[1] if tuple_of else bare
    try:
        claims = named_claims(bare, letters)
    except SyntaxFault:
        claims = ()
    names = [claim.name for claim in claims]
    if len(claims) > 1 and all(names) and len(set(names)) == len(names):
        return Parts(named={claim.name: Part(claims=(claim,)) for claim in claims}, values=claims)
    values = claims_of(bare, letters)
    return Parts(values=values, ordered=tuple_of is not None) if values else None


def labelled_parts(text: str, labels: frozenset[str], letters: frozenset[str]) -> Parts | None:
    """Find each part's answer in a whole solution that has these labels.

    Raises:
        SyntaxFault: there is a value that cannot be read.
        Withdrawn: an answer was withdrawn, and no other follows.
    """
    texts = part_texts(text) or {}
    if not labels <= set(texts):
        return None
    parts = {}
    for label in sorted(labels):
        located = locate(texts[label])
        found = read_located(located, lambda part: _part(part, letters)) if located else None
        if found is None:
            return None
        parts[label] = found[1]
    return Parts(labelled=parts)


def _part(text: str, letters: frozenset[str]) -> Part | None:
    try:
        intervals = _parse_intervals(text.strip(" $;,."), letters)
    except SyntaxFault:
        intervals = None
    if intervals is not None:
        return Part(intervals=intervals)
    claims = claims_of(text, letters)
    return Part(claims=claims) if claims else None


def _parse_ratio(statement: str, letters: frozenset[str]) -> Ratio | None:
    """Read a ratio such as `1:2`, `1:2:3`, `1 to 2` or 一比二, or a single value."""
    text = _TO.sub(":", without_remarks(statement, letters))
    last = _last_member(text)
    pieces = last.replace("比", ":").split(":")
    if len(pieces) > _PAIR:
        return Ratio(terms=tuple(parse_quantity(piece.strip(_OUTER), letters).expression for piece in pieces))
    claims = claims_of(text, letters)
    return Ratio(claims=claims) if claims else None


def _last_member(statement: str) -> str:
    found = clauses(statement)
    members = chain(found[-1]) if found else []
    return members[-1].text.strip(_OUTER) if members else ""
