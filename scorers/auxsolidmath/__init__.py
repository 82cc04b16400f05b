"""AuxSolidMath: checking final answers exactly, offline, without evaluating any text.

Importing the package loads the standard library only, and so does checking.
"""

from scorers.auxsolidmath.check import check_answer
from scorers.auxsolidmath.records import ANSWER_KINDS, AnswerCheck, AnswerKind, GoldError, Verdict
from scorers.auxsolidmath.scoring import ExactScore, ProblemKind, as_score, score_auxsolidmath, score_exact

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
