"""Answers as text in the form that the prompt asks for: the truth, and the best answer without looking."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from generators.geometry.blind_constants import BLIND_CONSTANTS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from generators.geometry.tasks import Task
    from generators.items import JsonValue

__all__ = ["DotTruth", "blind_answer", "oracle_answer", "position_lines"]


class DotTruth(TypedDict):
    """A dot in an image's truth."""

    x_um: float
    y_um: float
    diameter_um: float
    role: str


def oracle_answer(task: Task, truth: Mapping[str, JsonValue]) -> str:
    """Write the truth as the task's prompt asks for it; what is unknown of a foreign picture is written as 0."""
    if task == "LOCATE":
        scale = _number(truth["um_per_px"])
        return position_lines([(_number(x) / scale, _number(y) / scale) for x, y in _centres(truth)])
    if task == "DEFECT":
        return _defect_lines(truth["has_defects"] is True, truth["missing_count"], truth["extra_count"])
    if task == "SIZE" and truth.get("diameter_um") is None:
        return f"SMALLEST: {truth['smallest_diameter_um']} µm\nLARGEST: {truth['largest_diameter_um']} µm"
    return _LINES[task].format(**truth)


def blind_answer(task: Task, truth: Mapping[str, JsonValue]) -> str:
    """Write the task's constant; of the truth only that is used which the prompt says (whether sizes differ)."""
    constants = BLIND_CONSTANTS[task]
    ranged = task == "SIZE" and truth.get("diameter_um") is None
    return constants["different sizes" if ranged else "all"]


def position_lines(points_px: Sequence[tuple[float, float]]) -> str:
    """Write positions in pixels as the LOCATE prompt asks: `x, y`, one line each; NONE for no position."""
    return "\n".join(f"{x:.1f}, {y:.1f}" for x, y in points_px) or "NONE"


_LINES: Mapping[Task, str] = {
    "COUNT": "COUNT: {count}",
    "PATTERN": "PATTERN: {pattern}",
    "SIZE": "DIAMETER: {diameter_um} µm",
    "SPACING": "SPACING: {spacing_um} µm",
    "REGULARITY": "REGULARITY: {regularity}",
}


def _defect_lines(found: bool, missing: JsonValue, extra: JsonValue) -> str:
    return f"DEFECTS: {'YES' if found else 'NO'}\nMISSING: {missing or 0}\nEXTRA: {extra or 0}"


def _centres(truth: Mapping[str, JsonValue]) -> list[tuple[JsonValue, JsonValue]]:
    dots = truth["dots"]
    if not isinstance(dots, list):
        raise TypeError(f"expected the truth's dots as a list, got {dots!r}")
    return [(dot["x_um"], dot["y_um"]) for dot in dots if isinstance(dot, dict)]


def _number(value: JsonValue) -> float:
    if not isinstance(value, int | float):
        raise TypeError(f"expected a number in the truth, got {value!r}")
    return value
