"""Dihedral angle in a pyramid with a lateral edge at right angles to its rectangular base."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generators.auxsolidmath.exact import ExactAnswer, Given, Surd, is_fair, lengths, number, number_answer, root
from generators.auxsolidmath.families import PYRAMID_FACES, RightPyramid, add_midpoints, pyramid_on_rectangle
from generators.auxsolidmath.problem import Problem, ProblemFamily, fact, join, perpendicular, solid_figure
from generators.auxsolidmath.space import foot_on_line

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["FAMILY", "DihedralAtMedian"]


class DihedralAtMedian(ProblemFamily[RightPyramid]):
    """CD ⊥ plane PAD, so DF ⊥ AE implies CF ⊥ AE: ∠CFD is the plane angle."""

    difficulty = "hard"
    view = "oblique"

    def grid(self) -> Sequence[RightPyramid]:
        """Return sizes of 1 to 7 with a tidy cosine that is no given length; PA > AD puts F between A and E."""
        pyramids = [
            RightPyramid(b=b, d=d, p=p)
            for b in range(1, 6)
            for d in range(1, 6)
            for p in range(d + 1, min(3 * d, 8))
            if max(b, d, p) <= 3 * min(b, d)
        ]
        return [size for size in pyramids if is_fair(_cosine(size), size.b, size.d, size.p)]

    def answer(self, params: RightPyramid) -> ExactAnswer:
        """Return pd/√(p²d² + p²b² + d²b²)."""
        return number_answer(_cosine(params))

    def givens(self, params: RightPyramid) -> tuple[Given, ...]:
        """Return AB, AD and PA."""
        return lengths(AB=params.b, AD=params.d, PA=params.p)

    def build(self, params: RightPyramid) -> Problem:
        """Return the pyramid with the sides of triangle AEC."""
        b, d, p = params.b, params.d, params.p
        points = pyramid_on_rectangle(b, d, (0.0, 0.0, float(p)))
        add_midpoints(points, E="PD")
        points["F"] = foot_on_line(points["D"], points["A"], points["E"])
        foot = number(p * d) / root(p * p + d * d)
        slant = root(foot.squared + b * b)
        return Problem(
            figure=solid_figure(points, PYRAMID_FACES, lines="AE CE AC", dots="E"),
            question_en=(
                "In the pyramid [P-ABCD], the base [ABCD] is a rectangle, [PA] ⊥ plane [ABCD], [E] is the "
                "midpoint of [PD], and {given}. Find the cosine of the dihedral angle [D-AE-C]."
            ),
            question_zh=(
                "在四棱锥[P-ABCD]中，底面[ABCD]是矩形，[PA]⊥平面[ABCD]，[E]为[PD]的中点，{given}，"
                "求二面角[D-AE-C]的余弦值。"
            ),
            constructions=(perpendicular("D", "AE", foot="F"), join("CF")),
            solution=(
                "[PA] ⊥ plane [ABCD], so [PA] ⊥ [CD]; with [CD] ⊥ [AD] this gives [CD] ⊥ plane [PAD].",
                "Draw [DF] ⊥ [AE] with foot [F] and connect [CF]. By the theorem of three perpendiculars [CF] ⊥ "
                "[AE], so ∠[CFD] is the plane angle of the dihedral angle.",
                "In right triangle [PAD] the median is [AE] = [PD]/2, so triangle [AED] has half the area of "
                f"triangle [PAD] and [DF] = [PA]·[AD]/[PD] = {foot.text}.",
                f"In right triangle [CDF], [CD] = {b} and [CF] = {slant.text}, so cos ∠[CFD] = [DF]/[CF] = "
                f"{_cosine(params).text}.",
            ),
            facts=(
                fact("midpoint", "EPD"),
                fact("perpendicular_to_plane", "PAABCD"),
                fact("perpendicular_to_plane", "CDPAD"),
                fact("perpendicular", "CFAE"),
            ),
        )


def _cosine(size: RightPyramid) -> Surd:
    b, d, p = size.b, size.d, size.p
    return number(p * d) / root(p * p * d * d + p * p * b * b + d * d * b * b)


FAMILY = DihedralAtMedian()
