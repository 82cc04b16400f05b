"""A figure projected onto the picture, and the view that shows it best."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from generators.auxsolidmath.space import (
    Segment,
    Sphere,
    Vec,
    add,
    distance,
    dot,
    scaled,
    split_by_visibility,
    sub,
    unit,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from generators.auxsolidmath.naming import ProblemDraws
    from generators.auxsolidmath.problem import Problem, ViewKind
    from generators.auxsolidmath.space import Body, Stroke
    from generators.items import JsonValue

__all__ = [
    "MIN_CLEARANCE",
    "PRESETS",
    "DiagramCanvas",
    "ProjectedFigure",
    "ProjectedLine",
    "Px",
    "View",
    "ViewPreset",
    "choose_view",
    "clearance",
    "fit",
    "project_figure",
    "samples",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewPreset:
    """How a figure is looked at, before it is turned.

    Oblique: the front face is true, depth runs at `angle_deg` to the horizontal, shortened by `factor`.
    Axonometric: seen from `angle_deg` to the right of the front, `factor` being the sine of the elevation.
    """

    kind: ViewKind
    angle_deg: float
    factor: float

    @property
    def axes(self) -> tuple[Vec, Vec, Vec]:
        """What a point's scalar products with are its x and y on the paper, and the direction to the viewer."""
        angle = math.radians(self.angle_deg)
        cos, sin = math.cos(angle), math.sin(angle)
        if self.kind == "oblique":
            across, above = self.factor * cos, self.factor * sin
            return (1.0, across, 0.0), (0.0, above, 1.0), (across, -1.0, above)
        above, level = self.factor, math.sqrt(1 - self.factor**2)
        return (cos, sin, 0.0), (-sin * above, cos * above, level), (sin * level, -cos * level, above)


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A preset, and how the figure stands: mirrored left to right first, then turned about the vertical."""

    preset: ViewPreset
    turn_deg: float = 0.0
    mirrored: bool = False

    @property
    def right(self) -> Vec:
        """What a point's scalar product with is its x on the paper."""
        return self._standing(self.preset.axes[0])

    @property
    def up(self) -> Vec:
        """What a point's scalar product with is its y on the paper."""
        return self._standing(self.preset.axes[1])

    @property
    def towards_viewer(self) -> Vec:
        """The direction along which points coincide on the paper, towards the viewer."""
        return self._standing(self.preset.axes[2])

    def paper(self, points: Sequence[Vec]) -> list[tuple[float, float]]:
        """Project points."""
        right, up = self.right, self.up
        return [(dot(right, point), dot(up, point)) for point in points]

    def json(self) -> dict[str, JsonValue]:
        """Return the preset, the turn and whether the figure is mirrored, for records."""
        return {**asdict(self.preset), "turn_deg": self.turn_deg, "mirrored": self.mirrored}

    def _standing(self, seen: Vec) -> Vec:
        """Express a direction of the turned and mirrored figure in the figure's own frame."""
        turn = math.radians(self.turn_deg)
        cos, sin = math.cos(turn), math.sin(turn)
        x, y = cos * seen[0] + sin * seen[1], -sin * seen[0] + cos * seen[1]
        return (-x if self.mirrored else x), y, seen[2]


PRESETS: dict[ViewKind, tuple[ViewPreset, ...]] = {
    "oblique": tuple(
        ViewPreset(kind="oblique", angle_deg=angle, factor=factor)
        for factor in (0.5, 0.45, 0.55, 0.4, 0.6)
        for angle in (40.0, 35.0, 30.0, 52.0, 55.0, 66.0)
    ),
    "axonometric": tuple(
        ViewPreset(kind="axonometric", angle_deg=angle, factor=round(math.sin(math.radians(elevation)), 6))
        for elevation in (18.0, 15.0, 21.0, 24.0)
        for angle in (30.0, 26.0, 34.0, 22.0, 38.0, 18.0)
    ),
}
"""Presets of either kind, the most usual first."""

