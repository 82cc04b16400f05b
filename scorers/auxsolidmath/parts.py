"""Answers of several values: sets such as ±2, and parts by label or name.

A set matches in any order. Labelled parts are matched by label, named ones ("AB = 2, CD = 3") by name, never by
order: an answer without the labels that the gold has is ambiguous.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from scorers.auxsolidmath.comparing import Comparison, Policy, compared, distinct
from scorers.auxsolidmath.intervals import Interval, compare_intervals, parse_intervals
from scorers.auxsolidmath.locating import locate, part_texts
from scorers.auxsolidmath.reading import Claim, claims_of, named_claims, read_located
from scorers.auxsolidmath.singles import compare_singles
from scorers.auxsolidmath.tokens import SyntaxFault

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Part", "Parts", "compare_parts", "labelled_parts", "parse_parts"]


_SET = re.compile(r"(?<![a-z}_^])\{([^{}]{1,160},[^{}]{1,160})\}")
_TUPLE = re.compile(r"^[\s$]*\(((?:[^()]|\([^()]{0,60}\)){1,200},(?:[^()]|\([^()]{0,60}\)){1,200})\)[\s$.]*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """The answer to one part: values, or intervals."""

    claims: tuple[Claim, ...] = ()
    intervals: tuple[Interval, ...] = ()


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


def parse_parts(text: str, letters: frozenset[str]) -> Parts | None:
    """Read parts or a set from a text without prose around it.

    Raises:
        SyntaxFault: there is a value that cannot be read.
    """
    labelled = part_texts(text)
    if labelled:
        return Parts(labelled={label: _part(part, letters) for label, part in labelled.items()})
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


def _part(text: str, letters: frozenset[str]) -> Part:
    intervals = _intervals(text, letters)
    if intervals is not None:
        return Part(intervals=intervals)
    claims = claims_of(text, letters)
    if not claims:
        raise SyntaxFault("a part without a value")
    return Part(claims=claims)


def _intervals(text: str, letters: frozenset[str]) -> tuple[Interval, ...] | None:
    try:
        return parse_intervals(text.strip(" $;,."), letters)
    except SyntaxFault:
        return None


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
        found = read_located(located, lambda part: _part_or_none(part, letters)) if located else None
        if found is None:
            return None
        parts[label] = found[1]
    return Parts(labelled=parts)


def _part_or_none(text: str, letters: frozenset[str]) -> Part | None:
    intervals = _intervals(text, letters)
    if intervals is not None:
        return Part(intervals=intervals)
    claims = claims_of(text, letters)
    return Part(claims=claims) if claims else None


def compare_parts(ours: Parts, gold: Parts, policy: Policy) -> Comparison:
    """Compare all parts.

    Raises:
        NoRealValueError: a value is not real.
        UndecidedError: it cannot be told within the bounds.
    """
    if gold.labelled:
        return _by_label(ours.labelled, gold.labelled, policy)
    if gold.named:
        return _by_label(ours.named, gold.named, policy)
    if gold.ordered:
        return _in_order(ours.values, gold.values, policy)
    return _as_sets(ours.all_values, gold.values, policy)


def _by_label(ours: Mapping[str, Part], gold: Mapping[str, Part], policy: Policy) -> Comparison:
    if not ours:
        return Comparison(verdict="ambiguous", why="values without the labels that the gold's parts have")
    if set(ours) != set(gold):
        return Comparison(verdict="wrong", why=f"the parts {_listed(ours)}, where the gold has {_listed(gold)}")
    results = {label: _compared(ours[label], gold[label], policy) for label in gold}
    return _together(results)


def _listed(parts: Mapping[str, Part]) -> str:
    return ", ".join(sorted(parts))[:60]


def _compared(ours: Part, gold: Part, policy: Policy) -> Comparison:
    if bool(ours.intervals) != bool(gold.intervals):
        return Comparison(verdict="wrong", why="an interval where a value is asked for, or the other way round")
    if gold.intervals:
        return compare_intervals(ours.intervals, gold.intervals, policy)
    if len(gold.claims) > 1:
        return _as_sets(ours.claims, gold.claims, policy)
    part_policy = replace(policy, kind="angle") if ours.claims[0].quantity.degrees and _is_angle(gold) else policy
    return compare_singles(ours.claims, gold.claims, part_policy)


def _is_angle(gold: Part) -> bool:
    quantity = gold.claims[0].quantity
    return quantity.degrees or quantity.radians


def _together(results: Mapping[str, Comparison]) -> Comparison:
    for label, result in results.items():
        if not result.matched:
            return replace(result, why=f"part {label}: {result.why}")
    verdicts = {result.verdict for result in results.values()}
    flags = tuple(dict.fromkeys(flag for result in results.values() for flag in result.flags))
    if "numeric" in verdicts:
        return Comparison(verdict="numeric", why="all parts, with a decimal correctly rounded", flags=flags)
    return Comparison(verdict="exact", why="all parts equal the gold's", flags=flags)


def _in_order(ours: tuple[Claim, ...], gold: tuple[Claim, ...], policy: Policy) -> Comparison:
    if len(ours) != len(gold):
        return Comparison(verdict="wrong", why=f"{len(ours)} values, where the gold has {len(gold)}")
    pairs = zip(ours, gold, strict=True)
    return _together({str(place): compared(mine, truth, policy) for place, (mine, truth) in enumerate(pairs, 1)})


def _as_sets(ours: tuple[Claim, ...], gold: tuple[Claim, ...], policy: Policy) -> Comparison:
    mine, rest = distinct(ours), list(distinct(gold))
    if len(mine) != len(rest):
        return Comparison(verdict="wrong", why=f"{len(mine)} values, where the gold has {len(rest)}")
    results = {}
    for claim in mine:
        compared_all = [compared(claim, truth, policy) for truth in rest]
        place = next((at for at, result in enumerate(compared_all) if result.matched), None)
        if place is None:
            return replace(compared_all[0], why=f"{claim.text[:40]}: none of the gold's values")
        results[claim.text] = compared_all[place]
        rest.pop(place)
    return _together(results)
