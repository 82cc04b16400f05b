"""Volume of a tetrahedron cut from a regular triangular prism."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from generators.auxsolidmath.answer import is_fair, number_answer
from generators.auxsolidmath.constructions import join, midpoint
from generators.auxsolidmath.facts import fact
from generators.auxsolidmath.family import Family, Problem
from generators.auxsolidmath.figure import Figure, faces_of, pairs
from generators.auxsolidmath.givens import length
from generators.auxsolidmath.solids import PRISM_FACES, triangular_prism
from generators.auxsolidmath.space import point_between
from generators.auxsolidmath.surd import number, root

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generators.auxsolidmath.answer import Answer
    from generators.auxsolidmath.givens import Given
    from generators.auxsolidmath.surd import Surd

__all__ = ["FAMILY", "RegularPrism", "TetrahedronInPrism"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RegularPrism:
    """Side of the base and height."""

    side: int
    height: int


class TetrahedronInPrism(Family[RegularPrism]):
    """BB1 is parallel to plane ACC1A1, so P is as far from it as B: the height is BQ = (√3/2)s."""

    name = "G08"
    difficulty = "easy"
    view = "axonometric"

    def grid(self) -> Sequence[RegularPrism]:
        """Return sides of 2 to 6 and heights of 2 to 9."""
        prisms = [RegularPrism(side=side, height=height) for side in range(2, 7) for height in range(2, 10)]
        return [
            prism
            for prism in prisms
            if prism.side <= 2 * prism.height <= 5 * prism.side
            and is_fair(_volume(prism), prism.side, prism.height)
        ]

    def answer(self, params: RegularPrism) -> Answer:
        """Return √3·s²h/12."""
        return number_answer(_volume(params))

    def givens(self, params: RegularPrism) -> tuple[Given, ...]:
        """Return side and height."""
        return length("A", "B", number(params.side)), length("A", "A1", number(params.height))

    def build(self, params: RegularPrism) -> Problem:
        """Return the prism with the tetrahedron's edges."""
        side, height = params.side, params.height
        points = triangular_prism(side, height)
        solid = faces_of(points, PRISM_FACES)
        points["P"] = point_between(points["B"], points["B1"])
        shown = tuple(points)
        points["Q"] = point_between(points["A"], points["C"])
        distance = root(Fraction(3 * side * side, 4))
        return Problem(
            figure=Figure(points=points, shown=shown, bodies=(solid,), lines=pairs("PA PA1 PC A1C"), dots=("P",)),
            question_en=(
                "In the regular triangular prism [ABC-A1B1C1], [P] is the midpoint of [BB1] and {given}. "
                "Find the volume of the tetrahedron [P-AA1C]."
            ),
            question_zh="在正三棱柱[ABC-A1B1C1]中，[P]为[BB1]的中点，{given}，求三棱锥[P-AA1C]的体积。",
            constructions=(midpoint("Q", "AC"), join("BQ")),
            solution=(
                "Take the midpoint [Q] of [AC] and connect [BQ]. Triangle [ABC] is equilateral, so [BQ] ⊥ [AC]; "
                "[AA1] ⊥ plane [ABC], so [BQ] ⊥ [AA1]. Hence [BQ] ⊥ plane [ACC1A1].",
                "[BB1] ∥ [AA1], so [BB1] ∥ plane [ACC1A1], and [P] is as far from that plane as [B].",
                f"[BQ] = (√3/2)·{side} = {distance.text}; the area of triangle [AA1C] is {side}·{height}/2 = "
                f"{number(Fraction(side * height, 2)).text}.",
                f"The volume is (1/3)·{number(Fraction(side * height, 2)).text}·{distance.text} = "
                f"{_volume(params).text}.",
            ),
            facts=(fact("perpendicular_to_plane", "BQACC1"), fact("parallel", "BB1AA1")),
        )


def _volume(prism: RegularPrism) -> Surd:
    return root(3) * Fraction(prism.side**2 * prism.height, 12)


FAMILY = TetrahedronInPrism()
