"""Geometry: pictures of dots whose number, places, sizes and arrangement are known exactly.

Importing, listing and drawing load the standard library only; annotated pictures load Pillow. Suites on disk have
modules of their own: `loader` and `writer`.
"""

from generators.geometry.examples import examples_for
from generators.geometry.records import task_item
from generators.geometry.source import GeometrySource, list_images
from generators.geometry.tasks import TASKS, Task, blind_answer, oracle_answer, tasks_of

__all__ = [
    "TASKS",
    "GeometrySource",
    "Task",
    "blind_answer",
    "examples_for",
    "list_images",
    "oracle_answer",
    "task_item",
    "tasks_of",
]
