"""How long exact checking takes: 10,000 short answers, and texts made to be slow. Prints what it measured."""

from __future__ import annotations

import time

import pytest

from scorers.auxsolidmath import ANSWER_KINDS, check_answer
from tests.scorers.auxsolidmath.ledger import LEDGER
from tests.scorers.auxsolidmath.test_hostile import GOLDS, PIECES

pytestmark = pytest.mark.performance

CHECKS = 10_000
CHECKS_LIMIT_S = 20.0
ONE_LIMIT_S = 2.0
LONG_CHARS = 10_000_000
SLOW = (
    ("\\boxed{\\sqrt[12]{√2+√3}\\sqrt[11]{√5+√7}}", "\\sqrt[12]{√3+√2}\\sqrt[11]{√7+√5}+0"),
    ("\\boxed{√(2+√(2+√(2+√(2+√(2+√(2+√2))))))}", "2cos(π/256)"),
    ("\\boxed{8cos(π/7)cos(2π/7)cos(3π/7)cos(π/11)}", "cos(π/11)"),
    ("\\boxed{(\\sin(\\cos(\\sqrt2)))^{5/12}}", "\\sqrt{((\\sin(\\cos(\\sqrt2)))^{5/12})^2}"),
    ("\\boxed{((((9^{12})^{12})^{12})^{12})^{12}}", "1"),
)


def test_ten_thousand_short_answers() -> None:
    pairs = [(kind, f"{text} ", gold) for kind, pairs in LEDGER for text, gold, _ in pairs]
    start = time.process_time()
    for place in range(CHECKS):
        kind, text, gold = pairs[place % len(pairs)]
        check_answer(f"{text}%{place}" if place % 2 else text, gold, answer_kind=kind)
    taken = time.process_time() - start
    print(f"\n{CHECKS} checks: {taken:.2f} s of CPU, {1e3 * taken / CHECKS:.2f} ms each")
    assert taken < CHECKS_LIMIT_S


@pytest.mark.parametrize("kind", ANSWER_KINDS)
def test_ten_million_characters_of_any_piece(kind: str) -> None:
    known = next(name for name in ANSWER_KINDS if name == kind)
    slowest, worst = 0.0, ""
    for piece in PIECES:
        long = piece * (LONG_CHARS // len(piece))
        start = time.process_time()
        check_answer(long, GOLDS[kind], answer_kind=known)
        taken = time.process_time() - start
        slowest, worst = max((slowest, worst), (taken, piece))
    print(f"\n{kind}: {len(PIECES)} texts of 10 MB, at most {slowest:.2f} s of CPU ({worst!r})")
    assert slowest < ONE_LIMIT_S


@pytest.mark.parametrize(("text", "gold"), SLOW)
def test_answers_made_to_be_slow(text: str, gold: str) -> None:
    start = time.process_time()
    check = check_answer(text, gold, answer_kind="number")
    taken = time.process_time() - start
    print(f"\n{check.verdict}: {taken:.2f} s of CPU")
    assert taken < ONE_LIMIT_S
