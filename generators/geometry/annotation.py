"""A picture with truth and answer drawn over it, twice the size, with a line of text and a legend below.

Every mark has a shape of its own, so that colours are not needed to tell them apart:
a ring round a dot that was found, a dashed ring round one that was not, a cross on a paired prediction, joined
with its dot by a line, a saltire on a false prediction; for DEFECT a dashed ring on each empty site and a
square round each extra dot.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

from generators.geometry.ink import AMBER, CYAN, GREEN, MAGENTA, RED, Colour, Ink

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from generators.items import JsonValue

__all__ = ["MAX_MARKS", "Answer", "annotated_picture"]

MAX_MARKS = 2_000
"""Predictions beyond this number are not drawn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What was answered, as far as it can be drawn.

    `points_px` are predicted positions (x, y) in pixels; `pairs` are (place in `points_px`, place in the
    truth's dots), as the metric paired them.
    """

    points_px: Sequence[tuple[float, float]] = ()
    pairs: Sequence[tuple[int, int]] = ()
    caption: str = ""


def annotated_picture(png: bytes, *, task: str, truth: Mapping[str, JsonValue], answer: Answer) -> bytes:
    """Draw truth, predictions and their pairing over a picture.

    Args:
        png: the picture.
        task: LOCATE draws dots and predictions, DEFECT empty sites and extra dots, any other task the text alone.
        truth: the item's truth.
        answer: what was answered. Texts are cut to the picture's width; what the font lacks becomes "?".

    Returns:
        PNG bytes of twice the picture's width and height, and the bar below.

    Raises:
        OSError: the bytes are no picture.
    """
    from PIL import Image  # noqa: PLC0415  (loaded where it is used)

    with Image.open(io.BytesIO(png)) as opened:
        ink = Ink(opened)
    scale = _number(truth["um_per_px"])
    legend: list[tuple[str, str, Colour]] = []
    if task == "LOCATE":
        legend = _draw_positions(ink, truth, answer, scale)
    elif task == "DEFECT":
        legend = _draw_defects(ink, truth, scale)
    ink.text_bar(answer.caption, legend)
    return ink.png()


def _draw_positions(
    ink: Ink, truth: Mapping[str, JsonValue], answer: Answer, scale: float
) -> list[tuple[str, str, Colour]]:
    dots = _entries(truth.get("dots"))
    found = {dot for _, dot in answer.pairs}
    paired = {point for point, _ in answer.pairs}
    for place, dot in enumerate(dots):
        x, y, radius = dot["x_um"] / scale, dot["y_um"] / scale, dot["diameter_um"] / 2 / scale
        ink.ring(x, y, radius + 3, GREEN if place in found else AMBER, dashed=place not in found)
    for point, dot_place in answer.pairs:
        dot = dots[dot_place]
        ink.line(answer.points_px[point], (dot["x_um"] / scale, dot["y_um"] / scale), CYAN)
    for place, (x, y) in enumerate(answer.points_px[:MAX_MARKS]):
        if place in paired:
            ink.cross(x, y, CYAN)
        else:
            ink.saltire(x, y, RED)
    false = len(answer.points_px) - len(paired)
    return [
        ("ring", f"found {len(found)}", GREEN),
        ("dashed", f"missed {len(dots) - len(found)}", AMBER),
        ("cross", f"paired {len(paired)}", CYAN),
        ("saltire", f"false {false}", RED),
    ]


def _draw_defects(ink: Ink, truth: Mapping[str, JsonValue], scale: float) -> list[tuple[str, str, Colour]]:
    dots = _entries(truth.get("dots"))
    radius = max((dot["diameter_um"] for dot in dots), default=0.0) / 2 / scale
    removed = _entries(truth.get("missing_sites"))
    extra = [
        dot for dot, entry in zip(dots, _dicts(truth.get("dots")), strict=True) if entry.get("role") == "noise"
    ]
    for site in removed:
        ink.ring(site["x_um"] / scale, site["y_um"] / scale, radius, MAGENTA, dashed=True)
    for dot in extra:
        ink.square(dot["x_um"] / scale, dot["y_um"] / scale, radius + 4, AMBER)
    return [
        ("dashed", f"missing {len(removed)}", MAGENTA),
        ("square", f"extra {len(extra)}", AMBER),
    ]


def _dicts(listed: JsonValue) -> list[dict[str, JsonValue]]:
    return [entry for entry in listed if isinstance(entry, dict)] if isinstance(listed, list) else []


def _entries(listed: JsonValue) -> list[dict[str, float]]:
    """Return the numbers of each entry of a list of objects."""
    return [
        {key: value for key, value in entry.items() if isinstance(value, int | float)} for entry in _dicts(listed)
    ]


def _number(value: JsonValue) -> float:
    if not isinstance(value, int | float):
        raise TypeError(f"expected the truth's um_per_px as a number, got {value!r}")
    return value
