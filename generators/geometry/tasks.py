"""What is asked of which image class, and the answers as text: the truth, and the best answer without looking.

There is one prompt for each task, the same for every image class. The first sentence of COUNT, LOCATE, PATTERN,
SIZE and DEFECT is the design document's example, word for word. SIZE asks for the smallest and the largest
diameter where a picture holds several sizes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from generators.items import Item, JsonValue

__all__ = [
    "BLIND_CONSTANTS",
    "CLASS_TASKS",
    "PROMPTS",
    "SIZE_RANGE_PROMPT",
    "TASKS",
    "Task",
    "answer_tokens",
    "blind_answer",
    "case_id",
    "final_fields",
    "oracle_answer",
    "position_lines",
    "prompt_for",
    "tasks_of",
]


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


_FRAME = (
    "The image is {width_px} pixels wide and {height_px} pixels high. "
    "The origin (0, 0) is its top left corner; x grows to the right, y grows downwards."
)
_SCALE = "One pixel is {um_per_px:g} micrometers wide and high."

PROMPTS: Mapping[Task, str] = {
    "COUNT": (
        "How many circular spots are in this image?\n"
        "Count every spot of any size. If there is none, the answer is 0.\n"
        "End your answer with one line of this form:\n"
        "COUNT: <whole number>"
    ),
    "LOCATE": (
        "List the (x,y) coordinates of each spot in pixels.\n"
        f"{_FRAME}\n"
        "Give the centre of each spot once, one spot per line, in this form and without anything else:\n"
        "x, y\n"
        "If there is no spot, write NONE."
    ),
    "PATTERN": (
        "Is the arrangement of spots: random, hexagonal grid, or regular grid?\n"
        "A regular grid has rows and columns at right angles. A hexagonal grid counts as hexagonal even if some "
        "of its spots are missing, added or slightly displaced.\n"
        "End your answer with one line of this form:\n"
        "PATTERN: <RANDOM, HEXAGONAL or GRID>"
    ),
    "SIZE": (
        "Estimate the diameter of the spots in micrometers.\n"
        f"{_SCALE} All spots have the same diameter.\n"
        "End your answer with one line of this form:\n"
        "DIAMETER: <number> µm"
    ),
    "DEFECT": (
        "Are there any missing spots or irregularities in the pattern? Describe them.\n"
        "The spots were laid out on a hexagonal grid. A missing spot is an empty site of that grid, surrounded by "
        "others. An extra spot lies between the sites. Spots that are only slightly displaced from their sites "
        "are no defects.\n"
        "End your answer with three lines of this form:\n"
        "DEFECTS: <YES or NO>\n"
        "MISSING: <number of missing spots>\n"
        "EXTRA: <number of extra spots>"
    ),
    "SPACING": (
        "Estimate the spacing of the spots in micrometers: the distance between the centres of "
        "neighbouring spots.\n"
        f"{_SCALE}\n"
        "End your answer with one line of this form:\n"
        "SPACING: <number> µm"
    ),
    "REGULARITY": (
        "Do the spots sit exactly on the sites of a hexagonal grid, or is each of them displaced a little from "
        "its site?\n"
        "Missing and extra spots do not matter here.\n"
        "End your answer with one line of this form:\n"
        "REGULARITY: <REGULAR or PERTURBED>"
    ),
}

SIZE_RANGE_PROMPT = (
    "Estimate the diameter of the spots in micrometers.\n"
    f"{_SCALE} The spots have different diameters: give the smallest and the largest.\n"
    "End your answer with two lines of this form:\n"
    "SMALLEST: <number> µm\n"
    "LARGEST: <number> µm"
)


def prompt_for(task: Task, truth: Mapping[str, JsonValue]) -> str:
    """Return the prompt of a task, with the picture's size and scale filled in.

    Nothing else of the truth is used but whether the sizes differ.
    """
    template = SIZE_RANGE_PROMPT if _is_size_range(task, truth) else PROMPTS[task]
    return template.format(width_px=truth["width_px"], height_px=truth["height_px"], um_per_px=truth["um_per_px"])


BLIND_CONSTANTS: Mapping[Task, Mapping[str, str]] = {
    "COUNT": {"all": "COUNT: 20"},
    "LOCATE": {
        "all": (
            "35.7, 57.1\n150.0, 57.1\n264.3, 57.1\n378.6, 57.1\n492.9, 57.1\n607.1, 57.1\n"
            "92.9, 156.0\n207.1, 156.0\n321.4, 156.0\n435.7, 156.0\n550.0, 156.0\n664.3, 156.0\n"
            "35.7, 255.0\n150.0, 255.0\n264.3, 255.0\n378.6, 255.0\n492.9, 255.0\n607.1, 255.0\n"
            "92.9, 354.0\n207.1, 354.0\n321.4, 354.0\n435.7, 354.0\n550.0, 354.0\n664.3, 354.0\n"
            "35.7, 452.9\n150.0, 452.9\n264.3, 452.9\n378.6, 452.9\n492.9, 452.9\n607.1, 452.9"
        ),
    },
    "PATTERN": {"all": "PATTERN: RANDOM"},
    "SIZE": {"all": "DIAMETER: 2.4 µm", "different sizes": "SMALLEST: 1.7 µm\nLARGEST: 2.5 µm"},
    "DEFECT": {"all": "DEFECTS: NO\nMISSING: 0\nEXTRA: 0"},
    "SPACING": {"all": "SPACING: 13 µm"},
    "REGULARITY": {"all": "REGULARITY: PERTURBED"},
}
"""The best answers without looking, one constant for each task.

