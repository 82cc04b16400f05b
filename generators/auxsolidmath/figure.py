"""A figure in space, before it is projected: named points, bodies, lines and marks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from generators.auxsolidmath.bodies import Polyhedron, Segment
from generators.auxsolidmath.naming import labels_in

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generators.auxsolidmath.bodies import Body, Stroke
    from generators.auxsolidmath.space import Vec

__all__ = ["Figure", "Pair", "faces_of", "pairs"]

Pair = tuple[str, str]
"""The labels of a line's two ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """What a diagram shows. Labels are those of the family, before they are renamed.

    `points` holds every named point, those that only the constructions make included; `shown` are the labels
    written in the original diagram. `bodies` hide lines and are drawn themselves; `lines` are drawn besides.
    `dots` are shown points that lie on no corner.
    """

    points: Mapping[str, Vec]
    shown: tuple[str, ...]
    bodies: tuple[Body, ...]
    lines: tuple[Pair, ...] = ()
    dots: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        named = {*self.shown, *self.dots, *(end for line in self.lines for end in line)}
        if missing := sorted(named - set(self.points)):
            raise ValueError(f"expected a place for every label of the figure, got none for {', '.join(missing)}")

    def segment(self, pair: Pair) -> Segment:
        """Return the segment between two named points."""
        return Segment(start=self.points[pair[0]], end=self.points[pair[1]])

    def strokes(self, towards_viewer: Vec) -> list[Stroke]:
        """Return every line of the original diagram."""
        drawn = [stroke for body in self.bodies for stroke in body.strokes(towards_viewer)]
        return [*drawn, *map(self.segment, self.lines)]


def pairs(text: str) -> tuple[Pair, ...]:
    """Read lines given by their two ends: "AC1 PM"."""
    return tuple((start, end) for start, end in map(labels_in, text.split()))


def faces_of(points: Mapping[str, Vec], faces: str) -> Polyhedron:
    """Return the polyhedron whose faces are given by labels in order, such as "ABCD ABB1A1"."""
    return Polyhedron(faces=tuple(tuple(points[label] for label in labels_in(face)) for face in faces.split()))
