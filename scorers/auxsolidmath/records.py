"""What a check says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

__all__ = ["ANSWER_KINDS", "AnswerCheck", "AnswerKind", "GoldError", "Verdict"]

AnswerKind = Literal["number", "angle", "multi", "interval", "symbolic", "ratio"]
Verdict = Literal["exact", "numeric", "wrong", "unparsed", "ambiguous", "truncated", "timeout"]

ANSWER_KINDS: tuple[AnswerKind, ...] = get_args(AnswerKind)


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
