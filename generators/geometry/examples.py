"""Few-shot examples: real pictures with their answers, the same for every item of a task.

They come from seeds that no test item has (their names begin with "geometry example:"), and from settings off the
suite's grid (35 dots, 2.5 um, 10 um spacing, ...), so that their answers give none of the suite's away.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from generators.geometry.drawing import DotPicture
from generators.geometry.records import image_item, task_item
from generators.geometry.source import make_record
from generators.geometry.tasks import Task, oracle_answer
from generators.items import Picture, item_seed

if TYPE_CHECKING:
    from collections.abc import Mapping


__all__ = ["SHOTS", "Example", "Shots", "examples_for"]

Shots = Literal[0, 3, 5]

SHOTS: tuple[Shots, ...] = (0, 3, 5)

Recipe = tuple[str, dict[str, float]]

_RANDOM_SMALL: Recipe = ("USSS", {"diameter_um": 2.5, "count": 13})
_RANDOM_MANY: Recipe = ("USSS", {"diameter_um": 4.0, "count": 72})
_RANDOM_FEW: Recipe = ("USSS", {"diameter_um": 3.5, "count": 7})
_MIXED: Recipe = ("USDS", {"diameter_1_um": 2.5, "diameter_2_um": 4.0, "count": 35})
_MIXED_FEW: Recipe = ("USDS", {"diameter_1_um": 2.2, "diameter_2_um": 4.5, "count": 9})
_EXACT: Recipe = ("HSFR", {"spacing_um": 10.0})
_EXACT_WIDE: Recipe = ("HSFR", {"spacing_um": 14.0})
_MOVED: Recipe = ("HSRP", {"spacing_um": 10.0, "displacement_um": 1.6})
_MOVED_WIDE: Recipe = ("HSRP", {"spacing_um": 14.0, "displacement_um": 1.6})
_BROKEN: Recipe = ("HSDN", {"spacing_um": 10.0, "defect_percent": 6.0, "noise_percent": 4.0})
_BROKEN_WIDE: Recipe = ("HSDN", {"spacing_um": 14.0, "defect_percent": 12.0, "noise_percent": 8.0})

_RECIPES: Mapping[Task, tuple[Recipe, ...]] = {
    "COUNT": (_RANDOM_SMALL, _EXACT_WIDE, _MIXED, _RANDOM_MANY, _BROKEN_WIDE),
    "LOCATE": (_RANDOM_FEW, _EXACT_WIDE, _MIXED_FEW, _RANDOM_SMALL, _BROKEN_WIDE),
    "PATTERN": (_RANDOM_SMALL, _EXACT, _MOVED, _MIXED, _BROKEN_WIDE),
    "SIZE": (_RANDOM_SMALL, _MIXED, _RANDOM_MANY, _RANDOM_FEW, _MIXED_FEW),
    "DEFECT": (_BROKEN, _MOVED_WIDE, _BROKEN_WIDE, _EXACT, _MOVED),
    "SPACING": (
        _EXACT,
        _EXACT_WIDE,
        ("HSFR", {"spacing_um": 20.0}),
        ("HSFR", {"spacing_um": 11.0}),
        ("HSFR", {"spacing_um": 18.0}),
    ),
    "REGULARITY": (_EXACT, _MOVED, _BROKEN_WIDE, _MOVED_WIDE, _EXACT_WIDE),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One solved case: the question, the picture it is asked about, and the right answer as text."""

    prompt: str
    picture: Picture
    answer: str


def examples_for(task: Task, shots: Shots) -> list[Example]:
    """Return the first `shots` examples of a task, in the order in which they are shown.

    Pictures are drawn only when their bytes are asked for.

    Raises:
        ValueError: not 0, 3 or 5 shots.
    """
    if shots not in SHOTS:
        raise ValueError(f"expected 0, 3 or 5 shots, got {shots!r}")
    return [_example(task, number, recipe) for number, recipe in enumerate(_RECIPES[task][:shots], start=1)]


def _example(task: Task, number: int, recipe: Recipe) -> Example:
    image_class, settings = recipe
    name = f"example_{task}_{number}"
    seed = item_seed(0, f"geometry example:{image_class}", name)
    record = make_record(image_class, name, settings, seed=seed)
    picture = DotPicture(dots=record.dots, canvas=record.canvas)
    item = task_item(image_item(record, picture), task)
    return Example(prompt=item.prompt, picture=picture, answer=oracle_answer(task, item.truth))
