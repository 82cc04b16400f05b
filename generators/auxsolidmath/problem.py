"""What a problem is: figure, facts, auxiliary constructions, wording, and the family that it comes from."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Generic, Literal, NamedTuple, TypeVar

from generators.auxsolidmath.exact import GivenIn, labels_in, listed
from generators.auxsolidmath.space import (
    Polyhedron,
    Segment,
    Vec,
    cross,
    distance,
    dot,
    norm,
    plane_normal,
    point_between,
    sub,
    unit,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from generators.auxsolidmath.exact import ExactAnswer, Given
    from generators.auxsolidmath.space import Body, Stroke

__all__ = [
    "NAMES",
    "Construction",
    "Difficulty",
    "Fact",
    "Figure",
    "Kind",
    "Operation",
    "Pair",
    "Problem",
    "ProblemFamily",
    "Relation",
    "ViewKind",
    "extend",
    "fact",
    "join",
    "midpoint",
    "pairs",
    "parallel",
    "perpendicular",
    "perpendicular_to_plane",
    "section",
    "solid_figure",
]

Pair = tuple[str, str]
"""The labels of a line's two ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """What a diagram shows. Labels are those of the family, before they are renamed.

    `points` holds every named point, those that only the constructions make included. `bodies` hide lines and are
    drawn themselves; `lines` are drawn besides. `dots` are points of the original that lie on no corner.
    """

    points: Mapping[str, Vec]
    bodies: tuple[Body, ...]
    lines: tuple[Pair, ...] = ()
    dots: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        named = {*self.dots, *(end for line in self.lines for end in line)}
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


def solid_figure(points: Mapping[str, Vec], faces: str, *, lines: str = "", dots: str = "") -> Figure:
    """Return the figure of a convex polyhedron, faces and lines given by their labels: "ABCD ABB1A1", "AC1"."""
    corners = tuple(tuple(points[label] for label in labels_in(face)) for face in faces.split())
    return Figure(points=points, bodies=(Polyhedron(faces=corners),), lines=pairs(lines), dots=labels_in(dots))


Relation = Literal[
    "equal_lengths",
    "midpoint",
    "on_line",
    "on_plane",
    "parallel",
    "parallel_to_plane",
    "perpendicular",
    "perpendicular_to_plane",
]

_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A relation between points, in the order that its wording has them.

    A plane is its first three points; the labels behind them only name it ("plane ABCD"). "parallel_to_plane" says
    besides that the line does not lie in the plane.
    """

    relation: Relation
    labels: tuple[str, ...]

    def __post_init__(self) -> None:
        least = _RULES[self.relation].points
        if len(self.labels) < least:
            raise ValueError(f"expected at least {least} points for {self.relation!r}, got {self.labels!r}")

    @property
    def text(self) -> str:
        """The statement as a text with labels in brackets: "[PA] ⊥ plane [ABC]"."""
        point, line = self.labels[0], "".join(self.labels[:2])
        rest, other = "".join(self.labels[1:]), "".join(self.labels[2:])
        return _RULES[self.relation].wording.format(point=point, line=line, rest=rest, other=other)

    def holds(self, points: Mapping[str, Vec]) -> bool:
        """Test the statement in coordinates, relative to the lengths involved, to 1e-9."""
        return abs(_RULES[self.relation].error([points[label] for label in self.labels])) <= _TOLERANCE


def fact(relation: Relation, labels: str) -> Fact:
    """Return a fact; its labels may be written in one run or in several: "AH BD"."""
    return Fact(relation=relation, labels=labels_in(labels))


def _midpoint(at: Sequence[Vec]) -> float:
    return distance(at[0], point_between(at[1], at[2])) / distance(at[1], at[2])


def _off_line(at: Sequence[Vec]) -> float:
    along = unit(sub(at[2], at[1]))
    return norm(cross(sub(at[0], at[1]), along)) / distance(at[2], at[1])


def _off_plane(at: Sequence[Vec]) -> float:
    return dot(sub(at[0], at[1]), plane_normal(at[1], at[2], at[3])) / distance(at[1], at[2])


def _not_parallel(at: Sequence[Vec]) -> float:
    return norm(cross(unit(sub(at[1], at[0])), unit(sub(at[3], at[2]))))


def _not_perpendicular(at: Sequence[Vec]) -> float:
    return dot(unit(sub(at[1], at[0])), unit(sub(at[3], at[2])))


def _not_parallel_to_plane(at: Sequence[Vec]) -> float:
    if abs(_off_plane((at[0], at[2], at[3], at[4]))) <= _TOLERANCE:
        return 1.0
    return dot(unit(sub(at[1], at[0])), plane_normal(at[2], at[3], at[4]))


