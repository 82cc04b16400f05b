"""AuxSolidMath: checking final answers exactly, offline, without evaluating any text.

Importing the package loads the standard library only, and so does checking.
"""

from scorers.auxsolidmath.scoring import (
    ANSWER_KINDS,
    AnswerCheck,
    AnswerKind,
    ExactScore,
    GoldError,
    ProblemKind,
    Verdict,
    as_score,
    check_answer,
    score_auxsolidmath,
    score_exact,
)

__all__ = [
    "ANSWER_KINDS",
    "AnswerCheck",
    "AnswerKind",
    "ExactScore",
    "GoldError",
    "ProblemKind",
    "Verdict",
    "as_score",
    "check_answer",
    "score_auxsolidmath",
    "score_exact",
]
