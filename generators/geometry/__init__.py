"""Geometry: pictures of dots whose number, places, sizes and arrangement are known exactly.

Importing, listing and drawing load the standard library only; annotated pictures load Pillow.
"""

from typing import TYPE_CHECKING

from generators.lazy import names_from

if TYPE_CHECKING:
    from generators.geometry.answers import blind_answer, oracle_answer
    from generators.geometry.examples import SHOTS, Example, Shots, examples_for
    from generators.geometry.loader import load_suite
    from generators.geometry.records import task_item
    from generators.geometry.source import GeometrySource, ImageRef, list_images
    from generators.geometry.tasks import CLASS_TASKS, TASKS, Task, answer_tokens, case_id, tasks_of
    from generators.geometry.writer import write_suite

__all__ = [
    "CLASS_TASKS",
    "SHOTS",
    "TASKS",
    "Example",
    "GeometrySource",
    "ImageRef",
    "Shots",
    "Task",
    "answer_tokens",
    "blind_answer",
    "case_id",
    "examples_for",
    "list_images",
    "load_suite",
    "oracle_answer",
    "task_item",
    "tasks_of",
    "write_suite",
]

__getattr__ = names_from(
    __name__,
    {
        "CLASS_TASKS": "tasks",
        "SHOTS": "examples",
        "TASKS": "tasks",
        "Example": "examples",
        "GeometrySource": "source",
        "ImageRef": "source",
        "Shots": "examples",
        "Task": "tasks",
        "answer_tokens": "tasks",
        "blind_answer": "answers",
        "case_id": "tasks",
        "examples_for": "examples",
        "list_images": "source",
        "load_suite": "loader",
        "oracle_answer": "answers",
        "task_item": "records",
        "tasks_of": "tasks",
        "write_suite": "writer",
    },
)
