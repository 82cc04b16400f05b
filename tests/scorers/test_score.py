"""What a reply's score may hold, and when it is a pass."""

from __future__ import annotations

import pytest

from scorers.score import FieldScore, Scope, Score, Unscored


def row(scope: Scope, *, passed: bool) -> FieldScore:
    return FieldScore(
        field="f", scope=scope, prediction=1.0, truth=1.0, abs_err=0.0, rel_err=0.0, abs_tol=1.0, rel_tol=0.0,
        passed=passed, why="",
    )  # fmt: skip


def test_a_reply_without_a_verdict_has_no_fields_and_is_no_pass() -> None:
    without = Unscored(cause="judge", why="no judge")
    assert not Score(fields=(), parsed=True, answer=None, rule="", unscored=without).passed
    with pytest.raises(ValueError, match="an unscored reply has no fields, got 1: no judge"):
        Score(fields=(row("final", passed=True),), parsed=True, answer=None, rule="", unscored=without)


def test_final_fields_alone_decide_and_checkpoints_are_told_apart() -> None:
    score = Score(
        fields=(row("final", passed=True), row("checkpoint", passed=False)), parsed=True, answer={}, rule="json"
    )
    assert (score.passed, score.checkpoints_passed) == (True, False)
