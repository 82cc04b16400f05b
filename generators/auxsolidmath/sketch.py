"""A problem's figure on the canvas: lines in pixels, visible or hidden, its own and the constructions'."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from generators.auxsolidmath.bodies import Segment
from generators.auxsolidmath.canvas import Canvas, Px, fit
from generators.auxsolidmath.space import Vec, add, distance, scaled, sub, unit
from generators.auxsolidmath.visibility import split

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from generators.auxsolidmath.bodies import Stroke
    from generators.auxsolidmath.family import Problem
    from generators.auxsolidmath.projection import View

__all__ = ["Line", "Sketch", "added_strokes", "make_sketch", "samples"]

_ARC_STEPS = 120
_MARK_PX = 11.0
_ARC_MARK_PX = 20.0
_MARK_STEPS = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A run of places joined by straight lines; hidden ones are drawn dashed."""

    places: tuple[Px, ...]
    hidden: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Sketch:
    """Everything but the lettering, in pixels.

    `places` holds every named point; `lines` and `marks` are the original diagram's, `added_lines` and
    `added_marks` the constructions'. `dots` and `added_dots` are labels of points drawn as dots.
    """

    canvas: Canvas
    places: Mapping[str, Px]
    lines: tuple[Line, ...]
    marks: tuple[Line, ...]
    dots: tuple[str, ...]
    added_lines: tuple[Line, ...]
    added_marks: tuple[Line, ...]
    added_dots: tuple[str, ...]
    shown: tuple[str, ...]
    added: tuple[str, ...]


def added_strokes(problem: Problem) -> list[Stroke]:
    """Return every line that the constructions draw."""
    steps = problem.constructions
    straight = [problem.figure.segment(line) for step in steps for line in step.lines]
    return [*straight, *(curve for step in steps for curve in step.curves)]


def samples(stroke: Stroke, steps: int = _ARC_STEPS) -> list[Vec]:
    """Return points along a stroke: both ends of a segment, `steps` + 1 points of a curve."""
    count = 1 if isinstance(stroke, Segment) else steps
    return [stroke.at(step / count) for step in range(count + 1)]


def make_sketch(problem: Problem, view: View, *, arcs: Sequence[tuple[str, ...]] = ()) -> Sketch:
    """Project a problem's figure and its constructions; `arcs` are angles (arm, vertex, arm) to be marked."""
    figure = problem.figure
    own, added = figure.strokes(view.towards_viewer), added_strokes(problem)
    everything = [point for stroke in (*own, *added) for point in samples(stroke)]
    canvas = fit(view.paper([*figure.points.values(), *everything]))
    pen = _Pen(problem=problem, view=view, canvas=canvas)
    created = tuple(label for step in problem.constructions for label in step.creates)
    return Sketch(
        canvas=canvas,
        places=dict(zip(figure.points, pen.place(list(figure.points.values())), strict=True)),
        lines=tuple(pen.lines(own)),
        marks=tuple(pen.arc(*mark) for mark in arcs),
        dots=figure.dots,
        added_lines=tuple(pen.lines(added)),
        added_marks=tuple(pen.right_angle(*mark) for step in problem.constructions for mark in step.right_angles),
        added_dots=created,
        shown=figure.shown,
        added=created,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pen:
    problem: Problem
    view: View
    canvas: Canvas

    def place(self, points: Sequence[Vec]) -> list[Px]:
        return [self.canvas.place(point) for point in self.view.paper(points)]

    def lines(self, strokes: Sequence[Stroke]) -> Iterator[Line]:
        for stroke in strokes:
            for piece in split(stroke, self.problem.figure.bodies, self.view.towards_viewer):
                yield Line(places=tuple(self._run(stroke, piece.start, piece.end)), hidden=piece.hidden)

    def _run(self, stroke: Stroke, start: float, end: float) -> list[Px]:
        count = 1 if isinstance(stroke, Segment) else max(2, round(_ARC_STEPS * (end - start)))
        return self.place([stroke.at(start + (end - start) * step / count) for step in range(count + 1)])

    def right_angle(self, arm: str, vertex: str, other: str) -> Line:
        """Return the two far sides of a small square at the vertex, in the plane of the angle, projected."""
        points = self.problem.figure.points
        corner = points[vertex]
        along, across = (self._step(points[label], corner) for label in (arm, other))
        places = self.place([add(corner, along), add(add(corner, along), across), add(corner, across)])
        return Line(places=tuple(places), hidden=False)

    def arc(self, arm: str, vertex: str, other: str) -> Line:
        """Return an arc between the arms of an angle, in its plane, projected."""
        points = self.problem.figure.points
        corner = points[vertex]
        first, last = (unit(sub(points[label], corner)) for label in (arm, other))
        steps = [step / _MARK_STEPS for step in range(_MARK_STEPS + 1)]
        directions = [unit(add(scaled(first, 1 - share), scaled(last, share))) for share in steps]
        reach = _ARC_MARK_PX / self.canvas.scale
        places = self.place([add(corner, scaled(direction, reach)) for direction in directions])
        return Line(places=tuple(places), hidden=False)

    def _step(self, towards: Vec, corner: Vec) -> Vec:
        reach = min(_MARK_PX / self.canvas.scale, 0.4 * distance(towards, corner))
        return scaled(unit(sub(towards, corner)), reach)
