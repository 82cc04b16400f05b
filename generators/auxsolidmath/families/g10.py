"""Circumscribed sphere of a regular triangular pyramid."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from generators.auxsolidmath.exact import (
    PI,
    ExactAnswer,
    Given,
    Surd,
    is_fair,
    lengths,
    number,
    number_answer,
    root,
)
from generators.auxsolidmath.families import TETRAHEDRON_FACES, equilateral_triangle
from generators.auxsolidmath.problem import (
    Construction,
    Problem,
    ProblemFamily,
    fact,
    join,
    pairs,
    perpendicular_to_plane,
    solid_figure,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["FAMILY", "PyramidCircumsphere", "TriangularPyramid"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TriangularPyramid:
    """Side of the base and lateral edge."""

    side: int
    edge: int


class PyramidCircumsphere(ProblemFamily[TriangularPyramid]):
    """The centre lies on the height PO; (PO − R)² + OA² = R² gives R = l²/(2·PO)."""

    difficulty = "hard"
    view = "axonometric"

    def grid(self) -> Sequence[TriangularPyramid]:
        """Return sides of 2 to 9 and edges that put the centre well inside, the height at most twice the side."""
        pyramids = [TriangularPyramid(side=side, edge=edge) for side in range(2, 10) for edge in range(2, 17)]
        return [
            pyramid
            for pyramid in pyramids
            if 4 * pyramid.edge**2 >= 3 * pyramid.side**2
            and _height_square(pyramid) <= 4 * pyramid.side**2
            and is_fair(_area(pyramid), pyramid.side, pyramid.edge)
        ]

    def answer(self, params: TriangularPyramid) -> ExactAnswer:
        """Return πl⁴/(l² − s²/3)."""
        return number_answer(_area(params))

    def givens(self, params: TriangularPyramid) -> tuple[Given, ...]:
        """Return the base's side and the lateral edge."""
        return lengths(AB=params.side, PA=params.edge)

    def build(self, params: TriangularPyramid) -> Problem:
        """Return the pyramid alone."""
        side, edge = params.side, params.edge
        height = math.sqrt(_height_square(params))
        points = dict(zip("ABC", equilateral_triangle(side), strict=True))
        points["P"] = (0.0, 0.0, height)
        points |= {"O": (0.0, 0.0, 0.0), "K": (0.0, 0.0, height - edge * edge / (2 * height))}
        radius = number(edge * edge) / (root(_height_square(params)) * 2)
        return Problem(
            figure=solid_figure(points, TETRAHEDRON_FACES),
            question_en=(
                "In the regular triangular pyramid [P-ABC], {given}. Find the surface area of the sphere that "
                "passes through all its vertices."
            ),
            question_zh="在正三棱锥[P-ABC]中，{given}，求该三棱锥外接球的表面积。",
            constructions=(
                perpendicular_to_plane("P", "ABC", foot="O", towards="A"),
                join("AO"),
                Construction(
                    operation="join",
                    en="Let [K] be the centre of the sphere, which lies on [PO]; connect [A] and [K].",
                    zh="设球心为[K]（在[PO]上），连接[AK]。",
                    creates=("K",),
                    lines=pairs("AK"),
                    facts=(fact("on_line", "KPO"), fact("equal_lengths", "KAKP")),
                ),
            ),
            solution=(
                "Draw [PO] ⊥ plane [ABC]; [O] is the centre of the base. Every point of [PO] is equally far from "
                "[A], [B] and [C], so the centre [K] of the sphere lies on [PO], with [KA] = [KP] = R.",
                f"[AO] = [AB]/√3 = {root(Fraction(side * side, 3)).text}, and [PO]² = [PA]² − [AO]² = {edge}² − "
                f"{Fraction(side * side, 3)}, so [PO] = {root(_height_square(params)).text}.",
                "In right triangle [AOK], R² = [AO]² + ([PO] − R)², so 2·[PO]·R = [AO]² + [PO]² = [PA]².",
                f"R = [PA]²/(2·[PO]) = {radius.text}, and the surface area is 4πR² = {_area(params).text}.",
            ),
            facts=(fact("equal_lengths", "KAKB"), fact("equal_lengths", "KBKC")),
        )


def _height_square(pyramid: TriangularPyramid) -> Fraction:
    return pyramid.edge**2 - Fraction(pyramid.side**2, 3)


def _area(pyramid: TriangularPyramid) -> Surd:
    return PI * (pyramid.edge**4 / _height_square(pyramid))


FAMILY = PyramidCircumsphere()
