"""Reading positions of spots.

The forms are tried on what follows the last line such as "Final answer:" or "Let me correct this:", and on the
whole reply if that holds none. Of a line with an arrow between positions what follows the arrow counts. The form
that gives most points is taken, of equal ones the first of: `json`, `x and y`, `brackets`,
`rows`. Without any point the reply says that there is none (`nothing seen`: "NONE", "[]", "no spots"), or
nothing (None: `refusal`, `empty`, `none`).

What the numbers are is decided once, from all of them: percents if any has a percent sign; fractions of the
picture's size if none is outside -0.1..1.1; percents if three or more different points are all within 0..100,
and reach beyond 60 both ways, in a picture larger than that; else pixels, as the prompt asks.

No answer (None, rule `y first`): positions that are announced as y before x, or row before column.
Not taken for positions: indices, list marks, radii, and in a sentence the picture's corners ("from (0, 0) to
(700, 510)"). Points outside the picture are kept: they were answered, and are wrong.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from scorers.geometry.nothing_seen import nothing_seen
from scorers.geometry.raw_points import bracketed, from_json, labelled, rows
from scorers.geometry.reply_text import is_refusal, prepared

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorers.geometry.raw_points import RawPoint

__all__ = ["MAX_POINTS", "LocateReading", "Point", "read_positions"]

MAX_POINTS = 10_000
"""Points beyond this number are not read."""

MAX_PX = 1e6
"""Points farther away than this are no positions."""

_FINAL = re.compile(
    r"\b(?:(?:final|corrected|revised|updated|second)\s(?:answer|list|coordinates|positions|result|attempt)s?|"
    r"correction|let me (?:correct|fix|redo|revise|refine)|(?:scaled|converted) to pixels)\b[^\n:]{0,60}[:\n]",
    re.IGNORECASE,
)
_Y_FIRST = re.compile(
    r"\b(?:y(?:[ _-]?coord\w*)?|rows?)(?:[ ]?\(?px\)?)?[ ]?[,;][ ]?(?:x\b|col(?:umn)?s?\b)|\bbox_2d\b|"
    r"\bymin\b.{0,9}\bxmin\b",
    re.IGNORECASE,
)
_LARGEST_FRACTION = 1.1
_LEAST_FRACTION = -0.1
_PERCENT = 100.0
_POINTS_FOR_BARE_PERCENT = 3
_SPREAD_PERCENT = 60.0


class Point(NamedTuple):
    """A position in pixels from the top left corner, y downwards."""

    x_px: float
    y_px: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LocateReading:
    """The positions that were read, None when the reply is no answer, and the rule."""

    points: tuple[Point, ...] | None
    rule: str


def read_positions(text: str, *, width_px: int, height_px: int) -> LocateReading:
    """Read positions from any text; total, and equal for equal text in every process."""
    seen = prepared(text, keep_bars=True)
    if not seen:
        return LocateReading(points=None, rule="empty")
    if ">" in seen or "→" in seen:
        seen = "\n".join(map(_behind_arrow, seen.split("\n")))
    if _Y_FIRST.search(seen):
        return LocateReading(points=None, rule="y first")
    finals = list(_FINAL.finditer(seen))
    parts = [seen[finals[-1].end() :], seen] if finals else [seen]
    for part in parts:
        raw, rule = _best(part, width_px, height_px)
        if raw:
            points, form = _in_pixels(raw[:MAX_POINTS], width_px, height_px)
            return LocateReading(points=points or None, rule=f"{rule}, {form}")
    return _without_points(seen)


def _behind_arrow(line: str) -> str:
    """Return what follows the last arrow if it may be a position, else the line."""
    tail = re.split(r"→|[-=]>", line)[-1]
    return tail if len(re.findall(r"[0-9]+(?:\.[0-9]+)?", tail)) > 1 else line


def _without_points(text: str) -> LocateReading:
    if is_refusal(text):
        return LocateReading(points=None, rule="refusal")
    if nothing_seen(text) or from_json(text) == []:
        return LocateReading(points=(), rule="nothing seen")
    return LocateReading(points=None, rule="none")


def _best(text: str, width_px: int, height_px: int) -> tuple[list[RawPoint], str]:
    candidates = {
        "json": from_json(text) or [],
        "x and y": labelled(text),
        "brackets": [point for point in bracketed(text) if not _is_corner(point, width_px, height_px)],
        "rows": rows(text),
    }
    finite = {
        rule: [point for point in found if math.isfinite(point.x + point.y)] for rule, found in candidates.items()
    }
    rule = max(finite, key=lambda name: len(finite[name]))
    return finite[rule], rule


def _is_corner(point: RawPoint, width_px: int, height_px: int) -> bool:
    return point.in_prose and point.x in {0, width_px, width_px - 1} and point.y in {0, height_px, height_px - 1}


def _in_pixels(raw: Sequence[RawPoint], width_px: int, height_px: int) -> tuple[tuple[Point, ...], str]:
    form = _form(raw, width_px, height_px)
    x_factor, y_factor = {
        "pixels": (1.0, 1.0),
        "fractions": (float(width_px), float(height_px)),
        "percent": (width_px / _PERCENT, height_px / _PERCENT),
    }[form]
    points = [Point(point.x * x_factor, point.y * y_factor) for point in raw]
    return tuple(point for point in points if abs(point.x_px) <= MAX_PX >= abs(point.y_px)), form


def _form(raw: Sequence[RawPoint], width_px: int, height_px: int) -> str:
    numbers = [number for point in raw for number in (point.x, point.y)]
    if any(point.percent for point in raw):
        return "percent"
    if min(numbers) >= _LEAST_FRACTION and max(numbers) <= _LARGEST_FRACTION:
        return "fractions"
    small = min(numbers) >= 0 and max(numbers) <= _PERCENT < min(width_px, height_px)
    spread = min(max(point.x for point in raw), max(point.y for point in raw)) >= _SPREAD_PERCENT
    several = len({(point.x, point.y) for point in raw}) >= _POINTS_FOR_BARE_PERCENT
    return "percent" if small and spread and several else "pixels"
