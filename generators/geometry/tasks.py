"""Which task is asked of which image class, under which id, with how many tokens for the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generators.items import Item, JsonValue

__all__ = ["CLASS_TASKS", "TASKS", "Task", "answer_tokens", "case_id", "final_fields", "tasks_of"]

Task = Literal["COUNT", "LOCATE", "PATTERN", "SIZE", "DEFECT", "SPACING", "REGULARITY"]

TASKS: tuple[Task, ...] = get_args(Task)

CLASS_TASKS: Mapping[str, tuple[Task, ...]] = {
    "CTRL": ("COUNT", "LOCATE"),
    "USSS": ("COUNT", "LOCATE", "PATTERN", "SIZE"),
    "USDS": ("COUNT", "LOCATE", "PATTERN", "SIZE"),
    "HSFR": ("COUNT", "LOCATE", "PATTERN", "DEFECT", "SPACING", "REGULARITY"),
    "HSRP": ("COUNT", "LOCATE", "PATTERN", "DEFECT", "REGULARITY"),
    "HSDN": ("COUNT", "LOCATE", "PATTERN", "DEFECT", "REGULARITY"),
}

_FIELDS: Mapping[Task, tuple[str, ...]] = {
    "COUNT": ("count",),
    "LOCATE": ("dots",),
    "PATTERN": ("pattern",),
    "SIZE": ("diameter_um", "smallest_diameter_um", "largest_diameter_um"),
    "DEFECT": ("has_defects", "missing_count", "extra_count"),
    "SPACING": ("spacing_um",),
    "REGULARITY": ("regularity",),
}

_BASE_TOKENS = 2048
_TOKENS_PER_DOT = 24


def case_id(image_id: str, task: Task) -> str:
    """Return a case's id, such as "HSDN_sp12_d10_n5_wb-COUNT"."""
    return f"{image_id}-{task}"


def final_fields(task: Task, truth: Mapping[str, JsonValue]) -> tuple[str, ...]:
    """Return the fields of an image's truth that the task asks for; empty when none of them is known."""
    return tuple(name for name in _FIELDS[task] if truth.get(name) is not None)


def tasks_of(item: Item) -> tuple[Task, ...]:
    """Return the tasks of an image, in the order of the table.

    A task is left out when its truth is unknown (a folder that says no sizes) or empty (nothing to locate in an
    empty picture).
    """
    return tuple(
        task
        for task in CLASS_TASKS[item.family]
        if final_fields(task, item.truth) and (task != "LOCATE" or item.truth["dots"])
    )


def answer_tokens(task: Task, truth: Mapping[str, JsonValue]) -> int:
    """Return how many output tokens an answer may take.

    A position takes about 10 tokens as a line and 20 as JSON: 100 dots need some 1,000 to 2,000.
    """
    dots = truth["dots"]
    count = len(dots) if isinstance(dots, list) else 0
    return _BASE_TOKENS + (_TOKENS_PER_DOT * count if task == "LOCATE" else 0)
