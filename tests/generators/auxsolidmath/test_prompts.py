"""The prompts are the published ones, and two stages survive any problem text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generators.auxsolidmath.prompts import (
    DIRECT_PROMPT,
    GENERATION_PROMPT,
    QUESTION_PROMPT,
    VisualCotPrompt,
    direct_prompt,
    split_visual_cot_prompt,
    visual_cot_prompt,
)

if TYPE_CHECKING:
    from pathlib import Path

_TAGS = (
    "[GEN_PROMPT]",
    "[/GEN_PROMPT]",
    "[QUESTION]",
    "[/QUESTION]",
    "[/GEN_PROMPT]\n[QUESTION]",
    "{question}",
    "\n",
)
_PROBLEMS = st.lists(st.sampled_from(_TAGS) | st.text(max_size=8), max_size=8).map("".join)


def test_prompts_are_those_of_the_task_word_for_word(shared: Path) -> None:
    published = (shared / "seeds" / "auxsolidmath.txt").read_text("utf-8")
    assert re.findall(r"```\n(You are given.*?)\n```", published, flags=re.DOTALL) == [
        DIRECT_PROMPT,
        GENERATION_PROMPT,
        QUESTION_PROMPT,
    ]


def test_direct_prompt_holds_the_problem_once() -> None:
    assert direct_prompt("Find AB {x}.") == DIRECT_PROMPT.replace("{question}", "Find AB {x}.")


def test_two_stages_stand_between_their_tags() -> None:
    text = visual_cot_prompt("Find AB.")
    assert text.startswith("[GEN_PROMPT]You are given a solid geometry problem with a 3D diagram. Analyze")
    assert "constructions.[/GEN_PROMPT]\n[QUESTION]You are given a solid geometry problem.\n" in text
    assert text.endswith("using the auxiliary constructions.[/QUESTION]")


@given(_PROBLEMS)
@settings(max_examples=40)
def test_a_problem_that_holds_tags_is_split_rightly(problem: str) -> None:
    assert split_visual_cot_prompt(visual_cot_prompt(problem)) == VisualCotPrompt(
        generation=GENERATION_PROMPT.replace("{question}", problem),
        question=QUESTION_PROMPT.replace("{question}", problem),
    )


def test_another_text_in_the_same_form_is_split_at_its_tags() -> None:
    text = "\n[GEN_PROMPT]Draw it.[/GEN_PROMPT]\n[QUESTION]How long?[/QUESTION]\n"
    assert split_visual_cot_prompt(text) == VisualCotPrompt(generation="Draw it.", question="How long?")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "expected a text from"),
        ("[GEN_PROMPT]a[/GEN_PROMPT]\n[QUESTION]b", "expected a text from"),
        ("[GEN_PROMPT]a[/QUESTION]", "found it 0 times"),
        ("[GEN_PROMPT]a[/GEN_PROMPT]\n[QUESTION]b[/GEN_PROMPT]\n[QUESTION]c[/QUESTION]", "found it 2 times"),
    ],
)
def test_what_cannot_be_told_apart_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        split_visual_cot_prompt(text)
