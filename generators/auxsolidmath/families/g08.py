"""Volume of a tetrahedron cut from a regular triangular prism."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from generators.auxsolidmath.exact import ExactAnswer, Given, Surd, is_fair, lengths, number, number_answer, root
from generators.auxsolidmath.families import PRISM_FACES, RegularPrism, add_midpoints, triangular_prism
from generators.auxsolidmath.problem import Problem, ProblemFamily, fact, join, midpoint, solid_figure

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["FAMILY", "TetrahedronInPrism"]


class TetrahedronInPrism(ProblemFamily[RegularPrism]):
    """BB1 is parallel to plane ACC1A1, so P is as far from it as B: the height is BQ = (√3/2)s."""

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

    def answer(self, params: RegularPrism) -> ExactAnswer:
        """Return √3·s²h/12."""
        return number_answer(_volume(params))

    def givens(self, params: RegularPrism) -> tuple[Given, ...]:
        """Return side and height."""
        return lengths(AB=params.side, AA1=params.height)

    def build(self, params: RegularPrism) -> Problem:
        """Return the prism with the tetrahedron's edges."""
        side, height = params.side, params.height
        points = triangular_prism(side, height)
        add_midpoints(points, P="BB1", Q="AC")
        distance = root(Fraction(3 * side * side, 4))
        return Problem(
            figure=solid_figure(points, PRISM_FACES, lines="PA PA1 PC A1C", dots="P"),
            question_en=(
                "In the regular triangular prism [ABC-A1B1C1], [P] is the midpoint of [BB1] and {given}. Find the "
                "volume of the tetrahedron [P-AA1C]."
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
