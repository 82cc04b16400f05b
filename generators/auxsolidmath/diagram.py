"""A problem's diagram with its lettering: everything that the raster needs, in pixels."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from generators.auxsolidmath.label_layout import (
    Lettering,
    Paper,
    letter_angle,
    letter_length,
    letter_point,
    segments_of,
)
from generators.auxsolidmath.sketch import Sketch, make_sketch

if TYPE_CHECKING:
    from generators.auxsolidmath.canvas import Px
    from generators.auxsolidmath.family import Problem
    from generators.auxsolidmath.givens import Given
    from generators.auxsolidmath.naming import Naming
    from generators.auxsolidmath.projection import View

__all__ = ["Diagram", "make_diagram"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagram:
    """A sketch and its lettering, the original's and what the constructions add.

    `faults` is 0 when no piece of lettering touches a line, another piece or the picture's edge.
    """

    sketch: Sketch
    lettering: tuple[Lettering, ...]
    faults: int


def make_diagram(problem: Problem, view: View, naming: Naming, marked: tuple[Given, ...]) -> Diagram:
    """Lay a diagram out; `marked` are the sizes written into it.

    The original's lettering keeps clear of the constructions' lines too, so that both drawings share it.
    """
    sketch = make_sketch(problem, view, arcs=[given.labels for given in marked if given.kind == "angle"])
    runs = (*sketch.lines, *sketch.marks, *sketch.added_lines, *sketch.added_marks)
    paper = Paper(canvas=sketch.canvas, segments=segments_of(runs))
    middle = _middle(sketch)
    for label in sketch.shown:
        letter_point(paper, naming.label(label), sketch.places[label], middle)
    for given in marked:
        _letter_given(paper, given, naming, sketch)
    for label in sketch.added:
        letter_point(paper, naming.label(label), sketch.places[label], middle, added=True)
    return Diagram(sketch=sketch, lettering=tuple(paper.placed), faults=paper.faults)


def _letter_given(paper: Paper, given: Given, naming: Naming, sketch: Sketch) -> None:
    places = [sketch.places[label] for label in given.labels]
    if given.kind == "angle":
        letter_angle(paper, given.size, places[1], (places[0], places[2]))
    else:
        name = naming.label("".join(given.labels))
        letter_length(paper, f"{name}={given.size}", (places[0], places[1]), _middle(sketch))


def _middle(sketch: Sketch) -> Px:
    shown = [sketch.places[label] for label in sketch.shown]
    return math.fsum(x for x, _ in shown) / len(shown), math.fsum(y for _, y in shown) / len(shown)