def _not_perpendicular_to_plane(at: Sequence[Vec]) -> float:
    return norm(cross(unit(sub(at[1], at[0])), plane_normal(at[2], at[3], at[4])))


def _unequal(at: Sequence[Vec]) -> float:
    return distance(at[0], at[1]) / distance(at[2], at[3]) - 1


class _Rule(NamedTuple):
    points: int
    wording: str
    error: Callable[[Sequence[Vec]], float]


_RULES: Mapping[Relation, _Rule] = {
    "equal_lengths": _Rule(4, "[{line}] = [{other}]", _unequal),
    "midpoint": _Rule(3, "[{point}] is the midpoint of [{rest}]", _midpoint),
    "on_line": _Rule(3, "[{point}] lies on line [{rest}]", _off_line),
    "on_plane": _Rule(4, "[{point}] lies in plane [{rest}]", _off_plane),
    "parallel": _Rule(4, "[{line}] ∥ [{other}]", _not_parallel),
    "parallel_to_plane": _Rule(5, "[{line}] ∥ plane [{other}]", _not_parallel_to_plane),
    "perpendicular": _Rule(4, "[{line}] ⊥ [{other}]", _not_perpendicular),
    "perpendicular_to_plane": _Rule(5, "[{line}] ⊥ plane [{other}]", _not_perpendicular_to_plane),
}
"""Of each relation: the fewest points, the wording, and the error in coordinates, 0 when it holds."""

Operation = Literal["join", "perp", "mid", "extend", "par", "section"]

