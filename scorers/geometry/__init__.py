"""Geometry: reading and scoring counts, positions, patterns, sizes, spacings, defects and regularity of dots.

Importing the package loads the standard library only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorers.geometry.aggregate import Aggregate, TaskScore, aggregate, macro_average
from scorers.geometry.choice import ChoiceScore, score_pattern, score_regularity
from scorers.geometry.count import CountScore, score_count
from scorers.geometry.defects import DefectScore, score_defects
from scorers.geometry.lengths import LengthScore, score_size, score_spacing
from scorers.geometry.locate import LocateScore, score_positions
from scorers.geometry.tasks import TASKS, THRESHOLDS, Task, Thresholds
from scorers.score import Score

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = [
    "TASKS",
    "THRESHOLDS",
    "Aggregate",
    "ChoiceScore",
    "CountScore",
    "DefectScore",
    "LengthScore",
    "LocateScore",
    "Task",
    "TaskScore",
    "Thresholds",
    "aggregate",
    "as_score",
    "macro_average",
    "score_geometry",
]

_SCORERS: Mapping[str, Callable[[str, Mapping[str, object]], TaskScore]] = {
    "DEFECT": score_defects,
    "LOCATE": score_positions,
    "PATTERN": score_pattern,
    "REGULARITY": score_regularity,
    "SIZE": score_size,
    "SPACING": score_spacing,
}


def score_geometry(
    task: Task,
    text: str | None,
    truth: Mapping[str, object],
    *,
    count_tolerance: int = THRESHOLDS.count_within,
) -> TaskScore:
    """Score a reply; any text gets a verdict, in bounded work, without evaluating anything.

    Args:
        task: what was asked.
        text: the reply; None for a reply that is no answer (failed, refused, cut off).
        truth: the item's truth.
        count_tolerance: N of COUNT's "within ±N".

    Raises:
        ValueError: an unknown task.
        KeyError: the truth lacks what the task needs.
        TypeError: the truth holds it in another form.
    """
    if task == "COUNT":
        return score_count(text or "", truth, tolerance=count_tolerance)
    if task not in _SCORERS:
        raise ValueError(f"expected a task out of {', '.join(TASKS)}, got {task!r}")
    return _SCORERS[task](text or "", truth)


def as_score(score: TaskScore) -> Score:
    """Return the score in the form of every suite: rows, and what was read under `prediction`."""
    answer: dict[str, object] | None = {"prediction": score.prediction} if score.parsed else None
    return Score(fields=score.rows, parsed=score.parsed, answer=answer, rule=score.rule)
