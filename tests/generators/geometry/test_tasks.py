"""Prompts, answers of `oracle` and `blind`, few-shot examples."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from generators.geometry import (
    TASKS,
    GeometrySource,
    Task,
    blind_answer,
    examples_for,
    oracle_answer,
    task_item,
    tasks_of,
)
from generators.geometry.tasks import BLIND_CONSTANTS, answer_tokens, prompt_for
from scorers.geometry import TASKS as SCORED_TASKS
from scorers.geometry import score_geometry
from tests.generators.geometry.fit_blind import fit

if TYPE_CHECKING:
    from generators.geometry.examples import Shots
    from generators.items import Item

SEED_SENTENCES: dict[Task, str] = {
    "COUNT": "How many circular spots are in this image?",
    "LOCATE": "List the (x,y) coordinates of each spot in pixels",
    "PATTERN": "Is the arrangement of spots: random, hexagonal grid, or regular grid?",
    "SIZE": "Estimate the diameter of the spots in micrometers",
    "DEFECT": "Are there any missing spots or irregularities in the pattern? Describe them.",
}


@pytest.mark.parametrize("task", SEED_SENTENCES)
def test_prompts_begin_with_the_design_documents_sentence(task: Task, items: tuple[Item, ...]) -> None:
    for item in items:
        if task in tasks_of(item):
            assert prompt_for(task, item.truth).startswith(SEED_SENTENCES[task])


def test_prompts_state_size_and_scale_where_the_answer_needs_them() -> None:
    truth = GeometrySource().item("HSFR_sp12_wb").truth

    assert "700 pixels wide and 510 pixels high" in prompt_for("LOCATE", truth)
    assert "0.14 micrometers" in prompt_for("SPACING", truth)
    assert "SMALLEST" in prompt_for("SIZE", GeometrySource().item("USDS_s23_d20_wb").truth)


def test_a_prompt_does_not_depend_on_the_picture(items: tuple[Item, ...]) -> None:
    fresh = GeometrySource(seed=1)
    for task in TASKS:
        own = [item for item in items if task in tasks_of(item)]
        prompts = {prompt_for(task, one.truth) for item in own for one in (item, fresh.item(item.id))}
        assert len(prompts) == (2 if task == "SIZE" else 1), task


def test_answers_of_many_dots_get_room_for_many_tokens() -> None:
    full, empty = GeometrySource().item("HSFR_sp8_wb").truth, GeometrySource().item("CTRL_empty_wb").truth

    assert answer_tokens("LOCATE", full) == 2048 + 24 * 104
    assert answer_tokens("COUNT", full) == answer_tokens("LOCATE", empty) == 2048
    assert answer_tokens("LOCATE", {"dots": None}) == 2048


def test_oracle_passes_every_case(items: tuple[Item, ...]) -> None:
    for item in items:
        for task in tasks_of(item):
            score = score_geometry(task, oracle_answer(task, item.truth), item.truth)
            assert score.passed, (item.id, task, score)


def test_oracle_says_none_where_there_is_nothing_to_locate() -> None:
    truth = GeometrySource().item("CTRL_empty_wb").truth

    assert oracle_answer("LOCATE", truth) == "NONE"
    assert score_geometry("LOCATE", "NONE", truth).passed


def test_oracle_refuses_a_truth_of_another_form() -> None:
    with pytest.raises(TypeError, match="dots as a list, got None"):
        oracle_answer("LOCATE", {"dots": None, "um_per_px": 0.14})
    with pytest.raises(TypeError, match="a number in the truth, got 'x'"):
        oracle_answer("LOCATE", {"dots": [], "um_per_px": "x"})


def test_blind_answers_read_as_answers_and_use_nothing_of_the_picture(items: tuple[Item, ...]) -> None:
    fresh = GeometrySource(seed=9)
    for item in (fresh.item(item.id) for item in items):
        for task in tasks_of(item):
            text = blind_answer(task, item.truth)
            assert text in BLIND_CONSTANTS[task].values()
            assert score_geometry(task, text, item.truth).parsed


@pytest.mark.slow
def test_blind_constants_are_those_that_the_script_fits() -> None:
    assert fit() == BLIND_CONSTANTS


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("shots", [0, 3, pytest.param(5, marks=pytest.mark.sweep)])
def test_examples_are_real_pictures_with_answers_that_the_scorer_accepts(task: Task, shots: Shots) -> None:
    examples = examples_for(task, shots)

    assert len(examples) == shots
    for example in examples:
        with Image.open(io.BytesIO(example.picture.png())) as picture:
            assert picture.size == (700, 510)
        assert example.answer


def test_examples_are_the_same_for_every_item_and_the_first_three_of_five() -> None:
    for task in TASKS:
        three, five = examples_for(task, 3), examples_for(task, 5)
        assert [(one.prompt, one.answer, one.picture.key) for one in five[:3]] == [
            (one.prompt, one.answer, one.picture.key) for one in three
        ]


def test_no_example_picture_is_a_test_picture_of_any_near_seed(items: tuple[Item, ...]) -> None:
    shown = {example.picture.key for task in TASKS for example in examples_for(task, 5)}
    fresh = GeometrySource(seed=1)
    tested = {one.picture.key for item in items for one in (item, fresh.item(item.id))}

    assert not shown & tested


@pytest.mark.parametrize("task", ["PATTERN", "DEFECT", "REGULARITY"])
def test_examples_show_both_kinds_of_answer(task: Task) -> None:
    assert len({example.answer.splitlines()[0] for example in examples_for(task, 3)}) == 2


def test_an_odd_number_of_examples_is_refused() -> None:
    with pytest.raises(ValueError, match="expected 0, 3 or 5 shots, got 4"):
        examples_for("COUNT", 4)  # type: ignore[arg-type]


def test_generator_and_scorers_know_the_same_tasks() -> None:
    assert TASKS == SCORED_TASKS


def test_case_prompts_are_the_tasks_prompts() -> None:
    item = GeometrySource().item("USSS_s2_d20_wb")

    assert task_item(item, "SIZE").prompt == prompt_for("SIZE", item.truth)
