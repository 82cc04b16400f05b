"""Checking the final answer of a reply against an exact gold answer, offline, and the score of it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, TypedDict, get_args

from scorers.auxsolidmath.exact.comparing import ComparisonPolicy, Verdict, as_double, compare
from scorers.auxsolidmath.exact.value import (
    Expression,
    NoRealValueError,
    UndecidedError,
    is_nowhere_negative,
    letters_of,
)
from scorers.auxsolidmath.reading.claims import Claim, claims_of, read_located
from scorers.auxsolidmath.reading.forms import ANSWER_KINDS, AnswerKind, Parts, Ratio, labelled_parts, read_as
from scorers.auxsolidmath.reading.locating import Withdrawn, locate
from scorers.auxsolidmath.reading.plain_text import plain
from scorers.auxsolidmath.reading.tokens import SyntaxFault
from scorers.score import Score, Unscored, field_row

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Unpack

    from scorers.auxsolidmath.reading.forms import Answer
    from scorers.auxsolidmath.reading.locating import Located
    from scorers.score import FieldScore

__all__ = [
    "ANSWER_KINDS",
    "AnswerCheck",
    "AnswerKind",
    "ExactScore",
    "GoldError",
    "Options",
    "ProblemKind",
    "Verdict",
    "as_score",
    "check_answer",
    "score_auxsolidmath",
    "score_exact",
]


class GoldError(ValueError):
    """The gold answer is outside the grammar, so that nothing can be compared with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerCheck:
    """One checked answer.

    `verdict`: `exact` (the same value), `numeric` (a decimal that is the gold correctly rounded), `wrong`,
    `unparsed` (no answer found, or outside the grammar), `ambiguous` (two readings, or an answer withdrawn
    without another), `truncated` (cut off inside the answer), `timeout` (not decided within the bounds). `found`
    is the text taken as the answer, `rule` the rule that located it, `why` a clause a person can read, `value`
    the answer as a double where it is one number without parameters. `flags` name allowances that were made, such
    as "bare number read as degrees".
    """

    verdict: Verdict
    found: str
    rule: str
    why: str
    value: float | None = None
    flags: tuple[str, ...] = ()

    @property
    def matched(self) -> bool:
        """Whether the answer counts as right."""
        return self.verdict in {"exact", "numeric"}


_MOST_FOUND_CHARS = 200
_GOLD_LETTER = re.compile(r"(?<![A-Za-z\\])[A-Za-z](?![A-Za-z])|[αβγδεθλμρστφψω]")
_UNIT_LETTERS = frozenset("m")
_WORDS = frozenset({
    "pi", "cm", "mm", "dm", "km", "rad", "deg", "cos", "sin", "tan", "cot", "or", "and", "sq", "cu", "ft", "is",
})  # fmt: skip
_NAMES = re.compile(r"[^=≈;,]{1,40}[=≈∈]")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Gold:
    """A gold answer, read."""

    reading: Answer
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
    policy = ComparisonPolicy(
        kind=answer_kind, asked_percent=asked_percent, obtuse_allowed=obtuse_allowed, pi_as_3_14=pi_as_3_14
    )
    truth = _checked_gold(gold, answer_kind, tuple(parameters))
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
def _checked_gold(gold: str, answer_kind: AnswerKind, parameters: tuple[str, ...] = ()) -> _Gold:
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
        reading = read_as(seen, answer_kind, letters)
        for expression in _expressions(reading):
            is_nowhere_negative(expression)  # raises where there is no real value
    except (SyntaxFault, ArithmeticError) as fault:
        raise GoldError(f"expected a gold answer of kind {answer_kind}, got {gold[:60]!r}: {fault}") from fault
    if reading is None:
        raise GoldError(f"expected a gold answer of kind {answer_kind}, got {gold[:60]!r}")
    return _Gold(reading=reading, letters=letters)


def _expressions(reading: Answer | None) -> list[Expression]:
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
        if word not in _WORDS
    }
    return frozenset(found | glued)


def _checked(seen: str, located: Located, gold: _Gold, policy: ComparisonPolicy) -> AnswerCheck:
    found = located.texts[0]
    reading: Answer | None = None
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


def _read_answer(located: Located, gold: _Gold, policy: ComparisonPolicy) -> tuple[str, Answer] | None:
    """Read the located texts: beside another quantity a named angle does not count, alone it does."""
    if policy.kind == "number" and not any(claim.quantity.degrees for claim in _claims(gold.reading)):
        read = read_located(located, lambda text: claims_of(text, gold.letters, angles=False) or None)
        if read is not None:
            return read
    return read_located(located, lambda text: read_as(text, policy.kind, gold.letters))


def _with_labels(seen: str, reading: Answer | None, gold: _Gold) -> Answer | None:
    """Look for the gold's labels in the whole solution when the located answer does not have them all."""
    if not isinstance(gold.reading, Parts) or not gold.reading.labelled:
        return reading
    labels = frozenset(gold.reading.labelled)
    if isinstance(reading, Parts) and labels <= set(reading.labelled):
        return reading
    return labelled_parts(seen, labels, gold.letters) or reading


