"""Statements about a figure's points that coordinates can confirm or refute."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from generators.auxsolidmath.naming import labels_in
from generators.auxsolidmath.space import cross, distance, dot, norm, plane_normal, point_between, sub, unit

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from generators.auxsolidmath.space import Vec

__all__ = ["Fact", "Relation", "fact"]

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
        if len(self.labels) < _LEAST[self.relation]:
            raise ValueError(
                f"expected at least {_LEAST[self.relation]} points for {self.relation!r}, got {self.labels!r}"
            )

    @property
    def text(self) -> str:
        """The statement as a text with labels in brackets: "[PA] ⊥ plane [ABC]"."""
        head = {size: "".join(self.labels[:size]) for size in (1, 2)}
        return _WORDING[self.relation].format(
            point=head[1], line=head[2], rest="".join(self.labels[1:]), other="".join(self.labels[2:])
        )

    def holds(self, points: Mapping[str, Vec]) -> bool:
        """Test the statement in coordinates, relative to the lengths involved, to 1e-9."""
        return abs(_ERRORS[self.relation]([points[label] for label in self.labels])) <= _TOLERANCE


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


_ERRORS: Mapping[Relation, Callable[[Sequence[Vec]], float]] = {
    "equal_lengths": _unequal,
    "midpoint": _midpoint,
    "on_line": _off_line,
    "on_plane": _off_plane,
    "parallel": _not_parallel,
    "parallel_to_plane": _not_parallel_to_plane,
    "perpendicular": _not_perpendicular,
    "perpendicular_to_plane": _not_perpendicular_to_plane,
}
_WORDING: Mapping[Relation, str] = {
    "equal_lengths": "[{line}] = [{other}]",
    "midpoint": "[{point}] is the midpoint of [{rest}]",
    "on_line": "[{point}] lies on line [{rest}]",
    "on_plane": "[{point}] lies in plane [{rest}]",
    "parallel": "[{line}] ∥ [{other}]",
    "parallel_to_plane": "[{line}] ∥ plane [{other}]",
    "perpendicular": "[{line}] ⊥ [{other}]",
    "perpendicular_to_plane": "[{line}] ⊥ plane [{other}]",
}
_LEAST: Mapping[Relation, int] = {
    "equal_lengths": 4,
    "midpoint": 3,
    "on_line": 3,
    "on_plane": 4,
    "parallel": 4,
    "parallel_to_plane": 5,
    "perpendicular": 4,
    "perpendicular_to_plane": 5,
}
