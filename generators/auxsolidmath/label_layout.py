"""Where the lettering goes: beside its point or line, clear of lines, of other lettering and of the edge."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from generators.auxsolidmath.lettering import height_px, width_px

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from generators.auxsolidmath.canvas import Canvas, Px
    from generators.auxsolidmath.sketch import Line

__all__ = ["Box", "Lettering", "Paper", "crossings", "letter_angle", "letter_length", "letter_point"]

_DIRECTIONS = tuple(math.tau * step / 24 for step in range(24))
_GAPS_PX = (3.5, 6.0, 9.0, 13.0, 18.0)
_LENGTH_GAPS_PX = (3.5, 6.0, 10.0, 15.0, 21.0, 28.0, 36.0, 45.0)
_ANGLE_GAPS_PX = (18.0, 22.0, 27.0, 33.0, 40.0, 48.0, 57.0, 67.0, 78.0, 90.0, 104.0, 120.0)
_LINE_GAP_PX = 3.0
_BOX_GAP_PX = 2.0
_TOUCHES_PX = 1.5
_EDGE_PX = 3.0
_WIDE_RAD = math.radians(55)
_SHARES = (0.5, 0.43, 0.57, 0.36, 0.64, 0.29, 0.71, 0.22, 0.78, 0.15, 0.85)


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """An upright rectangle in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box, gap: float) -> bool:
        """Tell whether two boxes come nearer than `gap`."""
        return not (
            self.right + gap <= other.left
            or other.right + gap <= self.left
            or self.bottom + gap <= other.top
            or other.bottom + gap <= self.top
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Lettering:
    """A placed text: its middle, its box, and whether the constructions add it."""

    text: str
    middle_px: Px
    box: Box
    added: bool


@dataclass(slots=True, kw_only=True)
class Paper:
    """What lettering has to keep clear of; grows with every piece that is placed, and counts what it covers."""

    canvas: Canvas
    segments: Sequence[tuple[Px, Px]]
    placed: list[Lettering] = field(default_factory=list)
    faults: int = 0

    def put(self, text: str, candidates: Iterable[Px], *, added: bool = False) -> None:
        """Place a text at the first clear candidate, or at the one with the fewest faults when none is clear."""
        least = math.inf
        for middle in candidates:
            box = _box(middle, text)
            faults = self._faults(box)
            if faults < least:
                least, chosen = faults, Lettering(text=text, middle_px=middle, box=box, added=added)
            if not faults:
                break
        self.placed.append(chosen)
        self.faults += int(least)

    def _faults(self, box: Box) -> int:
        outside = (
            box.left < _EDGE_PX
            or box.top < _EDGE_PX
            or box.right > self.canvas.width_px - _EDGE_PX
            or box.bottom > self.canvas.height_px - _EDGE_PX
        )
        covered = sum(box.meets(other.box, _BOX_GAP_PX) for other in self.placed)
        return crossings(box, self.segments, _LINE_GAP_PX) + 3 * covered + 3 * outside


def segments_of(lines: Iterable[Line]) -> list[tuple[Px, Px]]:
    """Return the straight parts of lines."""
    return [(line.places[at], line.places[at + 1]) for line in lines for at in range(len(line.places) - 1)]


def letter_point(paper: Paper, text: str, anchor: Px, middle: Px, *, added: bool = False) -> None:
    """Place a point's label round it: first where there is most room between its lines, away from the `middle`."""
    arms = list(_arms(anchor, paper.segments))
    outward = math.atan2(anchor[1] - middle[1], anchor[0] - middle[0])

    def cost(direction: float) -> float:
        room = min((_turn(direction, arm) for arm in arms), default=math.pi)
        return -2.0 * min(room, _WIDE_RAD) + 0.5 * _turn(direction, outward)

    ranked = sorted(_DIRECTIONS, key=lambda direction: round(cost(direction), 6))
    half = width_px(text) / 2, height_px(text) / 2
    paper.put(
        text,
        (_beside(anchor, direction, half, gap) for gap in _GAPS_PX for direction in ranked),
        added=added,
    )


def letter_length(paper: Paper, text: str, ends: tuple[Px, Px], middle: Px) -> None:
    """Place a marked length beside the middle of its segment, outside the figure first."""
    (x0, y0), (x1, y1) = ends
    normal = math.atan2(x1 - x0, y0 - y1)
    centre = (x0 + x1) / 2, (y0 + y1) / 2
    outward = math.atan2(centre[1] - middle[1], centre[0] - middle[0])
    sides = sorted((normal, normal + math.pi), key=lambda side: round(_turn(side, outward), 6))
    half = width_px(text) / 2, height_px(text) / 2
    paper.put(
        text,
        (
            _beside((x0 + (x1 - x0) * share, y0 + (y1 - y0) * share), side, half, gap)
            for gap in _LENGTH_GAPS_PX
            for side in sides
            for share in _SHARES
        ),
    )


def letter_angle(paper: Paper, text: str, vertex: Px, arms: tuple[Px, Px]) -> None:
    """Place a marked angle inside it, near its vertex."""
    first, second = (math.atan2(arm[1] - vertex[1], arm[0] - vertex[0]) for arm in arms)
    half_angle = math.remainder(second - first, math.tau) / 2
    half = width_px(text) / 2, height_px(text) / 2
    paper.put(
        text,
        (
            _beside(vertex, first + half_angle * share, half, gap)
            for gap in _ANGLE_GAPS_PX
            for share in (1.0, 0.8, 1.2, 0.65, 1.35, 0.5, 1.5)
        ),
    )


def crossings(box: Box, segments: Iterable[tuple[Px, Px]], gap: float) -> int:
    """Count the segments that enter a box widened by `gap` on all sides."""
    left, top, right, bottom = box.left - gap, box.top - gap, box.right + gap, box.bottom + gap
    count = 0
    for segment in segments:
        (x0, y0), (x1, y1) = segment
        beside = (x0 < left and x1 < left) or (x0 > right and x1 > right)
        if not (beside or (y0 < top and y1 < top) or (y0 > bottom and y1 > bottom)):
            count += _enters(segment, box, gap)
    return count


def _enters(segment: tuple[Px, Px], box: Box, gap: float) -> bool:
    """Clip a segment to a box (Liang and Barsky); it enters when something is left."""
    (x0, y0), (x1, y1) = segment
    low, high = 0.0, 1.0
    for start, step, least, most in (
        (x0, x1 - x0, box.left - gap, box.right + gap),
        (y0, y1 - y0, box.top - gap, box.bottom + gap),
    ):
        if step == 0:
            if not least < start < most:
                return False
            continue
        near, far = sorted(((least - start) / step, (most - start) / step))
        low, high = max(low, near), min(high, far)
        if low >= high:
            return False
    return True


def _arms(anchor: Px, segments: Iterable[tuple[Px, Px]]) -> Iterator[float]:
    """Yield the directions in which lines leave a point."""
    for segment in segments:
        if _enters(segment, Box(left=anchor[0], top=anchor[1], right=anchor[0], bottom=anchor[1]), _TOUCHES_PX):
            for end in segment:
                if math.dist(end, anchor) > 2 * _TOUCHES_PX:
                    yield math.atan2(end[1] - anchor[1], end[0] - anchor[0])


def _turn(a: float, b: float) -> float:
    return abs(math.remainder(a - b, math.tau))


def _beside(anchor: Px, direction: float, half: tuple[float, float], gap: float) -> Px:
    """Return the middle of a box that stands off its anchor by `gap` in a direction."""
    x, y = math.cos(direction), math.sin(direction)
    reach = gap + abs(x) * half[0] + abs(y) * half[1]
    return anchor[0] + x * reach, anchor[1] + y * reach


def _box(middle: Px, text: str) -> Box:
    across, up = width_px(text) / 2, height_px(text) / 2
    return Box(left=middle[0] - across, top=middle[1] - up, right=middle[0] + across, bottom=middle[1] + up)
