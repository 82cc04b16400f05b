"""Intervals: brackets, inequalities and unions, with open and closed ends."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from scorers.auxsolidmath.comparing import Comparison, Policy, compared
from scorers.auxsolidmath.reading import Claim, read_member
from scorers.auxsolidmath.statements import chain, holds_value, split_outside_brackets
from scorers.auxsolidmath.tokens import SyntaxFault

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Interval", "compare_intervals", "parse_intervals"]

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """An interval; an end of None is infinite."""

    low: Claim | None
    high: Claim | None
    low_closed: bool
    high_closed: bool


def parse_intervals(statement: str, letters: frozenset[str]) -> tuple[Interval, ...] | None:
    """Read one interval or a union: `(0, √2/2]`, `x ∈ [1, 2)`, `0 < x ≤ 2`, `x > 1`, `(-∞, 0) ∪ [1, 2]`.

    Returns None where there is none.

    Raises:
        SyntaxFault: there is an interval that cannot be read.
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


def _interval(text: str, letters: frozenset[str]) -> Interval:
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
        Interval(
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


def _checked(interval: Interval) -> Interval:
    if (interval.low is None and interval.low_closed) or (interval.high is None and interval.high_closed):
        raise SyntaxFault("a closed end at infinity")
    return interval


def _from_inequality(text: str, letters: frozenset[str]) -> Interval:
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
    return Interval(
        low=_end(terms[0], letters, _MINUS_INFINITE),
        high=_end(terms[2], letters, _INFINITE),
        low_closed=signs[0] == "≤",
        high_closed=signs[1] == "≤",
    )


_MIRRORED = {"<": ">", ">": "<", "≤": "≥", "≥": "≤"}


def _one_sided(terms: Sequence[str], sign: str, letters: frozenset[str]) -> Interval:
    name, bound = terms
    if _is_value(name, letters):
        name, bound, sign = bound, name, _MIRRORED[sign]
    end = Claim(text=bound, quantity=read_member(bound, letters)[0], approximate=False)
    closed = sign in "≤≥"
    if sign in ">≥":
        return Interval(low=end, high=None, low_closed=closed, high_closed=False)
    return Interval(low=None, high=end, low_closed=False, high_closed=closed)


def _is_value(text: str, letters: frozenset[str]) -> bool:
    if not holds_value(text):
        return False
    try:
        read_member(text, letters)
    except SyntaxFault:
        return False
    return True


def _both(first: Interval, second: Interval) -> Interval:
    if first.low is None:
        first, second = second, first
    if first.low is None or first.high is not None or second.low is not None or second.high is None:
        raise SyntaxFault("expected one lower and one upper bound")
    return Interval(low=first.low, high=second.high, low_closed=first.low_closed, high_closed=second.high_closed)


def compare_intervals(ours: Sequence[Interval], gold: Sequence[Interval], policy: Policy) -> Comparison:
    """Compare unions of intervals: every end's value and whether it belongs.

    Raises:
        NoRealValueError: an end has no real value.
        UndecidedError: it cannot be told within the bounds.
    """
    if len(ours) != len(gold):
        return Comparison(verdict="wrong", why=f"{len(ours)} intervals, where the gold has {len(gold)}")
    if any(end.quantity.degrees for interval in (*ours, *gold) for end in (interval.low, interval.high) if end):
        policy = replace(policy, kind="angle")
    rest = list(ours)
    numeric = False
    why = ""
    for truth in gold:
        results = [_compared(interval, truth, policy) for interval in rest]
        place = next((at for at, result in enumerate(results) if result.matched), None)
        if place is None:
            return Comparison(verdict="wrong", why=results[0].why)
        numeric = numeric or results[place].verdict == "numeric"
        why = results[place].why
        rest.pop(place)
    return Comparison(verdict="numeric" if numeric else "exact", why=why)


def _compared(ours: Interval, gold: Interval, policy: Policy) -> Comparison:
    results = []
    for end, truth, closed, truly_closed, name in (
        (ours.low, gold.low, ours.low_closed, gold.low_closed, "lower"),
        (ours.high, gold.high, ours.high_closed, gold.high_closed, "upper"),
    ):
        if (end is None) != (truth is None):
            return Comparison(verdict="wrong", why=f"the {name} end: one is infinite, the other is not")
        if closed != truly_closed:
            return Comparison(verdict="wrong", why=f"the {name} end belongs to one and not to the other")
        if end is not None and truth is not None:
            results.append(compared(end, truth, policy))
    wrong = next((result for result in results if not result.matched), None)
    if wrong is not None:
        return wrong
    return max(results, key=lambda result: result.verdict, default=Comparison(verdict="exact", why="all numbers"))
