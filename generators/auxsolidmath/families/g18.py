"""Volume of a regular square frustum."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from generators.auxsolidmath.exact import ExactAnswer, Given, Surd, is_fair, lengths, number_answer, root
from generators.auxsolidmath.families import CUBOID_FACES, square_pyramid
from generators.auxsolidmath.problem import Problem, ProblemFamily, fact, join, perpendicular, solid_figure
from generators.auxsolidmath.space import add, foot_on_line

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["FAMILY", "FrustumVolume", "SquareFrustum"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SquareFrustum:
    """Sides of the top and of the base, and lateral edge."""

    top: int
    base: int
    edge: int


class FrustumVolume(ProblemFamily[SquareFrustum]):
    """A1H ⊥ AC in the diagonal section: AH is half the difference of the diagonals, A1H the height."""

    difficulty = "easy"
    view = "oblique"

    def grid(self) -> Sequence[SquareFrustum]:
        """Return frustums between a third and one and a half times their base's side in height."""
        frustums = [
            SquareFrustum(top=top, base=base, edge=edge)
            for top in range(1, 6)
            for base in range(top + 1, 10)
            for edge in range(2, 10)
            if 5 * top <= 4 * base <= 16 * top
        ]
        return [
            frustum
            for frustum in frustums
            if frustum.base**2 <= 9 * _height_square(frustum) <= 20 * frustum.base**2
            and is_fair(_volume(frustum), frustum.top, frustum.base, frustum.edge)
        ]

    def answer(self, params: SquareFrustum) -> ExactAnswer:
        """Return √(l² − (b − a)²/2)·(a² + ab + b²)/3."""
        return number_answer(_volume(params))

    def givens(self, params: SquareFrustum) -> tuple[Given, ...]:
        """Return both sides and the lateral edge."""
        return lengths(AB=params.base, A1B1=params.top, AA1=params.edge)

    def build(self, params: SquareFrustum) -> Problem:
        """Return the frustum alone."""
        height = math.sqrt(_height_square(params))
        points = {label: place for label, place in square_pyramid(params.base, height).items() if label in "ABCD"}
        top = square_pyramid(params.top, height)
        points |= {f"{label}1": add(top[label], (0.0, 0.0, height)) for label in "ABCD"}
        points["H"] = foot_on_line(points["A1"], points["A"], points["C"])
        step = root(Fraction((params.base - params.top) ** 2, 2))
        areas = params.top**2 + params.top * params.base + params.base**2
        return Problem(
            figure=solid_figure(points, CUBOID_FACES),
            question_en=(
                "In the frustum [ABCD-A1B1C1D1] of a regular square pyramid, {given}. Find the volume of the "
                "frustum."
            ),
            question_zh="在正四棱台[ABCD-A1B1C1D1]中，{given}，求该正四棱台的体积。",
            constructions=(join("AC A1C1"), perpendicular("A1", "AC", foot="H")),
            solution=(
                "Connect [AC] and [A1C1], and draw [A1H] ⊥ [AC] with foot [H]. Plane [ACC1A1] is perpendicular to "
                "the base, so [A1H] is the height of the frustum.",
                f"[AC] = {(root(2) * params.base).text}, [A1C1] = {(root(2) * params.top).text}, so [AH] = ([AC] "
                f"− [A1C1])/2 = {step.text}.",
                f"[A1H] = √([AA1]² − [AH]²) = √({params.edge**2} − {step.squared}) = "
                f"{root(_height_square(params)).text}.",
                f"The volume is (1/3)·[A1H]·({params.top}² + {params.top}·{params.base} + {params.base}²) = "
                f"(1/3)·{root(_height_square(params)).text}·{areas} = {_volume(params).text}.",
            ),
            facts=(fact("perpendicular_to_plane", "A1HABCD"), fact("parallel", "A1C1AC")),
        )


def _height_square(frustum: SquareFrustum) -> Fraction:
    return frustum.edge**2 - Fraction((frustum.base - frustum.top) ** 2, 2)


def _volume(frustum: SquareFrustum) -> Surd:
    areas = frustum.top**2 + frustum.top * frustum.base + frustum.base**2
    return root(_height_square(frustum)) * Fraction(areas, 3)


FAMILY = FrustumVolume()
