"""The dot reader answers the suite: from pixels and prompt alone, on this seed and on others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bench.models.reader.dots import answer_dots
from generators.geometry import GeometrySource, list_images, tasks_of
from generators.geometry.examples import examples_for
from generators.geometry.records import task_item
from generators.geometry.tasks import TASKS
from scorers.geometry import DefectScore, LengthScore, LocateScore, score_geometry

if TYPE_CHECKING:
    from collections.abc import Iterable

    from generators.geometry.tasks import Task
    from generators.items import Item
    from scorers.geometry import TaskScore

IDS = [ref.id for ref in list_images()]
LENGTH_WITHIN = 0.03
F1_AT_LEAST = 0.99


def meets_the_readers_mark(score: TaskScore) -> bool:
    """Stricter than the case's own threshold: exact counts of defects, lengths within 3 %, F1 of 0.99."""
    if isinstance(score, DefectScore):
        return score.verdict_correct and score.missing_count_error == 0 and score.noise_count_error == 0
    if isinstance(score, LengthScore):
        return all((row.rel_err or 0.0) <= LENGTH_WITHIN for row in score.rows) and score.parsed
    if isinstance(score, LocateScore):
        return score.f1 >= F1_AT_LEAST
    return score.passed


def misses(items: Iterable[Item]) -> list[str]:
    found = []
    for item in items:
        picture = item.picture.png()
        for task in tasks_of(item):
            asked = task_item(item, task)
            score = score_geometry(task, answer_dots(picture, asked.prompt), asked.truth)
            if not meets_the_readers_mark(score):
                found.append(f"{asked.id}: {score.prediction} for {score.expected}")
    return found


def test_every_seventh_picture_of_the_suite_is_answered_right() -> None:
    source = GeometrySource()
    assert misses(source.item(image_id) for image_id in IDS[::7]) == []


def test_pictures_of_ten_other_seeds_are_answered_right() -> None:
    assert misses(GeometrySource(seed=seed).item(IDS[seed * 37 % len(IDS)]) for seed in range(1, 11)) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(11))
def test_every_picture_of_eleven_suites_is_answered_right(seed: int) -> None:
    assert misses(GeometrySource(seed=seed)) == []


@pytest.mark.parametrize("task", TASKS)
def test_the_example_pictures_have_other_settings_and_are_answered_right(task: Task) -> None:
    sources = {example.prompt: example for example in examples_for(task, 5)}
    assert sources
    for example in examples_for(task, 5):
        said = answer_dots(example.picture.png(), example.prompt)
        if task == "LOCATE":
            assert _points(said) == pytest.approx(_points(example.answer), abs=0.1)
        else:
            assert _numbers(said) == pytest.approx(_numbers(example.answer), rel=LENGTH_WITHIN)
            assert _words(said) == _words(example.answer)


def _points(text: str) -> list[float]:
    pairs = [tuple(float(part) for part in line.split(",")) for line in text.splitlines()]
    return [
        coordinate for pair in sorted(pairs, key=lambda pair: (round(pair[1]), pair[0])) for coordinate in pair
    ]


def _numbers(text: str) -> list[float]:
    return [float(word) for word in text.split() if word.replace(".", "").isdigit()]


def _words(text: str) -> list[str]:
    return [word for word in text.split() if not word.replace(".", "").isdigit()]
