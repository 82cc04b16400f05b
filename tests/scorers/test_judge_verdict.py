"""A judge's text: which forms are a verdict, and which are none."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorers.judge_verdict import MAX_CHARS, JudgeVerdict, NoVerdict, read_verdict

GOOD = {"reasoning_rigorous": True, "conclusion_correct": True, "text_ok": True, "text_reason": "sound"}
BAD = {"reasoning_rigorous": False, "conclusion_correct": True, "text_ok": False, "text_reason": "a gap"}


def text(verdict: dict[str, Any] = GOOD, **changes: Any) -> str:
    return json.dumps({**verdict, **changes})


def without(key: str) -> str:
    return json.dumps({name: value for name, value in GOOD.items() if name != key})


ACCEPTED = {
    "alone": text(),
    "spaces around": f"\n\n  {text()}\n",
    "indented": json.dumps(GOOD, indent=4),
    "in a fence": f"```json\n{text()}\n```",
    "prose before": f"The figure has set {{A, B}} and \\frac{{1}}{{2}}.\n{text()}",
    "prose after": f"{text()}\nThat is my verdict.",
    "after a thought that drafts another": f"<think>{text(BAD)}</think>{text()}",
    "in a list": f"[{text()}]",
    "numbers one and nought": text(reasoning_rigorous=1, conclusion_correct=1, text_ok=1),
    "another key": text(confidence=0.9),
    "a key twice with the same value": text()[:-1] + ', "text_ok": true}',
    "another object beside it": f'{{"steps": 3}} {text()}',
}
REFUSED = {
    "nothing": ("", "no JSON object with a verdict"),
    "words": ("It is correct.", "no JSON object with a verdict"),
    "INCORRECT": ("INCORRECT", "no JSON object with a verdict"),
    "cut off": (text()[:-5], "no JSON object with a verdict"),
    "nested": (json.dumps({"verdict": GOOD}), "no JSON object with a verdict"),
    "only thought": (f"<think>{text()}", "no JSON object with a verdict"),
    "two that agree": (f"{text()}\n{text()}", "2 verdicts instead of one"),
    "two that do not": (f"{text()}\n{text(BAD)}", "2 verdicts instead of one"),
    "a quoted one and its own": (f"It says {text()}, but: {text(BAD)}", "2 verdicts instead of one"),
    "a part and a whole": (f'{{"text_ok": true}} {text()}', "2 verdicts instead of one"),
    "a key twice": (text()[:-1] + ', "text_ok": false}', "'text_ok' stands twice, with different values"),
    "a key as true and 1": (text()[:-1] + ', "text_ok": 1}', "'text_ok' stands twice, with different values"),
    "a string": (text(text_ok="true"), 'text_ok is neither true nor false: "true"'),
    "null": (text(reasoning_rigorous=None), "reasoning_rigorous is neither true nor false: null"),
    "two": (text(text_ok=2), "text_ok is neither true nor false: 2"),
    "one point nought": (text(text_ok=1.0), "text_ok is neither true nor false: 1.0"),
    "a list as reason": (text(text_reason=["x"]), 'text_reason is no text: ["x"]'),
    "accepts against its parts": (
        text(BAD, text_ok=True),
        "a verdict that contradicts itself: reasoning_rigorous false, conclusion_correct true, text_ok true",
    ),
    "rejects against its parts": (
        text(text_ok=False),
        "a verdict that contradicts itself: reasoning_rigorous true, conclusion_correct true, text_ok false",
    ),
    "too long": (" " * (MAX_CHARS + 1), f"a verdict of more than {MAX_CHARS} characters"),
    "an endless number": (text(confidence=0)[:-2] + "9" * 5_000 + "}", "no JSON object with a verdict"),
    "nested too deeply": ('{"a":' * 30_000, "no JSON object with a verdict"),
}


@pytest.mark.parametrize("form", ACCEPTED)
def test_a_verdict_is_read(form: str) -> None:
    verdict = read_verdict(ACCEPTED[form])
    assert verdict == JudgeVerdict(reasoning_rigorous=True, conclusion_correct=True, text_reason="sound")


@pytest.mark.parametrize("form", REFUSED)
def test_no_verdict_says_why(form: str) -> None:
    said, why = REFUSED[form]
    assert read_verdict(said) == NoVerdict(why=why)


@pytest.mark.parametrize("key", GOOD)
def test_a_missing_key_is_named(key: str) -> None:
    assert read_verdict(without(key)) == NoVerdict(why=f"a verdict without {key}")


def test_both_parts_are_needed() -> None:
    verdict = read_verdict(text(BAD))
    assert isinstance(verdict, JudgeVerdict)
    assert (verdict.reasoning_rigorous, verdict.conclusion_correct, verdict.text_ok) == (False, True, False)


def test_a_reason_is_one_line_of_bounded_length() -> None:
    verdict = read_verdict(text(text_reason="a\nb \ud800" + "x" * 10_000))
    assert isinstance(verdict, JudgeVerdict)
    assert verdict.text_reason.startswith("a b \ufffdx")
    assert len(verdict.text_reason) == 2_000


@pytest.mark.parametrize("count", [MAX_CHARS // 70, pytest.param(MAX_CHARS // 7, marks=pytest.mark.sweep)])
def test_work_is_bounded_for_objects_that_never_close(count: int) -> None:
    assert read_verdict('{"a": "' * count) == NoVerdict(why="no JSON object with a verdict")


@given(st.text() | st.recursive(st.text(), lambda part: part.map(lambda inner: f'{{"text_ok": {inner}}}')))
def test_any_text_has_a_result(said: str) -> None:
    assert isinstance(read_verdict(said), JudgeVerdict | NoVerdict)


@given(st.booleans(), st.booleans(), st.text())
def test_every_verdict_comes_back(rigorous: bool, correct: bool, reason: str) -> None:
    said = {"reasoning_rigorous": rigorous, "conclusion_correct": correct, "text_reason": reason}
    verdict = read_verdict(json.dumps({**said, "text_ok": rigorous and correct}))
    assert isinstance(verdict, JudgeVerdict)
    assert (verdict.reasoning_rigorous, verdict.conclusion_correct) == (rigorous, correct)
