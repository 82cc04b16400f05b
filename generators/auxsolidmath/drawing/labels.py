"""Labels of a diagram: how large they are and where they go."""

from __future__ import annotations

import importlib.util
import math
import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from generators.auxsolidmath.drawing.projection import ProjectedFigure, project_figure

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

    from generators.auxsolidmath.drawing.projection import DiagramCanvas, ProjectedLine, Px, View
    from generators.auxsolidmath.exact import Given
    from generators.auxsolidmath.naming import Naming
    from generators.auxsolidmath.problem import Problem

__all__ = [
    "Diagram",
    "LabelBox",
    "LabelLayout",
    "PlacedLabel",
    "crossings",
    "draw_text",
    "height_px",
    "letter_angle",
    "letter_length",
    "letter_point",
    "make_diagram",
    "segments_of",
    "width_px",
]

_Style = Literal["italic", "upright", "lowered"]
_FILES: dict[_Style, str] = {
    "italic": "DejaVuSerif-Italic.ttf",
    "upright": "DejaVuSerif.ttf",
    "lowered": "DejaVuSerif.ttf",
}
_SIZES_PX: dict[_Style, float] = {"italic": 20.0, "upright": 18.0, "lowered": 13.0}
_UNITS_AN_EM = 2048
_ADVANCES = {
    **dict(zip("ABCDEFGH", (1479, 1505, 1567, 1642, 1495, 1421, 1636, 1786), strict=True)),
    **dict(zip("IJKLMNOP", (809, 821, 1530, 1360, 2097, 1792, 1679, 1378), strict=True)),
    **dict(zip("QRSTUVWXYZ", (1679, 1542, 1403, 1366, 1726, 1479, 2105, 1458, 1352, 1423), strict=True)),
    **dict.fromkeys("0123456789", 1303),
    "′": 465,
    "=": 1716,
    "√": 1305,
    "°": 1024,
    "/": 690,
    "π": 1346,
    ":": 690,
}
"""Advance widths in font units: capitals and the prime in italics, all else upright."""
_CAP_PX = 14.6
_LOWERED_BY_PX = 4.5
_LABEL = re.compile(r"[A-Z][0-9]?['′]?|.")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    text: str
    style: _Style


def width_px(text: str) -> float:
    """Return how wide a label or a marked size is."""
    return sum(_run_width_px(run) for run in _runs(text))


def height_px(text: str) -> float:
    """Return how high a text is round its middle, digits below the line included on both sides."""
    lowered = any(run.style == "lowered" for run in _runs(text))
    return _CAP_PX + (2 * _LOWERED_BY_PX if lowered else 0.0)


def draw_text(draw: ImageDraw, text: str, *, middle_px: tuple[float, float], scale: int) -> None:
    """Write a label round its middle, on a drawing `scale` times as large as the picture, in full ink."""
    x = (middle_px[0] - width_px(text) / 2) * scale
    baseline = (middle_px[1] + _CAP_PX / 2) * scale
    for run in _runs(text):
        font = _font(run.style, scale)
        lower = _LOWERED_BY_PX * scale if run.style == "lowered" else 0.0
        draw.text((x, baseline + lower), run.text, fill=255, font=font, anchor="ls")
        x += _run_width_px(run) * scale


def _run_width_px(run: _Run) -> float:
    return sum(_ADVANCES[letter] for letter in run.text) * _SIZES_PX[run.style] / _UNITS_AN_EM


@cache
def _runs(text: str) -> tuple[_Run, ...]:
    """Cut a text into runs: before "=" capitals are labels with lowered digits, behind it stands a number."""
    labels, equals, size = text.partition("=")
    if not re.match("[A-Z]", labels):
        return (_Run(text=text, style="upright"),)
    runs = [
        _Run(text=part, style=style)
        for label in _LABEL.findall(labels)
        for part, style in (_letter(label), _lowered(label))
        if part
    ]
    return (*runs, _Run(text=f"={size}", style="upright")) if equals else tuple(runs)


def _letter(label: str) -> tuple[str, _Style]:
    return label[0] + ("′" if label[-1] in "'′" else ""), "italic"


def _lowered(label: str) -> tuple[str, _Style]:
    return "".join(filter(str.isdigit, label)), "lowered"


