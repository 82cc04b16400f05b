"""What is asked: one prompt for each task, the same for every image class.

The first sentence of COUNT, LOCATE, PATTERN, SIZE and DEFECT is the design document's example, word for word.
SIZE asks for the smallest and the largest diameter where a picture holds several sizes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generators.geometry.tasks import Task
    from generators.items import JsonValue

__all__ = ["PROMPTS", "SIZE_RANGE_PROMPT", "prompt_for"]

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
    ranged = task == "SIZE" and truth.get("diameter_um") is None
    template = SIZE_RANGE_PROMPT if ranged else PROMPTS[task]
    return template.format(width_px=truth["width_px"], height_px=truth["height_px"], um_per_px=truth["um_per_px"])