NAMES: Mapping[Operation, tuple[str, str]] = {
    "join": ("connect points", "连接两点"),
    "perp": ("draw perpendicular", "过点作垂线"),
    "mid": ("find midpoint", "取中点"),
    "extend": ("extend line", "延长线"),
    "par": ("draw parallel", "作平行线"),
    "section": ("construct cross-section", "作截面"),
}
"""English and Chinese name of each construction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Construction:
    """One step of the auxiliary drawing.

    `en` and `zh` are sentences with labels in brackets. `creates` are the points that the step adds, `lines` the
    segments and `curves` the curves that it draws, `right_angles` the marks (arm, vertex, arm); `facts` must hold.
    """

    operation: Operation
    en: str
    zh: str
    creates: tuple[str, ...] = ()
    lines: tuple[Pair, ...] = ()
    curves: tuple[Stroke, ...] = ()
    right_angles: tuple[tuple[str, str, str], ...] = ()
    facts: tuple[Fact, ...] = ()


def join(lines: str, *, meeting: str = "", outside: str = "") -> Construction:
    """Connect points: "AC BD" draws AC and BD; `meeting` names the point where the first two lines cross.

    `outside` names lines, given first, that are drawn already and that the crossing point lies on.
    """
    drawn, crossed = pairs(lines), [*outside.split(), *lines.split()]
    names = [f"[{line}]" for line in lines.split()]
    en, zh = f"Connect {listed(names)}", f"连接{'、'.join(names)}"
    facts: tuple[Fact, ...] = ()
    if meeting:
        with_given = [f"[{line}]" for line in outside.split()]
        en += f", meeting {listed(with_given)} at [{meeting}]" if outside else f", meeting at [{meeting}]"
        zh += f"，交{'、'.join(with_given)}于点[{meeting}]" if outside else f"，交于点[{meeting}]"
        facts = tuple(fact("on_line", meeting + line) for line in crossed[:2])
    return Construction(
        operation="join", en=f"{en}.", zh=f"{zh}。", creates=labels_in(meeting), lines=drawn, facts=facts
    )


def perpendicular(point: str, line: str, *, foot: str) -> Construction:
    """Draw the perpendicular from a point to a line, with a new foot."""
    start, end = labels_in(line)
    return Construction(
        operation="perp",
        en=f"Draw the perpendicular from [{point}] to line [{line}], with foot [{foot}].",
        zh=f"过点[{point}]作[{point}{foot}]⊥[{line}]，垂足为[{foot}]。",
        creates=(foot,),
        lines=((point, foot),),
        right_angles=((point, foot, end),),
        facts=(fact("perpendicular", point + foot + line), fact("on_line", foot + start + end)),
    )


def perpendicular_to_plane(point: str, plane: str, *, foot: str, towards: str) -> Construction:
    """Draw the perpendicular from a point to a plane, with a new foot; the mark opens `towards` a point of it."""
    return Construction(
        operation="perp",
        en=f"Draw the perpendicular from [{point}] to plane [{plane}], with foot [{foot}].",
        zh=f"过点[{point}]作[{point}{foot}]⊥平面[{plane}]，垂足为[{foot}]。",
        creates=(foot,),
        lines=((point, foot),),
        right_angles=((point, foot, towards),),
        facts=(fact("perpendicular_to_plane", point + foot + plane), fact("on_plane", foot + plane)),
    )


def midpoint(point: str, line: str) -> Construction:
    """Take the midpoint of a segment."""
    return Construction(
        operation="mid",
        en=f"Take the midpoint [{point}] of [{line}].",
        zh=f"取[{line}]的中点[{point}]。",
        creates=(point,),
        facts=(fact("midpoint", point + line),),
    )


def extend(line: str, *, until: str, meeting: str) -> Construction:
    """Extend a segment beyond its second end until it meets the line `until`, which is produced to that point."""
    start, end = labels_in(line)
    near = labels_in(until)[1]
    return Construction(
        operation="extend",
        en=f"Extend [{line}] to meet the extension of [{until}] at [{meeting}].",
        zh=f"延长[{line}]，交[{until}]的延长线于点[{meeting}]。",
        creates=(meeting,),
        lines=((end, meeting), (near, meeting)),
        facts=(fact("on_line", meeting + start + end), fact("on_line", meeting + until)),
    )


def parallel(through: str, line: str, *, meeting: str, on: str) -> Construction:
    """Draw through a point the parallel to a line; it meets the line `on` at a new point."""
    return Construction(
        operation="par",
        en=f"Through [{through}] draw the parallel to [{line}], meeting [{on}] at [{meeting}].",
        zh=f"过点[{through}]作[{line}]的平行线，交[{on}]于点[{meeting}]。",
        creates=(meeting,),
        lines=((through, meeting),),
        facts=(fact("parallel", through + meeting + line), fact("on_line", meeting + on)),
    )


def section(points: str, lines: str, *, creates: str = "") -> Construction:
    """Construct the section of the solid through given points and draw its sides."""
    corners = labels_in(points)
    return Construction(
        operation="section",
        en=f"Construct the cross-section [{points}] of the solid.",
        zh=f"作截面[{points}]。",
        creates=labels_in(creates),
        lines=pairs(lines),
        facts=tuple(fact("on_plane", corner + "".join(corners[:3])) for corner in corners[3:]),
    )


P = TypeVar("P")


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One problem in the family's own letters, which stand in square brackets in every text.

    The questions hold `{given}` once where there are givens: what is given, or where it is marked. `solution` is
    its steps without the last line, the answer, which is added. `facts` are what the solution rests on, besides
    the facts of the constructions.
    """

    figure: Figure
    question_en: str
    question_zh: str
    constructions: tuple[Construction, ...]
    solution: tuple[str, ...]
    facts: tuple[Fact, ...] = ()

    @property
    def created(self) -> tuple[str, ...]:
        """The labels of the points that the constructions add."""
        return tuple(label for step in self.constructions for label in step.creates)

    @property
    def shown(self) -> tuple[str, ...]:
        """The labels written in the original diagram: of all points that no construction adds."""
        return tuple(label for label in self.figure.points if label not in self.created)

    @property
    def added_strokes(self) -> list[Stroke]:
        """Every line that the constructions draw: straight ones, then curves."""
        straight = [self.figure.segment(line) for step in self.constructions for line in step.lines]
        return [*straight, *(curve for step in self.constructions for curve in step.curves)]


class ProblemFamily(ABC, Generic[P]):
    """A problem family; `P` is its frozen parameter dataclass of plain numbers and texts.

    `difficulty` and `kind` are literal texts in the class: the registry reads them without importing the module.
    """

    difficulty: ClassVar[Difficulty]
    kind: ClassVar[Kind] = "CALCULATION"
    view: ClassVar[ViewKind]
    given_in: ClassVar[tuple[GivenIn, ...]] = ("text", "figure")

    @property
    def name(self) -> str:
        """The family's module in capitals: "G01"."""
        return type(self).__module__.rpartition(".")[2].upper()

    @abstractmethod
    def grid(self) -> Sequence[P]:
        """Return every admissible set of parameters, always in the same order; at least one."""

    @abstractmethod
    def answer(self, params: P) -> ExactAnswer:
        """Return the exact answer, from the parameters alone."""

    def givens(self, params: P) -> tuple[Given, ...]:  # noqa: ARG002 - a proof needs no sizes
        """Return the sizes that the problem gives, in the order of the text."""
        return ()

    @abstractmethod
    def build(self, params: P) -> Problem:
        """Return figure, wording, constructions and solution."""


ViewKind = Literal["oblique", "axonometric"]


Difficulty = Literal["easy", "hard"]


Kind = Literal["CALCULATION", "PROVING"]
