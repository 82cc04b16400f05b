"""Replies and golds that must match, or must not: the ledger, and the reference's own pairs."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from scorers.auxsolidmath import check_answer
from tests.scorers.auxsolidmath.ledger import LEDGER
from tests.scorers.auxsolidmath.sceptic import SCEPTIC
from tests.scorers.auxsolidmath.worded import WORDED

if TYPE_CHECKING:
    from pathlib import Path

    from scorers.auxsolidmath import AnswerKind

_LINES = [
    pytest.param(kind, *pair, id=f"{kind}-{pair[0][:40]}")
    for kind, pairs in (*LEDGER, *SCEPTIC, *WORDED)
    for pair in pairs
]


@pytest.mark.parametrize(("kind", "text", "gold", "match"), _LINES)
def test_an_answer_matches_only_what_it_equals(kind: AnswerKind, text: str, gold: str, match: bool) -> None:
    check = check_answer(text, gold, answer_kind=kind)

    assert check.matched == match, check


@pytest.mark.parametrize("kind", [kind for kind, _ in LEDGER])
def test_every_gold_of_the_ledger_matches_itself(kind: AnswerKind) -> None:
    golds = {gold for name, pairs in LEDGER if name == kind for _, gold, _ in pairs}
    for gold in golds:
        assert check_answer(f"\\boxed{{{gold}}}", gold, answer_kind=kind).verdict == "exact", gold


def test_the_ledger_holds_at_least_150_pairs_of_every_kind_and_both_labels() -> None:
    counts = Counter((kind, match) for kind, pairs in LEDGER for _, _, match in pairs)

    assert sum(counts.values()) >= 150
    assert all(counts[kind, match] >= 5 for kind, _ in LEDGER for match in (True, False))


@pytest.fixture
def reference(shared: Path) -> list[dict[str, Any]]:
    path = shared / "data" / "auxsolidmath" / "answer_pairs.jsonl"
    if not path.is_file():
        pytest.skip("reference data hold no answer pairs")
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_the_reference_pairs_are_all_told_right(reference: list[dict[str, Any]]) -> None:
    checks = {pair["id"]: check_answer(pair["text"], pair["gold"], answer_kind=pair["kind"]) for pair in reference}
    wrong = {pair["id"]: checks[pair["id"]] for pair in reference if checks[pair["id"]].matched != pair["match"]}

    assert wrong == {}


def test_other_checkers_score_less_on_the_reference_pairs(reference: list[dict[str, Any]]) -> None:
    """Print (with -s) what Math-Verify, and a plain parse by sympy, get right on the same pairs."""
    math_verify = pytest.importorskip("math_verify", reason="needs the package math-verify")
    ours = _right(reference, _ours)
    theirs = _right(reference, lambda pair: _math_verify(math_verify, pair))
    plain = _right(reference, _plain_sympy)
    print(f"\nof {len(reference)} pairs: ours {ours}, Math-Verify {theirs}, sympy {plain} (right, false accepts)")

    assert ours[0] > max(theirs[0], plain[0])


def _right(pairs: list[dict[str, Any]], matches: Any) -> tuple[int, int]:
    found = [(matches(pair), pair["match"]) for pair in pairs]
    return sum(got == want for got, want in found), sum(got and not want for got, want in found)


def _ours(pair: dict[str, Any]) -> bool:
    return check_answer(pair["text"], pair["gold"], answer_kind=pair["kind"]).matched


_POWER_TOWER = "9^{9^{9^{9}}}"
"""Neither of the other two comes back from it."""


def _math_verify(package: Any, pair: dict[str, Any]) -> bool:
    if _POWER_TOWER in pair["text"]:
        return bool(pair["match"])
    gold = package.parse(f"${pair['gold'].replace('√', chr(92) + 'sqrt ')}$", parsing_timeout=None)
    return bool(package.verify(gold, package.parse(pair["text"], parsing_timeout=None), timeout_seconds=None))


def _plain_sympy(pair: dict[str, Any]) -> bool:
    from sympy import simplify  # noqa: PLC0415 - an optional package
    from sympy.parsing.latex import parse_latex  # noqa: PLC0415

    if _POWER_TOWER in pair["text"]:
        return bool(pair["match"])
    _, _, boxed = pair["text"].rpartition("\\boxed{")
    text = boxed.rpartition("}")[0] or pair["text"].rpartition("=")[2].strip(" .$")
    try:
        return bool(simplify(parse_latex(text, backend="lark") - parse_latex(pair["gold"], backend="lark")) == 0)
    except Exception:  # noqa: BLE001 - it raises errors of many kinds
        return False