@cache
def _font(style: _Style, scale: int) -> FreeTypeFont:
    from PIL import ImageFont  # noqa: PLC0415 - only where something is drawn

    path = _font_folder() / _FILES[style]
    return ImageFont.truetype(str(path), _SIZES_PX[style] * scale, layout_engine=ImageFont.Layout.BASIC)


@cache
def _font_folder() -> Path:
    """Find Matplotlib's fonts without importing it."""
    found = importlib.util.find_spec("matplotlib")
    if found is None or found.origin is None:
        raise FileNotFoundError("the diagrams' fonts come with matplotlib, which is not installed")
    return Path(found.origin).parent / "mpl-data" / "fonts" / "ttf"


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
class LabelBox:
    """An upright rectangle in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: LabelBox, gap: float) -> bool:
        """Tell whether two boxes come nearer than `gap`."""
        return not (
            self.right + gap <= other.left
            or other.right + gap <= self.left
            or self.bottom + gap <= other.top
            or other.bottom + gap <= self.top
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedLabel:
    """A placed text: its middle, its box, and whether the constructions add it."""

    text: str
    middle_px: Px
    box: LabelBox
    added: bool


@dataclass(slots=True, kw_only=True)
class LabelLayout:
    """What lettering has to keep clear of; grows with every piece that is placed, and counts what it covers."""

    canvas: DiagramCanvas
    segments: Sequence[tuple[Px, Px]]
    placed: list[PlacedLabel] = field(default_factory=list)
    faults: int = 0

    def put(self, text: str, candidates: Iterable[Px], *, added: bool = False) -> None:
        """Place a text at the first clear candidate, or at the one with the fewest faults when none is clear."""
        least = math.inf
        for middle in candidates:
            box = _box(middle, text)
            faults = self._faults(box)
            if faults < least:
                least, chosen = faults, PlacedLabel(text=text, middle_px=middle, box=box, added=added)
            if not faults:
                break
        self.placed.append(chosen)
        self.faults += int(least)

    def _faults(self, box: LabelBox) -> int:
        outside = (
            box.left < _EDGE_PX
            or box.top < _EDGE_PX
            or box.right > self.canvas.width_px - _EDGE_PX
            or box.bottom > self.canvas.height_px - _EDGE_PX
        )
        covered = sum(box.meets(other.box, _BOX_GAP_PX) for other in self.placed)
        return crossings(box, self.segments, _LINE_GAP_PX) + 3 * covered + 3 * outside


def segments_of(lines: Iterable[ProjectedLine]) -> list[tuple[Px, Px]]:
    """Return the straight parts of lines."""
    return [(line.places[at], line.places[at + 1]) for line in lines for at in range(len(line.places) - 1)]


def letter_point(layout: LabelLayout, text: str, anchor: Px, middle: Px, *, added: bool = False) -> None:
    """Place a point's label round it: first where there is most room between its lines, away from the `middle`."""
    arms = list(_arms(anchor, layout.segments))
    outward = math.atan2(anchor[1] - middle[1], anchor[0] - middle[0])

    def cost(direction: float) -> float:
        room = min((_turn(direction, arm) for arm in arms), default=math.pi)
        return -2.0 * min(room, _WIDE_RAD) + 0.5 * _turn(direction, outward)

    ranked = sorted(_DIRECTIONS, key=lambda direction: round(cost(direction), 6))
    layout.put(
        text,
        (_beside(anchor, direction, text, gap) for gap in _GAPS_PX for direction in ranked),
        added=added,
    )


def letter_length(layout: LabelLayout, text: str, ends: tuple[Px, Px], middle: Px) -> None:
    """Place a marked length beside the middle of its segment, outside the figure first."""
    (x0, y0), (x1, y1) = ends
    normal = math.atan2(x1 - x0, y0 - y1)
    centre = (x0 + x1) / 2, (y0 + y1) / 2
    outward = math.atan2(centre[1] - middle[1], centre[0] - middle[0])
    sides = sorted((normal, normal + math.pi), key=lambda side: round(_turn(side, outward), 6))
    layout.put(
        text,
        (
            _beside((x0 + (x1 - x0) * share, y0 + (y1 - y0) * share), side, text, gap)
            for gap in _LENGTH_GAPS_PX
            for side in sides
            for share in _SHARES
        ),
    )


