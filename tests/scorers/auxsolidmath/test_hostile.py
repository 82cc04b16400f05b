"""Texts that must end in a verdict, whichever, in bounded work; and no path from a text to evaluation."""

from __future__ import annotations

import ast
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorers.auxsolidmath import ANSWER_KINDS, AnswerCheck, check_answer
from scorers.auxsolidmath.reading.plain_text import MAX_CHARS
from tests.conftest import ROOT

GOLDS = {
    "number": "√2+√3",
    "angle": "60°",
    "multi": "(1) 2; (2) 3",
    "interval": "(0,1]",
    "symbolic": "a√3",
    "ratio": "1:2",
}

PIECES = (
    "9^", "(", "\\boxed{", "\\frac{", "$", "\\[", "\\(", "= ", "is ", "1,", "1 or ", "√", "\\sqrt{",
    "not 5 ", "(not ", "wait ", "answer is ", "\\boxed{5} ", "(1) ", "|", "{,}", "*", "**", "。", "约", "二",
    "百千", "\0", "\ud800", "א", "\u0307", "1", "<think>", "a", "\n", "The answer is 5. ", "\\text{",
    "\\overline{", "^{", "\\dot{3}", "5 ", "^\\circ", "{}^\\circ ", "≈", "=≈", "because ", "(or ",
    "(5 or ", "∪", "<", "0<", "[0,", ": ", "1:", "½", "⁰", "①", "| a ", "_", "x_", "第一问", "\\\\", "…",
    "0.(3)", "-", "arccos ", "不是", "舍去", "即", "为", "(舍去)", "\\begin{a}", "_{1}", "'", '"',
)  # fmt: skip


@pytest.mark.parametrize(
    "kind", ["number", *(pytest.param(kind, marks=pytest.mark.sweep) for kind in ANSWER_KINDS[1:])]
)
def test_repeated_pieces_end_in_a_verdict(kind: str) -> None:
    known = next(name for name in ANSWER_KINDS if name == kind)
    for piece in PIECES:
        for text in ("Answer: " + piece * 100, "\\boxed{" + piece * 40):
            assert isinstance(check_answer(text, GOLDS[kind], answer_kind=known), AnswerCheck)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ANSWER_KINDS)
def test_many_repeated_pieces_end_in_a_verdict(kind: str) -> None:
    known = next(name for name in ANSWER_KINDS if name == kind)
    for piece in PIECES:
        assert isinstance(check_answer(piece * 10_000, GOLDS[kind], answer_kind=known), AnswerCheck)


@settings(deadline=None, max_examples=25)
@given(st.text(max_size=60), st.sampled_from(ANSWER_KINDS))
def test_any_text_gets_a_verdict(text: str, kind: str) -> None:
    known = next(name for name in ANSWER_KINDS if name == kind)
    assert isinstance(check_answer(f"\\boxed{{{text}", GOLDS[kind], answer_kind=known), AnswerCheck)
    assert isinstance(check_answer(text, GOLDS[kind], answer_kind=known), AnswerCheck)


@settings(deadline=None, max_examples=25)
@given(st.lists(st.sampled_from((*PIECES, "2", "3", "+", "-", "/", "}", ")", "]", " ")), max_size=14))
def test_any_mixture_of_notation_gets_a_verdict(pieces: list[str]) -> None:
    for kind in ANSWER_KINDS:
        assert isinstance(check_answer("".join(pieces), GOLDS[kind], answer_kind=kind), AnswerCheck)


def test_only_the_end_of_a_long_reply_is_read() -> None:
    long = "The answer is 5. " + "filler " * MAX_CHARS
    assert check_answer(long, "5", answer_kind="number").verdict == "unparsed"
    assert check_answer(f"{long}\nThe answer is 5.", "5", answer_kind="number").matched


def test_what_was_found_is_cut_short() -> None:
    check = check_answer("\\boxed{" + "x" * 5_000 + "}", "5", answer_kind="number")

    assert len(check.found) <= 200
    assert "\n" not in check.why


def test_threads_may_check_at_once() -> None:
    results: list[bool] = []

    def work() -> None:
        results.extend(
            check_answer(f"\\sqrt{{{n * n * 2}}}", f"{n}√2", answer_kind="number").matched for n in range(2, 40)
        )

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 4 * 38


EVALUATORS = {
    "eval", "exec", "compile", "__import__", "sympify", "parse_expr", "parse_latex", "literal_eval", "getattr",
}  # fmt: skip
MODULES = {
    "sympy", "mpmath", "importlib", "builtins", "ast", "pickle", "marshal", "subprocess", "os", "code", "numexpr",
}  # fmt: skip


def test_no_scorer_names_anything_that_evaluates_text() -> None:
    found = set()
    for path in sorted((ROOT / "scorers").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = {node.id} if isinstance(node, ast.Name) else set()
            names |= {node.attr} if isinstance(node, ast.Attribute) and node.attr != "compile" else set()
            if isinstance(node, ast.Import):
                names |= {alias.name.split(".")[0] for alias in node.names} & MODULES
            elif isinstance(node, ast.ImportFrom):
                names |= {str(node.module).split(".")[0]} & MODULES | {alias.name for alias in node.names}
            found |= {f"{path.name}: {name}" for name in names & (EVALUATORS | MODULES)}
    assert found == set()