def _compared(reading: Answer, found: str, located: Located, gold: _Gold, policy: ComparisonPolicy) -> AnswerCheck:
    try:
        result = compare(reading, gold.reading, policy)
    except NoRealValueError as fault:
        return _result("wrong", found, located, f"no real value: {fault}")
    except UndecidedError as fault:
        return _result("timeout", found, located, str(fault))
    checked = _result(result.verdict, _found(reading, found), located, result.why)
    flags = (*result.flags, "box left open") if located.open_box else result.flags
    return replace(checked, flags=flags, value=_value(reading))


def _found(reading: Answer, text: str) -> str:
    """Return the texts of the values where there are some, else where they were found."""
    claims = _claims(reading)
    return ", ".join(dict.fromkeys(claim.text for claim in claims)) if claims else text


def _claims(reading: Answer) -> tuple[Claim, ...]:
    if isinstance(reading, Ratio):
        return reading.claims
    if isinstance(reading, Parts):
        return reading.values
    return tuple(entry for entry in reading if isinstance(entry, Claim))


def _value(reading: Answer) -> float | None:
    claims = _claims(reading)
    if len(claims) != 1 or letters_of(claims[0].quantity.expression):
        return None
    return as_double(claims[0].quantity.expression)


def _result(verdict: Verdict, found: str, located: Located, why: str) -> AnswerCheck:
    found = found.strip(" $\n")[:_MOST_FOUND_CHARS]
    return AnswerCheck(verdict=verdict, found=found, rule=located.rule, why=why)


ProblemKind = Literal["CALCULATION", "PROVING"]


class Options(TypedDict, total=False):
    """What a question allows besides: see `check_answer`."""

    asked_percent: bool
    obtuse_allowed: bool
    pi_as_3_14: bool
    parameters: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExactScore:
    """Either a checked answer, or the reason why there is none: neither right nor wrong."""

    check: AnswerCheck | None = None
    unscored: Unscored | None = None

    def __post_init__(self) -> None:
        if (self.check is None) == (self.unscored is None):
            raise ValueError("expected either a check or the reason why there is none")


def score_exact(
    text: str | None, *, gold: str, answer_kind: str, kind: str, **options: Unpack[Options]
) -> ExactScore:
    """Check a calculation's answer; a proof, and a gold that cannot be read, are unscored.

    Args:
        text: the reply; None for a reply that is no answer.
        gold: the exact answer.
        answer_kind: one of `ANSWER_KINDS`.
        kind: "CALCULATION" or "PROVING".
        options: what the question allows besides.

    Raises:
        ValueError: an unknown kind, or an unknown kind of answer to a calculation.
    """
    if kind not in get_args(ProblemKind):
        raise ValueError(f"expected kind out of {', '.join(get_args(ProblemKind))}, got {kind!r}")
    if kind == "PROVING":
        return ExactScore(unscored=Unscored(cause="design", why="a proof is judged by a model only (--judge)"))
    known = next((name for name in ANSWER_KINDS if name == answer_kind), None)
    if known is None:
        raise ValueError(f"expected answer_kind out of {', '.join(ANSWER_KINDS)}, got {answer_kind!r}")
    try:
        return ExactScore(check=check_answer(text, gold, answer_kind=known, **options))
    except GoldError as error:
        why = f"{error}; mend the gold, or name a judge (--judge)"
        return ExactScore(unscored=Unscored(cause="design", why=why))


def score_auxsolidmath(text: str | None, truth: Mapping[str, object]) -> Score:
    """Score a reply against an item's truth: `kind`, `answer`, `answer_kind`, and what the question allows.

    Raises:
        KeyError: the truth lacks one of the three.
        ValueError: an unknown kind.
    """
    return as_score(
        score_exact(
            text,
            gold=str(truth["answer"]),
            answer_kind=str(truth["answer_kind"]),
            kind=str(truth["kind"]),
            asked_percent=bool(truth.get("asked_percent")),
            obtuse_allowed=bool(truth.get("obtuse_allowed")),
            pi_as_3_14=bool(truth.get("pi_as_3_14")),
        )
    )


def as_score(exact: ExactScore) -> Score:
    """Return the score in the form of every suite: one row, 1 for a right conclusion and 0 for a wrong one."""
    check = exact.check
    if check is None:
        return Score(fields=(), parsed=True, answer=None, rule="none", unscored=exact.unscored)
    answer: dict[str, object] = {
        "found": check.found,
        "verdict": check.verdict,
        "why": check.why,
        "value": check.value,
        "flags": list(check.flags),
    }
    return Score(fields=(_row(check),), parsed=_is_read(check), answer=answer, rule=check.rule)


def _is_read(check: AnswerCheck) -> bool:
    return check.verdict not in {"unparsed", "truncated"}


def _row(check: AnswerCheck) -> FieldScore:
    return field_row(
        "conclusion_correct",
        prediction=float(check.matched) if _is_read(check) else None,
        truth=1.0,
        passed=check.matched,
        why=f"{check.verdict}: {check.why}",
    )