def letter_angle(layout: LabelLayout, text: str, vertex: Px, arms: tuple[Px, Px]) -> None:
    """Place a marked angle inside it, near its vertex."""
    first, second = (math.atan2(arm[1] - vertex[1], arm[0] - vertex[0]) for arm in arms)
    half_angle = math.remainder(second - first, math.tau) / 2
    layout.put(
        text,
        (
            _beside(vertex, first + half_angle * share, text, gap)
            for gap in _ANGLE_GAPS_PX
            for share in (1.0, 0.8, 1.2, 0.65, 1.35, 0.5, 1.5)
        ),
    )


def crossings(box: LabelBox, segments: Iterable[tuple[Px, Px]], gap: float) -> int:
    """Count the segments that enter a box widened by `gap` on all sides."""
    left, top, right, bottom = box.left - gap, box.top - gap, box.right + gap, box.bottom + gap
    count = 0
    for segment in segments:
        (x0, y0), (x1, y1) = segment
        beside = (x0 < left and x1 < left) or (x0 > right and x1 > right)
        if not (beside or (y0 < top and y1 < top) or (y0 > bottom and y1 > bottom)):
            count += _enters(segment, box, gap)
    return count


def _enters(segment: tuple[Px, Px], box: LabelBox, gap: float) -> bool:
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
        if _enters(
            segment, LabelBox(left=anchor[0], top=anchor[1], right=anchor[0], bottom=anchor[1]), _TOUCHES_PX
        ):
            for end in segment:
                if math.dist(end, anchor) > 2 * _TOUCHES_PX:
                    yield math.atan2(end[1] - anchor[1], end[0] - anchor[0])


def _turn(a: float, b: float) -> float:
    return abs(math.remainder(a - b, math.tau))


def _beside(anchor: Px, direction: float, text: str, gap: float) -> Px:
    """Return the middle of a text that stands off its anchor by `gap` in a direction."""
    x, y = math.cos(direction), math.sin(direction)
    reach = gap + abs(x) * width_px(text) / 2 + abs(y) * height_px(text) / 2
    return anchor[0] + x * reach, anchor[1] + y * reach


def _box(middle: Px, text: str) -> LabelBox:
    across, up = width_px(text) / 2, height_px(text) / 2
    return LabelBox(left=middle[0] - across, top=middle[1] - up, right=middle[0] + across, bottom=middle[1] + up)


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagram:
    """A projected figure and its lettering, the original's and what the constructions add.

    `faults` is 0 when no piece of lettering touches a line, another piece or the picture's edge.
    """

    projected: ProjectedFigure
    lettering: tuple[PlacedLabel, ...]
    faults: int


def make_diagram(problem: Problem, view: View, naming: Naming, marked: tuple[Given, ...]) -> Diagram:
    """Lay a diagram out; `marked` are the sizes written into it.

    The original's lettering keeps clear of the constructions' lines too, so that both drawings share it.
    """
    projected = project_figure(problem, view, arcs=[given.labels for given in marked if given.kind == "angle"])
    runs = (*projected.lines, *projected.marks, *projected.added_lines, *projected.added_marks)
    layout = LabelLayout(canvas=projected.canvas, segments=segments_of(runs))
    middle = _middle(projected)
    for label in projected.shown:
        letter_point(layout, naming.label(label), projected.places[label], middle)
    for given in marked:
        _letter_given(layout, given, naming, projected)
    for label in projected.added:
        letter_point(layout, naming.label(label), projected.places[label], middle, added=True)
    return Diagram(projected=projected, lettering=tuple(layout.placed), faults=layout.faults)


def _letter_given(layout: LabelLayout, given: Given, naming: Naming, projected: ProjectedFigure) -> None:
    places = [projected.places[label] for label in given.labels]
    if given.kind == "angle":
        letter_angle(layout, given.size, places[1], (places[0], places[2]))
    else:
        name = naming.label("".join(given.labels))
        letter_length(layout, f"{name}={given.size}", (places[0], places[1]), _middle(projected))


def _middle(projected: ProjectedFigure) -> Px:
    shown = [projected.places[label] for label in projected.shown]
    return math.fsum(x for x, _ in shown) / len(shown), math.fsum(y for _, y in shown) / len(shown)
