"""Checking the final answer of a reply against an exact gold answer, offline."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from scorers.auxsolidmath.comparing import Comparison, Policy, as_double
from scorers.auxsolidmath.enclosure import NoRealValueError
from scorers.auxsolidmath.equality import is_nowhere_negative
from scorers.auxsolidmath.expression import Expression, letters_of
from scorers.auxsolidmath.intervals import Interval, compare_intervals, parse_intervals
from scorers.auxsolidmath.locating import Withdrawn, locate
from scorers.auxsolidmath.parts import Parts, compare_parts, labelled_parts, parse_parts
from scorers.auxsolidmath.plain_text import plain
from scorers.auxsolidmath.ratios import Ratio, compare_ratios, parse_ratio
from scorers.auxsolidmath.reading import Claim, claims_of, read_located
from scorers.auxsolidmath.records import ANSWER_KINDS, AnswerCheck, GoldError
from scorers.auxsolidmath.separation import UndecidedError
from scorers.auxsolidmath.singles import compare_singles
from scorers.auxsolidmath.tokens import SyntaxFault

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scorers.auxsolidmath.locating import Located
    from scorers.auxsolidmath.records import AnswerKind, Verdict

__all__ = ["check_answer", "checked_gold"]

Reading = tuple[Claim, ...] | tuple[Interval, ...] | Parts | Ratio

_MOST_FOUND_CHARS = 200
_GOLD_LETTER = re.compile(r"(?<![A-Za-z\\])[A-Za-z](?![A-Za-z])|[αβγδεθλμρστφψω]")
_UNIT_LETTERS = frozenset("m")
_NAMES = re.compile(r"[^=≈;,]{1,40}[=≈∈]")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Gold:
    """A gold answer, read."""

    reading: Reading
    letters: frozenset[str]


def check_answer(
    text: str | None,
    gold: str,
    *,
    answer_kind: AnswerKind,
    asked_percent: bool = False,
    obtuse_allowed: bool = False,
    pi_as_3_14: bool = False,
    parameters: Sequence[str] = (),
) -> AnswerCheck:
    """Check a reply's final answer; any text gets a verdict, in bounded work, and nothing of it is evaluated.

    Args:
        text: the reply; None for a reply that is no answer.
        gold: the exact answer, in LaTeX or plain signs.
        answer_kind: what the gold is; it decides how the answer is read.
        asked_percent: percent are asked for, so that a rounded percentage may pass.
        obtuse_allowed: the asked angle may be obtuse (a dihedral angle); else `why` names a supplement as such.
        pi_as_3_14: the question says to take pi as 3.14.
        parameters: letters that the answer may hold; those of the gold are always among them.

    Raises:
        GoldError: the gold cannot be read.
        ValueError: an unknown kind.
    """
    policy = Policy(
        kind=answer_kind, asked_percent=asked_percent, obtuse_allowed=obtuse_allowed, pi_as_3_14=pi_as_3_14
    )
    truth = checked_gold(gold, answer_kind, tuple(parameters))
    if text is None:
        return AnswerCheck(verdict="unparsed", found="", rule="no reply", why="no reply")
    seen = plain(text)
    try:
        located = locate(seen, many=answer_kind == "multi")
    except Withdrawn as withdrawn:
        return AnswerCheck(verdict="ambiguous", found="", rule="withdrawn", why=str(withdrawn))
    if located is None:
        return AnswerCheck(verdict="unparsed", found="", rule="none", why="no answer found")
    return _checked(seen, located, truth, policy)


@lru_cache(maxsize=4096)
def checked_gold(gold: str, answer_kind: AnswerKind, parameters: tuple[str, ...] = ()) -> _Gold:
    """Read a gold answer.

    Raises:
        GoldError: it cannot be read as that kind.
        ValueError: an unknown kind.
    """
    if answer_kind not in ANSWER_KINDS:
        raise ValueError(f"expected answer_kind out of {', '.join(ANSWER_KINDS)}, got {answer_kind!r}")
    seen = plain(gold).strip()
    letters = frozenset(parameters)
    if answer_kind in {"symbolic", "number"}:
        letters |= _letters_in(seen) - (_UNIT_LETTERS if answer_kind == "number" else frozenset())
    try:
        reading = _read(seen, answer_kind, letters)
        for expression in _expressions(reading):
            is_nowhere_negative(expression)  # raises where there is no real value
    except (SyntaxFault, ArithmeticError) as fault:
        raise GoldError(f"expected a gold answer of kind {answer_kind}, got {gold[:60]!r}: {fault}") from fault
    if reading is None:
        raise GoldError(f"expected a gold answer of kind {answer_kind}, got {gold[:60]!r}")
    return _Gold(reading=reading, letters=letters)


def _expressions(reading: Reading | None) -> list[Expression]:
    """Return every value in a gold answer."""
    if isinstance(reading, Ratio):
        return [*reading.terms, *(claim.quantity.expression for claim in reading.claims)]
    if isinstance(reading, Parts):
        return [claim.quantity.expression for claim in reading.all_values]
    ends = [
        end
        for entry in reading or ()
        for end in ((entry,) if isinstance(entry, Claim) else (entry.low, entry.high))
    ]
    return [end.quantity.expression for end in ends if end is not None]


def _letters_in(gold: str) -> frozenset[str]:
    """Return the gold's letters that are no names on the left of `=`."""
    value = _NAMES.sub(" ", gold)
    found = set(_GOLD_LETTER.findall(value))
    glued = {
        sign
        for word in re.findall(r"(?<![A-Za-z\\])[A-Za-z]{2,3}(?![A-Za-z(])", value)
        for sign in word
        if _is_product(word)
    }
    return frozenset(found | glued)


