"""Angle between a cuboid's diagonal and its base."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from generators.auxsolidmath.exact import ExactAnswer, Given, Surd, is_fair, number, number_answer, root
from generators.auxsolidmath.families import CUBOID_FACES, CuboidEdges, cuboid, cuboid_sizes
from generators.auxsolidmath.problem import Problem, ProblemFamily, fact, join, solid_figure

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["FAMILY", "DiagonalAndBase"]


class DiagonalAndBase(ProblemFamily[CuboidEdges]):
    """sin ∠C1AC = CC1 : AC1, since CC1 stands on the base and AC is AC1's projection onto it."""

    difficulty = "easy"
    view = "oblique"

    def grid(self) -> Sequence[CuboidEdges]:
        """Return all edges of 1 to 6 whose sine is tidy and is no given length."""
        return [edges for edges in cuboid_sizes(6) if is_fair(_sine(edges), edges.a, edges.b, edges.c)]

    def answer(self, params: CuboidEdges) -> ExactAnswer:
        """Return c/√(a² + b² + c²)."""
        return number_answer(_sine(params))

    def givens(self, params: CuboidEdges) -> tuple[Given, ...]:
        """Return the three edges."""
        return params.givens

    def build(self, params: CuboidEdges) -> Problem:
        """Return the cuboid with its diagonal AC1."""
        a, b, c = params.a, params.b, params.c
        points = cuboid(a, b, c)
        return Problem(
            figure=solid_figure(points, CUBOID_FACES, lines="AC1"),
            question_en=(
                "In the rectangular box [ABCD-A1B1C1D1], {given}. Find the sine of the angle that line [AC1] "
                "makes with plane [ABCD]."
            ),
            question_zh="在长方体[ABCD-A1B1C1D1]中，{given}，求直线[AC1]与平面[ABCD]所成角的正弦值。",
            constructions=(join("AC"),),
            solution=(
                "Connect [AC]. Since [CC1] ⊥ plane [ABCD], [AC] is the projection of [AC1] onto the base, so the "
                "angle between [AC1] and the base is ∠[C1AC].",
                f"[AC]² = [AB]² + [BC]² = {a}² + {b}² = {a * a + b * b}.",
                f"In right triangle [ACC1], [AC1]² = [AC]² + [CC1]² = {a * a + b * b} + {c}² = "
                f"{a * a + b * b + c * c}.",
                f"sin ∠[C1AC] = [CC1]/[AC1] = {c}/√{a * a + b * b + c * c} = {_sine(params).text}.",
            ),
            facts=(fact("perpendicular_to_plane", "CC1ABCD"), fact("perpendicular", "CC1AC")),
        )


def _sine(edges: CuboidEdges) -> Surd:
    return number(edges.c) / root(Fraction(edges.a**2 + edges.b**2 + edges.c**2))


FAMILY = DiagonalAndBase()
