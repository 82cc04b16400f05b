"""Volume of an oblique prism whose upper corner stands above the centre of the base."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from generators.auxsolidmath.exact import ExactAnswer, Given, Surd, is_fair, lengths, number_answer, root
from generators.auxsolidmath.families import PRISM_FACES, equilateral_triangle
from generators.auxsolidmath.problem import (
    Problem,
    ProblemFamily,
    fact,
    join,
    perpendicular_to_plane,
    solid_figure,
)
from generators.auxsolidmath.space import add, sub

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["FAMILY", "ObliquePrism", "ObliquePrismVolume"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ObliquePrism:
    """Side of the regular base and lateral edge."""

    side: int
    edge: int


class ObliquePrismVolume(ProblemFamily[ObliquePrism]):
    """AO = s/√3 and AA1 give the height A1O; the volume is the base's area times it."""

    difficulty = "hard"
    view = "axonometric"

    def grid(self) -> Sequence[ObliquePrism]:
        """Return sides of 2 to 12 and edges whose height is half to twice the side."""
        prisms = [ObliquePrism(side=side, edge=edge) for side in range(2, 13) for edge in range(2, 16)]
        return [
            prism
            for prism in prisms
            if prism.side**2 <= 4 * _height_square(prism) <= 12 * prism.side**2
            and is_fair(_volume(prism), prism.side, prism.edge)
        ]

    def answer(self, params: ObliquePrism) -> ExactAnswer:
        """Return (√3/4)s²·√(l² − s²/3)."""
        return number_answer(_volume(params))

    def givens(self, params: ObliquePrism) -> tuple[Given, ...]:
        """Return the base's side and the lateral edge."""
        return lengths(AB=params.side, AA1=params.edge)

    def build(self, params: ObliquePrism) -> Problem:
        """Return the prism; the height is left to the constructions."""
        side, edge = params.side, params.edge
        points = dict(zip("ABC", equilateral_triangle(side), strict=True))
        points["A1"] = (0.0, 0.0, math.sqrt(_height_square(params)))
        shift = sub(points["A1"], points["A"])
        points |= {f"{label}1": add(points[label], shift) for label in "BC"}
        points["O"] = (0.0, 0.0, 0.0)
        area = root(Fraction(3, 16)) * side**2
        return Problem(
            figure=solid_figure(points, PRISM_FACES),
            question_en=(
                "In the triangular prism [ABC-A1B1C1], the base [ABC] is an equilateral triangle, the projection "
                "of [A1] on plane [ABC] is the centre of triangle [ABC], and {given}. Find the volume of the "
                "prism."
            ),
            question_zh=(
                "在三棱柱[ABC-A1B1C1]中，底面[ABC]是正三角形，[A1]在底面[ABC]上的射影是△[ABC]的中心，{given}，"
                "求该三棱柱的体积。"
            ),
            constructions=(perpendicular_to_plane("A1", "ABC", foot="O", towards="A"), join("AO")),
            solution=(
                "Draw [A1O] ⊥ plane [ABC] with foot [O], the centre of triangle [ABC]; connect [AO].",
                f"[AO] is the circumradius of the base: [AO] = [AB]/√3 = {root(Fraction(side * side, 3)).text}.",
                f"In right triangle [A1OA], [A1O]² = [AA1]² − [AO]² = {edge}² − {Fraction(side * side, 3)}, so "
                f"[A1O] = {root(_height_square(params)).text}.",
                f"The base's area is (√3/4)·{side}² = {area.text}.",
                f"The volume is {area.text}·{root(_height_square(params)).text} = {_volume(params).text}.",
            ),
            facts=(fact("equal_lengths", "OAOB"), fact("equal_lengths", "OBOC"), fact("perpendicular", "A1OAO")),
        )


def _height_square(prism: ObliquePrism) -> Fraction:
    return prism.edge**2 - Fraction(prism.side**2, 3)


def _volume(prism: ObliquePrism) -> Surd:
    return root(Fraction(3, 16)) * prism.side**2 * root(_height_square(prism))


FAMILY = ObliquePrismVolume()
