"""Scores in the form of every suite; what cannot be compared is unscored, not wrong."""

from __future__ import annotations

import subprocess
import sys

import pytest

from scorers.auxsolidmath import (
    ANSWER_KINDS,
    AnswerCheck,
    ExactScore,
    GoldError,
    as_score,
    check_answer,
    score_auxsolidmath,
    score_exact,
)

TRUTH = {"kind": "CALCULATION", "answer": "2√5/5", "answer_kind": "number"}


def test_a_right_answer_passes_with_one_row() -> None:
    score = score_auxsolidmath("\\boxed{\\frac{2}{\\sqrt5}}", TRUTH)

    assert score.passed
    assert score.parsed
    assert score.rule == "last box"
    assert score.answer is not None
    assert score.answer["verdict"] == "exact"
    assert [(row.field, row.prediction, row.truth, row.passed) for row in score.fields] == [
        ("conclusion_correct", 1.0, 1.0, True)
    ]


def test_a_wrong_answer_fails_and_says_why() -> None:
    score = score_auxsolidmath("The answer is 0.9001.", TRUTH)

    assert not score.passed
    assert score.fields[0].prediction == 0.0
    assert score.fields[0].why == "wrong: 0.9001 is not 0.894427191"


@pytest.mark.parametrize("text", [None, "", "I do not know.", "\\boxed{\\frac{2}{"])
def test_no_answer_is_unparsed_and_fails_without_a_prediction(text: str | None) -> None:
    score = score_auxsolidmath(text, TRUTH)

    assert not score.passed
    assert not score.parsed
    assert score.fields[0].prediction is None


def test_a_proof_is_unscored_by_design() -> None:
    score = score_auxsolidmath("AE ⊥ PBC. Done.", {"kind": "PROVING", "answer": "", "answer_kind": "claim"})

    assert score.unscored is not None
    assert score.unscored.cause == "design"
    assert "--judge" in score.unscored.why
    assert not score.passed
    assert score.fields == ()


def test_a_gold_outside_the_grammar_is_unscored_and_named() -> None:
    exact = score_exact("5", gold="see the figure", answer_kind="number", kind="CALCULATION")

    assert exact.check is None
    assert exact.unscored is not None
    assert "expected a gold answer of kind number, got 'see the figure'" in exact.unscored.why
    assert as_score(exact).unscored == exact.unscored


@pytest.mark.parametrize("gold", ["", "1/0", "√(-1)", "arccos 2", "9^{99}", "a b c d e f =", "(1) ; (2) 3"])
@pytest.mark.parametrize("kind", ANSWER_KINDS)
def test_a_gold_without_a_value_is_refused(gold: str, kind: str) -> None:
    known = next(name for name in ANSWER_KINDS if name == kind)
    with pytest.raises(GoldError, match=f"expected a gold answer of kind {kind}, got "):
        check_answer("1", gold, answer_kind=known)


def test_unknown_kinds_are_named() -> None:
    with pytest.raises(ValueError, match=r"expected kind out of CALCULATION, PROVING, got 'DRAWING'"):
        score_exact("1", gold="1", answer_kind="number", kind="DRAWING")
    with pytest.raises(ValueError, match=r"expected answer_kind out of number, .*, got 'word'"):
        score_exact("1", gold="1", answer_kind="word", kind="CALCULATION")
    with pytest.raises(ValueError, match=r"expected answer_kind out of number, .*, got 'word'"):
        check_answer("1", "1", answer_kind="word")  # type: ignore[arg-type]


def test_an_exact_score_is_a_check_or_a_reason() -> None:
    check = AnswerCheck(verdict="exact", found="1", rule="last box", why="equals the gold")
    assert check.matched
    with pytest.raises(ValueError, match="expected either a check or the reason"):
        ExactScore(check=None)


def test_what_the_question_allows_comes_from_the_truth() -> None:
    third = {"kind": "CALCULATION", "answer": "1/3", "answer_kind": "number"}
    ball = {"kind": "CALCULATION", "answer": "36π", "answer_kind": "number"}
    plane = {"kind": "CALCULATION", "answer": "arccos(1/3)", "answer_kind": "angle"}

    assert not score_auxsolidmath("33.3%", third).passed
    assert score_auxsolidmath("33.3%", third | {"asked_percent": True}).passed
    assert not score_auxsolidmath("113.04", ball).passed
    assert score_auxsolidmath("113.04", ball | {"pi_as_3_14": True}).passed
    assert "supplement" in score_auxsolidmath("109.5°", plane).fields[0].why
    assert "supplement" not in score_auxsolidmath("109.5°", plane | {"obtuse_allowed": True}).fields[0].why


def test_checking_imports_the_standard_library_only() -> None:
    code = (
        "import sys, scorers.auxsolidmath as checker\n"
        "assert checker.check_answer('\\\\boxed{1}', '1', answer_kind='number').matched\n"
        "print(sorted({'numpy', 'sympy', 'mpmath', 'multiprocessing'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"
