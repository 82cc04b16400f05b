"""Which way a figure is looked at: the first standing by seed that leaves points and lettering clear of lines."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from generators.auxsolidmath.canvas import Canvas, Px, fit
from generators.auxsolidmath.projection import PRESETS, View
from generators.auxsolidmath.sketch import added_strokes, samples
from generators.auxsolidmath.space import Vec, add, distance, dot, scaled, sub

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from generators.auxsolidmath.draws import Draws
    from generators.auxsolidmath.family import Problem
    from generators.auxsolidmath.projection import ViewKind

__all__ = ["MIN_CLEARANCE", "choose_view", "clearance"]

MIN_CLEARANCE = 0.03
"""Least distance of a named point from a line not through it, as a share of the picture's width."""

_GOOD_CLEARANCE = 0.045
_CRAMPED = 1000.0
_ON_LINE = 1e-6
_ARC_CHORDS = 36
_TURNS_DEG: dict[ViewKind, tuple[float, ...]] = {
    "oblique": (0.0, 90.0, 180.0, 270.0),
    "axonometric": tuple(30.0 * step for step in range(12)),
}


def choose_view(problem: Problem, kind: ViewKind, draws: Draws, faults: Callable[[View], int]) -> View:
    """Return a view with at least `MIN_CLEARANCE` in which the lettering has no faults, or the best there is.

    Standings (turned, mirrored) come in an order drawn by seed; of each, the presets are tried in their order
    until one is good, else the best of them is taken. `faults` counts what the lettering covers in a view.
    """
    standings = draws.shuffled([(turn, mirrored) for turn in _TURNS_DEG[kind] for mirrored in (False, True)])
    tried: list[tuple[float, View]] = []
    for turn, mirrored in standings:
        view, room = _best_preset(problem, kind, turn, mirrored=mirrored)
        if room < MIN_CLEARANCE:
            tried.append((_CRAMPED - room, view))
            continue
        covered = faults(view)
        if not covered:
            return view
        tried.append((float(covered), view))
    return min(tried, key=lambda attempt: attempt[0])[1]


def _best_preset(problem: Problem, kind: ViewKind, turn_deg: float, *, mirrored: bool) -> tuple[View, float]:
    best, best_room = View(preset=PRESETS[kind][0]), -1.0
    for preset in PRESETS[kind]:
        view = View(preset=preset, turn_deg=turn_deg, mirrored=mirrored)
        room = clearance(problem, view, at_least=best_room)
        if room > best_room:
            best, best_room = view, room
        if room >= _GOOD_CLEARANCE:
            break
    return best, best_room


def clearance(problem: Problem, view: View, *, at_least: float = 0.0) -> float:
    """Return the least distance between named points, and of them from lines not through them.

    As a share of the picture's width, rounded to 6 digits so that machines agree. A result not above `at_least`
    only says that much: the search ends there.
    """
    strokes = list(_strokes(problem, view))
    named = list(problem.figure.points.values())
    canvas = fit(view.paper([*named, *(point for stroke in strokes for point in stroke)]))
    places = [canvas.place(point) for point in view.paper(named)]
    runs = [[canvas.place(point) for point in view.paper(stroke)] for stroke in strokes]
    least = _between_points(places)
    bound = at_least * canvas.width_px
    for stroke, run in zip(strokes, runs, strict=True):
        for point, place in zip(named, places, strict=True):
            gap = _to_run(place, run)
            if gap < least and not _lies_on(point, stroke, canvas):
                least = gap
        if least <= bound:
            break
    return round(least / canvas.width_px, 6)


def _strokes(problem: Problem, view: View) -> Iterator[list[Vec]]:
    """Yield lines as runs of points, silhouettes included."""
    figure = problem.figure
    for body in figure.bodies:
        for stroke in body.strokes(view.towards_viewer):
            yield samples(stroke, _ARC_CHORDS)
    for stroke in (*map(figure.segment, figure.lines), *figure.curves, *added_strokes(problem)):
        yield samples(stroke, _ARC_CHORDS)


def _between_points(places: Sequence[Px]) -> float:
    gaps = (math.dist(a, b) for at, a in enumerate(places) for b in places[:at])
    return min(gaps, default=math.inf)


def _to_run(place: Px, run: Sequence[Px]) -> float:
    return min(_to_segment(place, run[at], run[at + 1]) for at in range(len(run) - 1))


def _to_segment(place: Px, start: Px, end: Px) -> float:
    along = end[0] - start[0], end[1] - start[1]
    off = place[0] - start[0], place[1] - start[1]
    square = along[0] ** 2 + along[1] ** 2
    share = min(1.0, max(0.0, (off[0] * along[0] + off[1] * along[1]) / square)) if square else 0.0
    return math.hypot(off[0] - share * along[0], off[1] - share * along[1])


def _lies_on(point: Vec, stroke: Sequence[Vec], canvas: Canvas) -> bool:
    """Tell whether a stroke passes through a point in space; the chords of an arc may pass 1.5 px beside it."""
    reach = _ON_LINE if len(stroke) == 2 else 1.5 / canvas.scale  # noqa: PLR2004 - a segment's two ends
    return any(_off_segment(point, stroke[at], stroke[at + 1]) <= reach for at in range(len(stroke) - 1))


def _off_segment(point: Vec, start: Vec, end: Vec) -> float:
    along, off = sub(end, start), sub(point, start)
    share = min(1.0, max(0.0, dot(off, along) / dot(along, along)))
    return distance(point, add(start, scaled(along, share)))
