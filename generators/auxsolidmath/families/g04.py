"""Dihedral angle between a box's base and a plane through a base diagonal."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from generators.auxsolidmath.exact import ExactAnswer, Given, Surd, is_fair, number, number_answer, root
from generators.auxsolidmath.families import CUBOID_FACES, CuboidEdges, cuboid, cuboid_sizes
from generators.auxsolidmath.problem import Problem, ProblemFamily, fact, join, perpendicular, solid_figure
from generators.auxsolidmath.space import foot_on_line

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["FAMILY", "DiagonalSection", "DihedralAtDiagonal"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DiagonalSection:
    """A box, and which function of the angle is asked for."""

    edges: CuboidEdges
    asked: Literal["cosine", "tangent"]


class DihedralAtDiagonal(ProblemFamily[DiagonalSection]):
    """AH ⊥ BD and AA1 ⊥ the base make A1H ⊥ BD: ∠A1HA is the plane angle."""

    difficulty = "easy"
    view = "oblique"

    def grid(self) -> Sequence[DiagonalSection]:
        """Return boxes with edges of 1 to 6, cosine and tangent, where they are tidy and no given length."""
        return [
            section
            for edges in cuboid_sizes(6, longest=2.4)
            for section in (
                DiagonalSection(edges=edges, asked="cosine"),
                DiagonalSection(edges=edges, asked="tangent"),
            )
            if is_fair(_value(section), edges.a, edges.b, edges.c)
        ]

    def answer(self, params: DiagonalSection) -> ExactAnswer:
        """Return ab/√(a²b² + c²(a² + b²)), or c√(a² + b²)/(ab)."""
        return number_answer(_value(params))

    def givens(self, params: DiagonalSection) -> tuple[Given, ...]:
        """Return the three edges."""
        return params.edges.givens

    def build(self, params: DiagonalSection) -> Problem:
        """Return the box with BD, A1B and A1D."""
        a, b, c = params.edges.a, params.edges.b, params.edges.c
        points = cuboid(a, b, c)
        points["H"] = foot_on_line(points["A"], points["B"], points["D"])
        height = number(a * b) / root(a * a + b * b)
        slant = root(height.squared + c * c)
        ratio = "[AH]/[A1H]" if params.asked == "cosine" else "[AA1]/[AH]"
        function = "cos" if params.asked == "cosine" else "tan"
        asked_zh = "余弦值" if params.asked == "cosine" else "正切值"
        return Problem(
            figure=solid_figure(points, CUBOID_FACES, lines="A1B BD A1D"),
            question_en=(
                f"In the rectangular box [ABCD-A1B1C1D1], {{given}}. Find the {params.asked} of the dihedral "
                "angle [A1-BD-A]."
            ),
            question_zh=f"在长方体[ABCD-A1B1C1D1]中，{{given}}，求二面角[A1-BD-A]的{asked_zh}。",
            constructions=(perpendicular("A", "BD", foot="H"), join("A1H")),
            solution=(
                "Draw [AH] ⊥ [BD] with foot [H] and connect [A1H]. [AA1] ⊥ plane [ABCD], so [AA1] ⊥ [BD]; hence "
                "[BD] ⊥ plane [A1AH] and [A1H] ⊥ [BD]: ∠[A1HA] is the plane angle of the dihedral angle.",
                f"In right triangle [ABD], [BD] = {root(a * a + b * b).text} and [AH] = [AB]·[AD]/[BD] = "
                f"{height.text}.",
                f"In right triangle [A1AH], [AA1] = {c} and [A1H] = {slant.text}.",
                f"{function} ∠[A1HA] = {ratio} = {_value(params).text}.",
            ),
            facts=(fact("perpendicular_to_plane", "BDA1AH"), fact("perpendicular", "A1HBD")),
        )


def _value(section: DiagonalSection) -> Surd:
    a, b, c = section.edges.a, section.edges.b, section.edges.c
    if section.asked == "cosine":
        return number(a * b) / root(a * a * b * b + c * c * (a * a + b * b))
    return root(a * a + b * b) * Fraction(c, a * b)


FAMILY = DihedralAtDiagonal()
