"""Which way a figure is looked at: the first standing by seed that leaves points and lettering clear of lines."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from generators.auxsolidmath.bodies import Segment, Sphere
from generators.auxsolidmath.canvas import Px, fit
from generators.auxsolidmath.projection import PRESETS, View
from generators.auxsolidmath.sketch import added_strokes, samples
from generators.auxsolidmath.space import Vec, add, distance, dot, scaled, sub

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from generators.auxsolidmath.bodies import Body, Stroke
    from generators.auxsolidmath.draws import Draws
    from generators.auxsolidmath.family import Problem
    from generators.auxsolidmath.projection import ViewKind

__all__ = ["MIN_CLEARANCE", "choose_view", "clearance"]

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


def choose_view(problem: Problem, kind: ViewKind, draws: Draws, faults: Callable[[View], int]) -> View:
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
        self._fixed = [*map(figure.segment, figure.lines), *added_strokes(problem)]

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
