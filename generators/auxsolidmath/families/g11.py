"""Inscribed sphere of a regular square pyramid."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from generators.auxsolidmath.exact import ExactAnswer, Given, Surd, is_fair, lengths, number, number_answer, root
from generators.auxsolidmath.families import PYRAMID_FACES, add_midpoints, square_pyramid
from generators.auxsolidmath.problem import (
    Construction,
    Problem,
    ProblemFamily,
    fact,
    midpoint,
    pairs,
    solid_figure,
)
from generators.auxsolidmath.space import Arc

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["FAMILY", "PyramidInsphere", "PyramidWithSphere"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PyramidWithSphere:
    """Side of the base, and twice the slant height of a face."""

    side: int
    double_slant: int


class PyramidInsphere(ProblemFamily[PyramidWithSphere]):
    """The section through the apex and two midpoints shows the radius as that of its inscribed circle."""

    difficulty = "hard"
    view = "oblique"

    def grid(self) -> Sequence[PyramidWithSphere]:
        """Return pyramids of half to one and a half times their side in height, with tidy height and radius."""
        pyramids = [
            PyramidWithSphere(side=side, double_slant=double_slant)
            for side in range(2, 17)
            for double_slant in range(side + 1, 3 * side + 1)
        ]
        return [
            pyramid
            for pyramid in pyramids
            if pyramid.side <= 2 * float(_height(pyramid)) <= 3 * pyramid.side
            and _height(pyramid).radicand <= _READABLE
            and is_fair(_radius(pyramid), pyramid.side, _height(pyramid))
        ]

    def answer(self, params: PyramidWithSphere) -> ExactAnswer:
        """Return ah/(a + √(a² + 4h²))."""
        return number_answer(_radius(params))

    def givens(self, params: PyramidWithSphere) -> tuple[Given, ...]:
        """Return the base's side and the height."""
        return lengths(AB=params.side, PO=_height(params))

    def build(self, params: PyramidWithSphere) -> Problem:
        """Return the pyramid with its height."""
        side, height, radius = params.side, _height(params), _radius(params)
        points = square_pyramid(side, float(height))
        add_midpoints(points, M="AB", N="CD")
        reach = float(radius)
        circle = Arc(centre=(0.0, 0.0, reach), first=(0.0, reach, 0.0), second=(0.0, 0.0, reach))
        slant = number(Fraction(params.double_slant, 2))
        return Problem(
            figure=solid_figure(points, PYRAMID_FACES, lines="PO", dots="O"),
            question_en=(
                "In the regular square pyramid [P-ABCD], [O] is the centre of the base, [PO] is the height, and "
                "{given}. Find the radius of the sphere inscribed in the pyramid."
            ),
            question_zh=(
                "在正四棱锥[P-ABCD]中，[O]为底面中心，[PO]为棱锥的高，{given}，求该正四棱锥内切球的半径。"
            ),
            constructions=(
                midpoint("M", "AB"),
                midpoint("N", "CD"),
                Construction(
                    operation="section",
                    en="Construct the cross-section [PMN]; its inscribed circle is a great circle of the sphere.",
                    zh="作截面[PMN]，其内切圆是内切球的大圆。",
                    lines=pairs("PM PN MN"),
                    curves=(circle,),
                ),
            ),
            solution=(
                "Take the midpoints [M] of [AB] and [N] of [CD] and construct the section [PMN]. By symmetry it "
                "holds the sphere's centre and the points where the sphere touches the base and the faces [PAB] "
                "and [PCD]: the radius r is that of the circle inscribed in triangle [PMN].",
                f"[MN] = {side} and [PM] = [PN] = √([PO]² + [OM]²) = √({height.squared} + "
                f"{Fraction(side * side, 4)}) = {slant.text}.",
                f"The area of triangle [PMN] is [MN]·[PO]/2 = {(height * side / 2).text}; its half perimeter is "
                f"{(number(Fraction(side + params.double_slant, 2))).text}.",
                f"r = area/(half perimeter) = {radius.text}.",
            ),
            facts=(fact("equal_lengths", "PMPN"), fact("perpendicular", "POMN")),
        )


_READABLE = 30


def _height(pyramid: PyramidWithSphere) -> Surd:
    return root(Fraction(pyramid.double_slant**2 - pyramid.side**2, 4))


def _radius(pyramid: PyramidWithSphere) -> Surd:
    return _height(pyramid) * Fraction(pyramid.side, pyramid.side + pyramid.double_slant)


FAMILY = PyramidInsphere()