def _is_product(word: str) -> bool:
    return word not in {
        "pi",
        "cm",
        "mm",
        "dm",
        "km",
        "rad",
        "deg",
        "cos",
        "sin",
        "tan",
        "cot",
        "or",
        "and",
        "sq",
        "cu",
        "ft",
        "is",
    }


def _read(text: str, kind: AnswerKind, letters: frozenset[str]) -> Reading | None:
    if kind == "interval":
        return parse_intervals(text, letters)
    if kind == "multi":
        return parse_parts(text, letters)
    if kind == "ratio":
        return parse_ratio(text, letters)
    return claims_of(text, letters) or None


def _checked(seen: str, located: Located, gold: _Gold, policy: Policy) -> AnswerCheck:
    found = located.texts[0]
    reading: Reading | None = None
    try:
        read = _read_answer(located, gold, policy)
        if read is not None:
            found, reading = read
        reading = _with_labels(seen, reading, gold)
    except SyntaxFault as fault:
        verdict: Verdict = "truncated" if located.open_box else "unparsed"
        return _result(verdict, found, located, f"no answer of the grammar: {fault}")
    except Withdrawn as withdrawn:
        return _result("ambiguous", found, located, str(withdrawn))
    if reading is None:
        return _result("unparsed", found, located, "no value in it")
    return _compared(reading, found, located, gold, policy)


def _read_answer(located: Located, gold: _Gold, policy: Policy) -> tuple[str, Reading] | None:
    """Read the located texts: beside another quantity a named angle does not count, alone it does."""
    if policy.kind == "number" and not any(claim.quantity.degrees for claim in _claims(gold.reading)):
        read = read_located(located, lambda text: claims_of(text, gold.letters, angles=False) or None)
        if read is not None:
            return read
    return read_located(located, _reader(policy.kind, gold.letters))


def _reader(kind: AnswerKind, letters: frozenset[str]) -> Callable[[str], Reading | None]:
    return lambda text: _read(text, kind, letters)


def _with_labels(seen: str, reading: Reading | None, gold: _Gold) -> Reading | None:
    """Look for the gold's labels in the whole solution when the located answer does not have them all."""
    if not isinstance(gold.reading, Parts) or not gold.reading.labelled:
        return reading
    labels = frozenset(gold.reading.labelled)
    if isinstance(reading, Parts) and labels <= set(reading.labelled):
        return reading
    return labelled_parts(seen, labels, gold.letters) or reading


def _compared(reading: Reading, found: str, located: Located, gold: _Gold, policy: Policy) -> AnswerCheck:
    try:
        result = _comparison(reading, gold.reading, policy)
    except NoRealValueError as fault:
        return _result("wrong", found, located, f"no real value: {fault}")
    except UndecidedError as fault:
        return _result("timeout", found, located, str(fault))
    flags = result.flags
    if located.open_box:
        flags = (*flags, "box left open")
    return _result(result.verdict, _found(reading, found), located, result.why, flags=flags, value=_value(reading))


def _comparison(reading: Reading, gold: Reading, policy: Policy) -> Comparison:
    if isinstance(gold, Parts) and isinstance(reading, Parts):
        return compare_parts(reading, gold, policy)
    if isinstance(gold, Ratio) and isinstance(reading, Ratio):
        return compare_ratios(reading, gold, policy)
    if policy.kind == "interval":
        return compare_intervals(reading, gold, policy)  # type: ignore[arg-type]
    return compare_singles(reading, gold, policy)  # type: ignore[arg-type]


def _found(reading: Reading, text: str) -> str:
    """Return the texts of the values where there are some, else where they were found."""
    claims = _claims(reading)
    return ", ".join(dict.fromkeys(claim.text for claim in claims)) if claims else text


def _claims(reading: Reading) -> tuple[Claim, ...]:
    if isinstance(reading, Ratio):
        return reading.claims
    if isinstance(reading, Parts):
        return reading.values
    return tuple(entry for entry in reading if isinstance(entry, Claim))


def _value(reading: Reading) -> float | None:
    claims = _claims(reading)
    if len(claims) != 1 or letters_of(claims[0].quantity.expression):
        return None
    return as_double(claims[0].quantity.expression)


def _result(
    verdict: Verdict,
    found: str,
    located: Located,
    why: str,
    *,
    flags: tuple[str, ...] = (),
    value: float | None = None,
) -> AnswerCheck:
    return AnswerCheck(
        verdict=verdict,
        found=found.strip(" $\n")[:_MOST_FOUND_CHARS],
        rule=located.rule,
        why=why,
        value=value,
        flags=flags,
    )
