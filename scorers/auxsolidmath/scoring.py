"""The exact scorer of the suite: a score for each reply, and "unscored" for what cannot be compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypedDict, get_args

from scorers.auxsolidmath.check import check_answer
from scorers.auxsolidmath.records import ANSWER_KINDS, AnswerCheck, GoldError
from scorers.score import FieldScore, Score, Unscored

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Unpack

__all__ = ["ExactScore", "Options", "ProblemKind", "as_score", "score_auxsolidmath", "score_exact"]

ProblemKind = Literal["CALCULATION", "PROVING"]

_FIELD = "conclusion_correct"


class Options(TypedDict, total=False):
    """What a question allows besides: see `check_answer`."""

    asked_percent: bool
    obtuse_allowed: bool
    pi_as_3_14: bool
    parameters: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExactScore:
    """Either a checked answer, or the reason why there is none: neither right nor wrong."""

    check: AnswerCheck | None
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
        return _unscored("a proof is judged by a model only (--judge)")
    known = next((name for name in ANSWER_KINDS if name == answer_kind), None)
    if known is None:
        raise ValueError(f"expected answer_kind out of {', '.join(ANSWER_KINDS)}, got {answer_kind!r}")
    try:
        return ExactScore(check=check_answer(text, gold, answer_kind=known, **options))
    except GoldError as error:
        return _unscored(f"{error}; mend the gold, or name a judge (--judge)")


def _unscored(why: str) -> ExactScore:
    return ExactScore(check=None, unscored=Unscored(cause="design", why=why))


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
    off = float(not check.matched)
    return FieldScore(
        field=_FIELD,
        scope="final",
        prediction=1.0 - off if _is_read(check) else None,
        truth=1.0,
        abs_err=off if _is_read(check) else None,
        rel_err=off if _is_read(check) else None,
        abs_tol=0.0,
        rel_tol=0.0,
        passed=check.matched,
        why=f"{check.verdict}: {check.why}",
    )
