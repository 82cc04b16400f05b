"""Angle between two skew lines of a rectangular box."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from generators.auxsolidmath.exact import (
    ExactAnswer,
    Given,
    Surd,
    angle_answer,
    is_fair,
    labels_in,
    number,
    number_answer,
    root,
)
from generators.auxsolidmath.families import CUBOID_FACES, CuboidEdges, add_midpoints, cuboid, cuboid_sizes
from generators.auxsolidmath.problem import (
    Construction,
    Fact,
    Problem,
    ProblemFamily,
    fact,
    join,
    midpoint,
    parallel,
    solid_figure,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["FAMILY", "AngleOfSkewLines", "SkewLines"]

Pairing = Literal["diagonals", "to_midpoint", "from_midpoint"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SkewLines:
    """A box, and which two lines of it are asked for."""

    edges: CuboidEdges
    pairing: Pairing


class AngleOfSkewLines(ProblemFamily[SkewLines]):
    """One line is moved parallel to itself until it meets the other; the cosine rule gives the angle."""

    difficulty = "easy"
    view = "oblique"

    def grid(self) -> Sequence[SkewLines]:
        """Return boxes with edges of 1 to 5 and all pairings with a tidy cosine."""
        chosen: list[SkewLines] = []
        pairings: tuple[Pairing, ...] = ("diagonals", "to_midpoint", "from_midpoint")
        for edges in cuboid_sizes(5):
            lines = (SkewLines(edges=edges, pairing=pairing) for pairing in pairings)
            chosen += (line for line in lines if is_fair(_cosine(line), edges.a, edges.b, edges.c))
        return chosen

    def answer(self, params: SkewLines) -> ExactAnswer:
        """Return the cosine, or the angle itself where it is 30°, 45° or 60°."""
        degrees = _whole_degrees(params)
        return angle_answer(degrees) if degrees else number_answer(_cosine(params))

    def givens(self, params: SkewLines) -> tuple[Given, ...]:
        """Return the three edges."""
        return params.edges.givens

    def build(self, params: SkewLines) -> Problem:
        """Return the box with both lines."""
        edges, case = params.edges, _CASES[params.pairing]
        points = cuboid(edges.a, edges.b, edges.c)
        for step in (case.shown_midpoint, case.added_midpoint):
            if step:
                add_midpoints(points, **{step[0]: step[1:]})
        middle = case.shown_midpoint
        where_en = f"[{middle[0]}] is the midpoint of [{middle[1:]}], " if middle else ""
        where_zh = f"[{middle[0]}]为[{middle[1:]}]的中点，" if middle else ""
        asked_en = "angle" if _whole_degrees(params) else "cosine of the angle"
        asked_zh = "所成的角" if _whole_degrees(params) else "所成角的余弦值"
        first, second = case.lines
        return Problem(
            figure=solid_figure(points, CUBOID_FACES, lines=f"{first} {second}", dots=middle[:1]),
            question_en=(
                f"In the rectangular box [ABCD-A1B1C1D1], {where_en}{{given}}. Find the {asked_en} between the "
                f"skew lines [{first}] and [{second}]."
            ),
            question_zh=(
                f"在长方体[ABCD-A1B1C1D1]中，{where_zh}{{given}}，求异面直线[{first}]与[{second}]{asked_zh}。"
            ),
            constructions=case.constructions,
            solution=(*case.reason, *_cosine_rule(params)),
            facts=(fact("parallel", case.moved + second), *case.facts),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Case:
    """A pairing: the two lines, midpoints as "EAB" (E of AB), the triangle (vertex first) and the line moved."""

    lines: tuple[str, str]
    triangle: str
    moved: str
    constructions: tuple[Construction, ...]
    reason: tuple[str, ...]
    shown_midpoint: str = ""
    added_midpoint: str = ""
    facts: tuple[Fact, ...] = ()


_CASES: Mapping[Pairing, _Case] = {
    "diagonals": _Case(
        lines=("A1B", "AC"),
        triangle="A1BC1",
        moved="A1C1",
        constructions=(join("A1C1 BC1"),),
        reason=(
            "Connect [A1C1] and [BC1]. Since [AA1] ∥ [CC1] and [AA1] = [CC1], [ACC1A1] is a parallelogram and "
            "[A1C1] ∥ [AC]: the angle asked for is ∠[BA1C1] or its supplement.",
        ),
    ),
    "to_midpoint": _Case(
        lines=("A1E", "BD"),
        triangle="EA1F",
        moved="EF",
        constructions=(parallel("E", "BD", meeting="F", on="AD"), join("A1F")),
        reason=(
            "Through [E] draw [EF] ∥ [BD], meeting [AD] at [F], which is the midpoint of [AD]; connect [A1F]. The "
            "angle asked for is ∠[A1EF] or its supplement.",
        ),
        shown_midpoint="EAB",
        added_midpoint="FAD",
        facts=(fact("midpoint", "FAD"),),
    ),
    "from_midpoint": _Case(
        lines=("BE", "AC"),
        triangle="EBF",
        moved="EF",
        constructions=(midpoint("F", "AA1"), join("EF BF")),
        reason=(
            "Take the midpoint [F] of [AA1]; connect [EF] and [BF]. [AF] ∥ [CE] and [AF] = [CE], so [ACEF] is a "
            "parallelogram and [EF] ∥ [AC]: the angle asked for is ∠[BEF] or its supplement.",
        ),
        shown_midpoint="ECC1",
        added_midpoint="FAA1",
    ),
}


def _squares(params: SkewLines) -> tuple[Fraction, Fraction, Fraction]:
    """Return the squares of the triangle's sides: the line asked for, the one moved, and the side opposite."""
    a, b, c = (Fraction(size) for size in (params.edges.a, params.edges.b, params.edges.c))
    if params.pairing == "diagonals":
        return a * a + c * c, a * a + b * b, b * b + c * c
    if params.pairing == "to_midpoint":
        return a * a / 4 + c * c, (a * a + b * b) / 4, b * b / 4 + c * c
    return b * b + c * c / 4, a * a + b * b, a * a + c * c / 4


def _cosine(params: SkewLines) -> Surd:
    first, second, opposite = _squares(params)
    return number((first + second - opposite) / 2) / root(first * second)


def _whole_degrees(params: SkewLines) -> int:
    """Return the angle where it is 30, 45 or 60 degrees, else 0."""
    return {Fraction(3, 4): 30, Fraction(1, 2): 45, Fraction(1, 4): 60}.get(_cosine(params).squared, 0)


def _cosine_rule(params: SkewLines) -> tuple[str, ...]:
    vertex, first, last = labels_in(_CASES[params.pairing].triangle)
    squares = _squares(params)
    sides = (vertex + first, vertex + last, first + last)
    lengths = ", ".join(f"[{side}] = {root(square).text}" for side, square in zip(sides, squares, strict=True))
    angle = f"∠[{first}{vertex}{last}]"
    degrees = _whole_degrees(params)
    return (
        f"In triangle [{first}{vertex}{last}], {lengths}.",
        f"By the cosine rule cos {angle} = ([{sides[0]}]² + [{sides[1]}]² − "
        f"[{sides[2]}]²)/(2·[{sides[0]}]·[{sides[1]}]) = {_cosine(params).text}"
        + (f", so the angle is {degrees}°." if degrees else ", which is positive: it is the cosine asked for."),
    )


FAMILY = AngleOfSkewLines()
