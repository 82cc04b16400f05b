"""Circumscribed sphere of a regular triangular prism."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from generators.auxsolidmath.exact import PI, ExactAnswer, Given, Surd, is_fair, lengths, number_answer, root
from generators.auxsolidmath.families import PRISM_FACES, RegularPrism, triangular_prism
from generators.auxsolidmath.problem import (
    Construction,
    Problem,
    ProblemFamily,
    fact,
    join,
    midpoint,
    pairs,
    solid_figure,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["FAMILY", "PrismCircumsphere"]


class PrismCircumsphere(ProblemFamily[RegularPrism]):
    """The centre halves the segment between the centres of the two bases."""

    difficulty = "easy"
    view = "axonometric"

    def grid(self) -> Sequence[RegularPrism]:
        """Return sides and heights of 1 to 9, the height half to twice and a half the side."""
        prisms = [RegularPrism(side=side, height=height) for side in range(2, 10) for height in range(1, 10)]
        return [
            prism
            for prism in prisms
            if prism.side <= 2 * prism.height <= 5 * prism.side and is_fair(_area(prism), prism.side, prism.height)
        ]

    def answer(self, params: RegularPrism) -> ExactAnswer:
        """Return 4π(s²/3 + h²/4)."""
        return number_answer(_area(params))

    def givens(self, params: RegularPrism) -> tuple[Given, ...]:
        """Return side and height."""
        return lengths(AB=params.side, AA1=params.height)

    def build(self, params: RegularPrism) -> Problem:
        """Return the prism alone."""
        side, height = params.side, params.height
        points = triangular_prism(side, height)
        points |= {"E": (0.0, 0.0, 0.0), "F": (0.0, 0.0, float(height)), "O": (0.0, 0.0, height / 2)}
        base_radius = root(Fraction(side * side, 3))
        square = Fraction(side * side, 3) + Fraction(height * height, 4)
        return Problem(
            figure=solid_figure(points, PRISM_FACES),
            question_en=(
                "In the regular triangular prism [ABC-A1B1C1], {given}. Find the surface area of the sphere that "
                "passes through all six vertices."
            ),
            question_zh="在正三棱柱[ABC-A1B1C1]中，{given}，求该三棱柱外接球的表面积。",
            constructions=(
                Construction(
                    operation="join",
                    en="Connect the centres [E] and [F] of the bases [ABC] and [A1B1C1].",
                    zh="连接底面[ABC]、[A1B1C1]的中心[E]、[F]。",
                    creates=("E", "F"),
                    lines=pairs("EF"),
                    facts=(
                        fact("equal_lengths", "EAEB"),
                        fact("equal_lengths", "EBEC"),
                        fact("on_plane", "EABC"),
                        fact("perpendicular_to_plane", "EFABC"),
                    ),
                ),
                midpoint("O", "EF"),
                join("OA EA"),
            ),
            solution=(
                "Connect the centres [E] and [F] of the two bases and take the midpoint [O] of [EF]; connect [OA] "
                "and [EA]. [EF] ⊥ plane [ABC], so [O] is equally far from all six vertices: it is the centre of "
                "the sphere.",
                f"[EA] = [AB]/√3 = {base_radius.text} and [OE] = [AA1]/2 = {Fraction(height, 2)}.",
                f"R² = [OA]² = [EA]² + [OE]² = {base_radius.squared} + {Fraction(height * height, 4)} = {square}.",
                f"The surface area is 4πR² = {_area(params).text}.",
            ),
            facts=(fact("equal_lengths", "OAOB"), fact("equal_lengths", "OAOA1"), fact("equal_lengths", "OAOC1")),
        )


def _area(prism: RegularPrism) -> Surd:
    return PI * (Fraction(4 * prism.side**2, 3) + prism.height**2)


FAMILY = PrismCircumsphere()
