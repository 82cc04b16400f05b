"""Ratios: ordered, of two or more terms, up to a common factor."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scorers.auxsolidmath.comparing import Comparison, Policy
from scorers.auxsolidmath.equality import same_value
from scorers.auxsolidmath.expression import Expression, product
from scorers.auxsolidmath.grammar import parse_quantity
from scorers.auxsolidmath.reading import Claim, claims_of
from scorers.auxsolidmath.singles import compare_singles
from scorers.auxsolidmath.statements import chain, clauses, without_remarks

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Ratio", "compare_ratios", "parse_ratio"]

_TO = re.compile(r"(?<=[0-9)}\s$])\s*\bto\b\s*(?=[0-9(√\\$])")
_OUTER = " \t$.,;!?"
_PAIR = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratio:
    """Three or more terms, or the claims that a value or a ratio of two makes."""

    terms: tuple[Expression, ...] = ()
    claims: tuple[Claim, ...] = ()


def parse_ratio(statement: str, letters: frozenset[str]) -> Ratio | None:
    """Read a ratio such as `1:2`, `1:2:3`, `1 to 2` or 一比二, or a single value.

    Raises:
        SyntaxFault: there is a value, or an equation, that cannot be read.
    """
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


def compare_ratios(ratio: Ratio, gold: Ratio, policy: Policy) -> Comparison:
    """Compare two ratios term by term; the order counts.

    Raises:
        NoRealValueError: a term has no real value.
        UndecidedError: it cannot be told within the bounds.
    """
    if len(ratio.terms) != len(gold.terms):
        return Comparison(verdict="wrong", why="a ratio of another number of terms")
    if not gold.terms:
        return compare_singles(ratio.claims, gold.claims, policy)
    if _proportional(ratio.terms, gold.terms):
        return Comparison(verdict="exact", why="equals the gold")
    return Comparison(verdict="wrong", why="another ratio")


def _proportional(ours: Sequence[Expression], gold: Sequence[Expression]) -> bool:
    return all(
        same_value(product(ours[0], theirs), product(gold[0], mine))
        for mine, theirs in zip(ours[1:], gold[1:], strict=True)
    )
