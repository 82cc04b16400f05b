"""The task's functions under the names that harnesses know."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

from bench.errors import UserError
from bench.suites.task_functions import (
    auxsolidmath_aggregate,
    auxsolidmath_doc_to_target,
    auxsolidmath_doc_to_text,
    auxsolidmath_doc_to_text_visual_cot,
    auxsolidmath_doc_to_visual,
    auxsolidmath_process_results,
)
from generators.auxsolidmath.prompts import direct_prompt, split_visual_cot_prompt
from tests.bench.suites.test_visual_cot import ORIGINAL, USABLE
from tests.loopback.server import LoopbackServer

if TYPE_CHECKING:
    from collections.abc import Mapping

DOC: Mapping[str, Any] = {
    "question": "Find AH.",
    "original_image": ORIGINAL,
    "answer": "2√3/3",
    "auxiliary_line_description": "Draw AH.",
}
SOUND = '{"reasoning_rigorous": true, "conclusion_correct": true, "text_ok": true, "text_reason": "sound"}'
METRIC = "auxsolidmath_text_acc"


def test_prompts_are_those_of_the_cases() -> None:
    assert auxsolidmath_doc_to_text(DOC) == direct_prompt("Find AH.")
    parts = split_visual_cot_prompt(auxsolidmath_doc_to_text_visual_cot(DOC, {"any": "option"}))
    assert "Problem: Find AH." in parts.generation
    assert "TWO images" in parts.question
    assert auxsolidmath_doc_to_target(DOC) == "2√3/3"


@pytest.mark.parametrize(
    "given", [ORIGINAL, {"bytes": ORIGINAL, "path": None}, Image.open(io.BytesIO(ORIGINAL)), USABLE["transparent"]]
)
def test_the_diagram_is_one_rgb_picture_on_white(given: Any) -> None:
    (picture,) = auxsolidmath_doc_to_visual({**DOC, "original_image": given})
    assert (picture.mode, picture.getpixel((5, 5))) == ("RGB", (255, 255, 255))


@pytest.mark.parametrize("given", [None, "a/path.png", {"path": "x"}])
def test_what_is_no_picture_is_refused(given: Any) -> None:
    with pytest.raises(TypeError, match="original_image: expected a picture or its bytes, got "):
        auxsolidmath_doc_to_visual({**DOC, "original_image": given})


@pytest.mark.parametrize(("text", "correct"), [("Answer: 2/√3", True), ("Answer: 1", False), ("", False)])
def test_exact_judges_the_conclusion_alone(text: str, correct: bool) -> None:
    result = auxsolidmath_process_results(DOC, [text])[METRIC]
    assert (result["conclusion_correct"], result["text_ok"], result["reasoning_rigorous"]) == (correct, None, None)
    assert result["unscored"] == "the reasoning is judged by a model only"


def test_exact_judges_no_proof() -> None:
    result = auxsolidmath_process_results({**DOC, "kind": "PROVING"}, ["Done."])[METRIC]
    assert (result["conclusion_correct"], result["unscored"]) == (
        None,
        "a proof is judged by a model only (--judge)",
    )


def test_a_model_judges_both_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    with LoopbackServer(answer=lambda _: SOUND) as server:
        for name, text in {
            "AZURE_OPENAI_ENDPOINT": server.url,
            "AZURE_OPENAI_API_KEY": "k-1234567890",
            "JUDGE_DEPLOYMENT": "gpt-5.1",
        }.items():
            monkeypatch.setenv(name, text)
        result = auxsolidmath_process_results(DOC, ["Some solution"], judge="azure")[METRIC]
        server._answer = lambda _: "CORRECT"
        unusable = auxsolidmath_process_results(DOC, ["Some solution"], judge="azure")[METRIC]
    assert (result["text_ok"], result["text_reason"], result["unscored"]) == (True, "sound", None)
    assert (unusable["text_ok"], unusable["unscored"]) == (None, "no JSON object with a verdict")


def test_a_judge_that_is_not_set_up_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JUDGE_DEPLOYMENT", raising=False)
    with pytest.raises(UserError, match="--judge=azure needs the name of a deployment: set JUDGE_DEPLOYMENT"):
        auxsolidmath_process_results(DOC, ["x"], judge="azure")


def test_accuracy_is_over_what_was_judged() -> None:
    results: list[dict[str, Any]] = [{"text_ok": True}, {"text_ok": False}, {"text_ok": None}]
    assert auxsolidmath_aggregate(results) == 0.5
    assert auxsolidmath_aggregate([{"text_ok": None}]) is None