Made by `python -m tests.generators.geometry.fit_blind` from seeds 1 to 5; no picture of the standard suite took
part.
"""

_ANSWERS: Mapping[Task, str] = {
    "COUNT": "COUNT: {count}",
    "PATTERN": "PATTERN: {pattern}",
    "SIZE": "DIAMETER: {diameter_um} µm",
    "SPACING": "SPACING: {spacing_um} µm",
    "REGULARITY": "REGULARITY: {regularity}",
}
_SIZE_RANGE_ANSWER = "SMALLEST: {smallest_diameter_um} µm\nLARGEST: {largest_diameter_um} µm"


def oracle_answer(task: Task, truth: Mapping[str, JsonValue]) -> str:
    """Write the truth as the task's prompt asks for it; what is unknown of a foreign picture is written as 0."""
    if task == "LOCATE":
        return position_lines(_centres_px(truth))
    if task == "DEFECT":
        found = "YES" if truth["has_defects"] is True else "NO"
        return f"DEFECTS: {found}\nMISSING: {truth['missing_count'] or 0}\nEXTRA: {truth['extra_count'] or 0}"
    template = _SIZE_RANGE_ANSWER if _is_size_range(task, truth) else _ANSWERS[task]
    return template.format(**truth)


def blind_answer(task: Task, truth: Mapping[str, JsonValue]) -> str:
    """Write the task's constant; of the truth only that is used which the prompt says (whether sizes differ)."""
    return BLIND_CONSTANTS[task]["different sizes" if _is_size_range(task, truth) else "all"]


def position_lines(points_px: Sequence[tuple[float, float]]) -> str:
    """Write positions in pixels as the LOCATE prompt asks: `x, y`, one line each; NONE for no position."""
    return "\n".join(f"{x:.1f}, {y:.1f}" for x, y in points_px) or "NONE"


def _is_size_range(task: Task, truth: Mapping[str, JsonValue]) -> bool:
    """Whether the smallest and the largest diameter are asked for."""
    return task == "SIZE" and truth.get("diameter_um") is None


def _centres_px(truth: Mapping[str, JsonValue]) -> list[tuple[float, float]]:
    dots, scale = truth["dots"], _number(truth["um_per_px"])
    if not isinstance(dots, list):
        raise TypeError(f"expected the truth's dots as a list, got {dots!r}")
    return [(_number(dot["x_um"]) / scale, _number(dot["y_um"]) / scale) for dot in dots if isinstance(dot, dict)]


def _number(value: JsonValue) -> float:
    if not isinstance(value, int | float):
        raise TypeError(f"expected a number in the truth, got {value!r}")
    return value