Px = tuple[float, float]
"""A place in the picture: x to the right, y downwards from the top left corner, in pixels."""

_MARGIN_PX = 52
_WIDTHS_PX = (480, 640)
_ROOM_PX = (500.0, 430.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class DiagramCanvas:
    """A picture's size, pixels a unit of the figure, and the pixel of the paper's origin."""

    width_px: int
    height_px: int
    scale: float
    origin_px: Px

    def place(self, point: tuple[float, float]) -> Px:
        """Return the pixel of a point of the paper."""
        return self.origin_px[0] + self.scale * point[0], self.origin_px[1] - self.scale * point[1]


def fit(paper: Sequence[tuple[float, float]]) -> DiagramCanvas:
    """Return a canvas that holds points of the paper with a margin for labels."""
    left, right = min(x for x, _ in paper), max(x for x, _ in paper)
    low, high = min(y for _, y in paper), max(y for _, y in paper)
    scale = min(_ROOM_PX[0] / (right - left), _ROOM_PX[1] / (high - low))
    width = min(max(round(scale * (right - left)) + 2 * _MARGIN_PX, _WIDTHS_PX[0]), _WIDTHS_PX[1])
    height = round(scale * (high - low)) + 2 * _MARGIN_PX
    return DiagramCanvas(
        width_px=width,
        height_px=height,
        scale=scale,
        origin_px=(width / 2 - scale * (left + right) / 2, height / 2 + scale * (low + high) / 2),
    )


_ARC_STEPS = 120
_MARK_PX = 11.0
_ARC_MARK_PX = 20.0
_MARK_STEPS = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectedLine:
    """A run of places joined by straight lines; hidden ones are drawn dashed."""

    places: tuple[Px, ...]
    hidden: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectedFigure:
    """Everything but the lettering, in pixels.

    `places` holds every named point; `lines` and `marks` are the original diagram's, `added_lines` and
    `added_marks` the constructions'. `shown` and `added` are the labels of either, `dots` and all of `added` are
    drawn as dots.
    """

    canvas: DiagramCanvas
    places: Mapping[str, Px]
    lines: tuple[ProjectedLine, ...]
    marks: tuple[ProjectedLine, ...]
    dots: tuple[str, ...]
    added_lines: tuple[ProjectedLine, ...]
    added_marks: tuple[ProjectedLine, ...]
    shown: tuple[str, ...]
    added: tuple[str, ...]


def samples(stroke: Stroke, steps: int = _ARC_STEPS) -> list[Vec]:
    """Return points along a stroke: both ends of a segment, `steps` + 1 points of a curve."""
    count = 1 if isinstance(stroke, Segment) else steps
    return [stroke.at(step / count) for step in range(count + 1)]


def project_figure(problem: Problem, view: View, *, arcs: Sequence[tuple[str, ...]] = ()) -> ProjectedFigure:
    """Project a problem's figure and its constructions; `arcs` are angles (arm, vertex, arm) to be marked."""
    figure = problem.figure
    own, added = figure.strokes(view.towards_viewer), problem.added_strokes
    everything = [point for stroke in (*own, *added) for point in samples(stroke)]
    canvas = fit(view.paper([*figure.points.values(), *everything]))
    pen = _Pen(problem=problem, view=view, canvas=canvas)
    return ProjectedFigure(
        canvas=canvas,
        places=dict(zip(figure.points, pen.place(list(figure.points.values())), strict=True)),
        lines=tuple(pen.lines(own)),
        marks=tuple(pen.arc(*mark) for mark in arcs),
        dots=figure.dots,
        added_lines=tuple(pen.lines(added)),
        added_marks=tuple(pen.right_angle(*mark) for step in problem.constructions for mark in step.right_angles),
        shown=problem.shown,
        added=problem.created,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pen:
    problem: Problem
    view: View
    canvas: DiagramCanvas

    def place(self, points: Sequence[Vec]) -> list[Px]:
        return [self.canvas.place(point) for point in self.view.paper(points)]

    def lines(self, strokes: Sequence[Stroke]) -> Iterator[ProjectedLine]:
        for stroke in strokes:
            for piece in split_by_visibility(stroke, self.problem.figure.bodies, self.view.towards_viewer):
                yield ProjectedLine(places=tuple(self._run(stroke, piece.start, piece.end)), hidden=piece.hidden)

    def _run(self, stroke: Stroke, start: float, end: float) -> list[Px]:
        count = 1 if isinstance(stroke, Segment) else max(2, round(_ARC_STEPS * (end - start)))
        return self.place([stroke.at(start + (end - start) * step / count) for step in range(count + 1)])

    def right_angle(self, arm: str, vertex: str, other: str) -> ProjectedLine:
        """Return the two far sides of a small square at the vertex, in the plane of the angle, projected."""
        points = self.problem.figure.points
        corner = points[vertex]
        along, across = (self._step(points[label], corner) for label in (arm, other))
        places = self.place([add(corner, along), add(add(corner, along), across), add(corner, across)])
        return ProjectedLine(places=tuple(places), hidden=False)

    def arc(self, arm: str, vertex: str, other: str) -> ProjectedLine:
        """Return an arc between the arms of an angle, in its plane, projected."""
        points = self.problem.figure.points
        corner = points[vertex]
        first, last = (unit(sub(points[label], corner)) for label in (arm, other))
        steps = [step / _MARK_STEPS for step in range(_MARK_STEPS + 1)]
        directions = [unit(add(scaled(first, 1 - share), scaled(last, share))) for share in steps]
        reach = _ARC_MARK_PX / self.canvas.scale
        places = self.place([add(corner, scaled(direction, reach)) for direction in directions])
        return ProjectedLine(places=tuple(places), hidden=False)

    def _step(self, towards: Vec, corner: Vec) -> Vec:
        reach = min(_MARK_PX / self.canvas.scale, 0.4 * distance(towards, corner))
        return scaled(unit(sub(towards, corner)), reach)


MIN_CLEARANCE = 0.03
"""Least distance of a named point from a line not through it, as a share of the picture's width."""

_GOOD_CLEARANCE = 0.045
_CRAMPED = 1000
_STANDINGS = 6
_ON_LINE = 1e-6
_CHORDS = 36
_ON_CURVE = 0.005
_TURNS_DEG: dict[ViewKind, tuple[float, ...]] = {
    "oblique": (0.0, 90.0, 180.0, 270.0),
    "axonometric": tuple(30.0 * step for step in range(12)),
}


def choose_view(problem: Problem, kind: ViewKind, draws: ProblemDraws, faults: Callable[[View], int]) -> View:
    """Return a view with good clearance in which the lettering has no faults, or the best there is.

    Standings (turned, mirrored) come in an order drawn by seed; of each, the presets are tried in their order
    until one is good, else the best of them is taken. After `_STANDINGS` of them the best without faults will do.
    `faults` counts what the lettering covers in a view.
    """
    standings = draws.shuffled([(turn, mirrored) for turn in _TURNS_DEG[kind] for mirrored in (False, True)])
    room_in = _Room(problem)
    best, least = View(preset=PRESETS[kind][0]), math.inf
    for count, (turn, mirrored) in enumerate(standings, start=1):
        view, room = _best_preset(room_in, kind, turn, mirrored=mirrored)
        blame = (_CRAMPED if room < MIN_CLEARANCE else faults(view)) - room
        if blame < least:
            best, least = view, blame
        if least <= (-MIN_CLEARANCE if count >= _STANDINGS else -_GOOD_CLEARANCE):
            break
    return best


def _best_preset(room_in: _Room, kind: ViewKind, turn_deg: float, *, mirrored: bool) -> tuple[View, float]:
    best, best_room = View(preset=PRESETS[kind][0]), -1.0
    for preset in PRESETS[kind]:
        view = View(preset=preset, turn_deg=turn_deg, mirrored=mirrored)
        room = room_in.share(view, at_least=best_room)
        if room > best_room:
            best, best_room = view, room
        if room >= _GOOD_CLEARANCE:
            break
    return best, best_room


def clearance(problem: Problem, view: View) -> float:
    """Return the least distance between named points, and of them from lines not through them.

    As a share of the picture's width, rounded to 6 digits so that machines agree.
    """
    return _Room(problem).share(view)


@dataclass(frozen=True, slots=True)
class _Run:
    """Points along a stroke, and which of the named points it does not pass through."""

    points: tuple[Vec, ...]
    off: tuple[int, ...]


class _Room:
    """Measures clearance in many views of one problem; what no view changes is worked out once."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._named = list(problem.figure.points.values())
        self._runs: dict[Stroke, _Run] = {}
        figure = problem.figure
        self._fixed = [*map(figure.segment, figure.lines), *problem.added_strokes]

    def share(self, view: View, *, at_least: float = 0.0) -> float:
        """Return the clearance; the search ends, with too large a result, once it is not above `at_least`."""
        drawn = [
            self._run(stroke, body)
            for body in self._problem.figure.bodies
            for stroke in body.strokes(view.towards_viewer)
        ]
        runs = [*drawn, *map(self._run, self._fixed)]
        canvas = fit(view.paper([*self._named, *(point for run in runs for point in run.points)]))
        places = [canvas.place(point) for point in view.paper(self._named)]
        least, bound = _between_points(places), at_least * canvas.width_px
        for run in runs:
            line = [canvas.place(point) for point in view.paper(run.points)]
            for at in run.off:
                least = _nearer(places[at], line, least)
            if least <= bound:
                break
        return round(least / canvas.width_px, 6)

    def _run(self, stroke: Stroke, body: Body | None = None) -> _Run:
        if stroke not in self._runs:
            points = samples(stroke, _CHORDS)
            straight = isinstance(stroke, Segment)
            reach = _ON_LINE if straight else _ON_CURVE * distance(points[0], points[len(points) // 2])
            off = tuple(
                at
                for at, point in enumerate(self._named)
                if not (_touches(point, body) or _lies_on(point, points, reach))
            )
            self._runs[stroke] = _Run(tuple(points), off)
        return self._runs[stroke]


def _touches(point: Vec, body: Body | None) -> bool:
    """Tell whether a point lies on a sphere: its outline, which moves with the view, may then pass near it."""
    return isinstance(body, Sphere) and abs(distance(point, body.centre) - body.radius) <= _ON_LINE


def _between_points(places: Sequence[Px]) -> float:
    gaps = (math.dist(a, b) for at, a in enumerate(places) for b in places[:at])
    return min(gaps, default=math.inf)


def _nearer(place: Px, line: Sequence[Px], least: float) -> float:
    """Return the distance of a place from a line of chords, or `least` when it is no nearer."""
    x, y = place
    for at in range(len(line) - 1):
        (x0, y0), (x1, y1) = line[at], line[at + 1]
        if (
            (x0 - least > x and x1 - least > x)
            or (x0 + least < x and x1 + least < x)
            or (y0 - least > y and y1 - least > y)
            or (y0 + least < y and y1 + least < y)
        ):
            continue
        dx, dy = x1 - x0, y1 - y0
        square = dx * dx + dy * dy
        share = min(1.0, max(0.0, ((x - x0) * dx + (y - y0) * dy) / square)) if square else 0.0
        least = min(least, math.hypot(x - x0 - share * dx, y - y0 - share * dy))
    return least


def _lies_on(point: Vec, line: Sequence[Vec], reach: float) -> bool:
    """Tell whether a line of chords in space passes within `reach` of a point."""
    return any(_off_segment(point, line[at], line[at + 1]) <= reach for at in range(len(line) - 1))


def _off_segment(point: Vec, start: Vec, end: Vec) -> float:
    along, off = sub(end, start), sub(point, start)
    share = min(1.0, max(0.0, dot(off, along) / dot(along, along)))
    return distance(point, add(start, scaled(along, share)))
