"""What answers earn that do not look: chance, constants and attacks, printed (`pytest -s`) for the documents."""

from __future__ import annotations

import random
from collections import defaultdict
from typing import TYPE_CHECKING, Any

import pytest

from generators.geometry import GeometrySource, blind_answer, tasks_of
from generators.geometry.tasks import position_lines
from scorers.geometry import LocateScore, aggregate, score_geometry
from tests.generators.geometry.fit_blind import grid

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorers.geometry import TaskScore

ITEMS = list(GeometrySource())
Points = list[tuple[float, float]]


def _locate(answer: Callable[[dict[str, Any]], Points]) -> dict[str, list[LocateScore]]:
    """Score an answer on every picture with dots; by image class."""
    scores: dict[str, list[LocateScore]] = defaultdict(list)
    for item in ITEMS:
        if "LOCATE" in tasks_of(item):
            score = score_geometry("LOCATE", position_lines(answer(dict(item.truth))), item.truth)
            assert isinstance(score, LocateScore)
            scores[item.family].append(score)
    return scores


def _mean_f1(scores: list[LocateScore]) -> float:
    return sum(score.f1 for score in scores) / len(scores)


def _report(name: str, scores: dict[str, list[LocateScore]]) -> float:
    everyone = [score for group in scores.values() for score in group]
    by_class = ", ".join(f"{family} {_mean_f1(group):.3f}" for family, group in scores.items())
    passed = sum(score.passed for score in everyone)
    print(f"LOCATE {name}: F1 {_mean_f1(everyone):.3f} ({by_class}), passes {passed} of {len(everyone)}")
    return _mean_f1(everyone)


def test_uniform_random_points_of_the_right_number_earn_little() -> None:
    rng = random.Random(5)

    def uniform(truth: dict[str, Any]) -> Points:
        return [(rng.uniform(0, 700), rng.uniform(0, 510)) for _ in range(truth["count"])]

    assert _report("uniform random points, true count", _locate(uniform)) < 0.3


@pytest.mark.sweep
@pytest.mark.parametrize(("columns", "rows"), [(7, 5), (10, 7), (14, 10), (20, 20), (28, 20), (35, 26)])
def test_a_dense_lattice_earns_less_than_one_half_everywhere(columns: int, rows: int) -> None:
    scores = _locate(lambda _: grid(columns, rows))

    assert _report(f"fixed lattice {columns} x {rows}", scores) < 0.5
    assert all(_mean_f1(group) < 0.5 for group in scores.values())


@pytest.mark.sweep
def test_one_right_point_repeated_earns_less_than_one_half() -> None:
    def repeated(truth: dict[str, Any]) -> Points:
        dot = truth["dots"][0]
        return [(dot["x_um"] / 0.14, dot["y_um"] / 0.14)] * max(2, truth["count"])

    scores = _locate(repeated)

    assert _report("one right point repeated", {k: v for k, v in scores.items() if k != "CTRL"}) < 0.5
    assert all(score.f1 < 0.7 for group in scores.values() for score in group)


@pytest.mark.sweep
def test_the_mean_position_repeated_earns_nothing_much() -> None:
    assert _report("the centre repeated", _locate(lambda truth: [(350.0, 255.0)] * truth["count"])) < 0.1


CONSTANTS: dict[str, dict[str, int]] = {
    "COUNT": {"COUNT: 20": 15, "COUNT: 50": 15, "COUNT: 100": 15, "COUNT: 45": 11},
    "PATTERN": {"RANDOM": 45, "HEXAGONAL": 45, "GRID": 0},
    "SIZE": {"2": 12, "3": 12, "5": 12, "SMALLEST: 2\nLARGEST: 5": 3, "DIAMETER: 2.4 µm": 24},
    "DEFECT": {"DEFECTS: NO": 27, "DEFECTS: YES\nMISSING: 3\nEXTRA: 3": 5},
    "SPACING": {"8": 1, "12": 1, "16": 1, "SPACING: 13 µm": 2},
    "REGULARITY": {"REGULAR": 21, "PERTURBED": 24},
}
"""Answers that are the same for every picture, and how many cases each passes."""


@pytest.mark.parametrize("task", CONSTANTS)
def test_no_constant_answer_earns_much(task: Any) -> None:
    asked = [item for item in ITEMS if task in tasks_of(item)]
    for constant, floor in CONSTANTS[task].items():
        scores = [score_geometry(task, constant, item.truth) for item in asked]
        passed = sum(score.passed for score in scores)
        print(f"{task} constant {constant!r}: passes {passed} of {len(scores)}")
        assert passed == floor, constant
        assert task not in {"DEFECT", "REGULARITY"} or aggregate(scores)["balanced_accuracy_all"] == 0.5


def test_the_best_constants_beyond_one_half_are_those_of_blind() -> None:
    """SIZE has sizes so near each other, SPACING so few pictures, that a constant passes more than half."""
    beyond = {}
    for task in ("COUNT", "LOCATE", "PATTERN", "SIZE", "SPACING"):
        asked = [item for item in ITEMS if task in tasks_of(item)]
        passed = sum(score_geometry(task, blind_answer(task, i.truth), i.truth).passed for i in asked)
        if passed > len(asked) / 2:
            beyond[task] = (passed, len(asked))
    assert beyond == {"SIZE": (27, 45), "SPACING": (2, 3)}


BLIND_FLOOR = {"COUNT": 15, "LOCATE": 8, "PATTERN": 45, "SIZE": 27, "DEFECT": 27, "SPACING": 2, "REGULARITY": 24}


def test_the_floor_of_blind_is_known_for_every_task() -> None:
    scores: dict[str, list[TaskScore]] = defaultdict(list)
    for item in ITEMS:
        for task in tasks_of(item):
            scores[task].append(score_geometry(task, blind_answer(task, item.truth), item.truth))
    for name, group in scores.items():
        passed = sum(score.passed for score in group)
        print(f"{name} blind: passes {passed} of {len(group)} = {100 * passed / len(group):.1f} %")
        assert passed == BLIND_FLOOR[name], name
