"""Fits the constants of `blind`: `python -m tests.generators.geometry.fit_blind [--seeds 1-5]` prints them.

For each task the answer, out of a list of candidates, that passes most often over the pictures of the training
seeds; among equals the one with the higher mean F1 (LOCATE), then the first. Seed 0, the standard suite, is never
among them.

It lives with the tests because it needs both the generator and the scorers, which know nothing of each other.
"""

from __future__ import annotations

import argparse
import math
from typing import TYPE_CHECKING

from generators.geometry import GeometrySource, tasks_of
from generators.geometry.layout import MARGIN_UM, STANDARD_CANVAS
from generators.geometry.tasks import position_lines
from scorers.geometry import LocateScore, score_geometry

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from generators.geometry.tasks import Task
    from generators.items import Item

__all__ = ["CANDIDATES", "SIZE_RANGE_CANDIDATES", "fit", "grid", "honeycomb", "main"]

TRAINING_SEEDS = range(1, 6)


def grid(columns: int, rows: int) -> list[tuple[float, float]]:
    """Positions in pixels in the middle of equal cells."""
    canvas = STANDARD_CANVAS
    return [
        ((column + 0.5) * canvas.width_px / columns, (row + 0.5) * canvas.height_px / rows)
        for row in range(rows)
        for column in range(columns)
    ]


def honeycomb(spacing_um: float, share: float) -> list[tuple[float, float]]:
    """The lattice of that spacing in pixels, at that share of the room that the margin leaves."""
    canvas = STANDARD_CANVAS
    pitch = spacing_um * math.sqrt(3) / 2
    width, height = canvas.width_um - 2 * MARGIN_UM, canvas.height_um - 2 * MARGIN_UM
    rows = int(height / pitch + 1e-9) + 1
    lengths = [int((width - row % 2 * spacing_um / 2) / spacing_um + 1e-9) + 1 for row in range(rows)]
    right = max(row % 2 * spacing_um / 2 + (length - 1) * spacing_um for row, length in enumerate(lengths))
    left = MARGIN_UM + share * (width - right)
    top = MARGIN_UM + share * (height - (rows - 1) * pitch)
    return [
        (
            (left + row % 2 * spacing_um / 2 + column * spacing_um) / canvas.um_per_px,
            (top + row * pitch) / canvas.um_per_px,
        )
        for row, length in enumerate(lengths)
        for column in range(length)
    ]


def _numbers(label: str, values: Iterable[float]) -> list[str]:
    return [f"{label}: {value:g} µm" for value in values]


_LENGTHS = [step / 10 for step in range(15, 65)]

CANDIDATES: dict[Task, list[str]] = {
    "COUNT": [f"COUNT: {count}" for count in range(121)],
    "LOCATE": [
        *(position_lines(honeycomb(spacing, share)) for spacing in (8, 12, 16) for share in (0.25, 0.5, 0.75)),
        *(
            position_lines(grid(columns, rows))
            for columns, rows in ((7, 5), (10, 7), (14, 10), (20, 15), (28, 20))
        ),
    ],
    "PATTERN": ["PATTERN: RANDOM", "PATTERN: HEXAGONAL", "PATTERN: GRID"],
    "SIZE": _numbers("DIAMETER", _LENGTHS),
    "DEFECT": [
        f"DEFECTS: {'YES' if missing or extra else 'NO'}\nMISSING: {missing}\nEXTRA: {extra}"
        for missing in range(12)
        for extra in range(8)
    ],
    "SPACING": _numbers("SPACING", [step / 2 for step in range(12, 45)]),
    "REGULARITY": ["REGULARITY: REGULAR", "REGULARITY: PERTURBED"],
}

SIZE_RANGE_CANDIDATES = [
    f"SMALLEST: {small:g} µm\nLARGEST: {large:g} µm"
    for small in _LENGTHS[::2]
    for large in _LENGTHS[::2]
    if small < large
]


def fit(seeds: Iterable[int] = TRAINING_SEEDS) -> dict[Task, dict[str, str]]:
    """Return task -> "all", and for SIZE "different sizes", -> the best answer."""
    items = [item for seed in seeds for item in GeometrySource(seed=seed)]
    found: dict[Task, dict[str, str]] = {}
    for task, candidates in CANDIDATES.items():
        asked = [item for item in items if task in tasks_of(item)]
        equal = [item for item in asked if task != "SIZE" or item.truth["diameter_um"] is not None]
        found[task] = {"all": _best(task, candidates, equal)}
        if len(equal) < len(asked):
            mixed = [item for item in asked if item not in equal]
            found[task]["different sizes"] = _best(task, SIZE_RANGE_CANDIDATES, mixed)
    return found


def _best(task: Task, candidates: Sequence[str], items: Sequence[Item]) -> str:
    return max(candidates, key=lambda text: _worth(task, text, items))


def _worth(task: Task, text: str, items: Sequence[Item]) -> tuple[int, float]:
    scores = [score_geometry(task, text, item.truth) for item in items]
    f1 = sum(score.f1 for score in scores if isinstance(score, LocateScore))
    return sum(score.passed for score in scores), round(f1, 9)


def main() -> None:
    """Print the constants as they stand in `generators.geometry.tasks`."""
    parser = argparse.ArgumentParser(description="Fit the answers of `blind`.")
    parser.add_argument("--seeds", default="1-5", help="training seeds, first-last")
    first, last = (int(part) for part in parser.parse_args().seeds.split("-"))
    for task, constants in fit(range(first, last + 1)).items():
        print(f"    {task!r}: {constants!r},")


if __name__ == "__main__":
    main()
