"""Where a point on a lateral edge lies, from a dihedral angle of 45°."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from generators.auxsolidmath.exact import ExactAnswer, Given, Surd, is_fair, lengths, number, number_answer
from generators.auxsolidmath.families import PYRAMID_FACES, RightPyramid, pyramid_on_rectangle
from generators.auxsolidmath.problem import Problem, ProblemFamily, fact, join, perpendicular, solid_figure
from generators.auxsolidmath.space import foot_on_line, point_between

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["FAMILY", "PointFromDihedral"]


class PointFromDihedral(ProblemFamily[RightPyramid]):
    """EH ⊥ AD and HK ⊥ AC make ∠EKH the plane angle; EH = HK fixes λ."""

    difficulty = "hard"
    view = "oblique"
    given_in = ("text",)

    def grid(self) -> Sequence[RightPyramid]:
        """Return rectangles with whole diagonals and heights that make λ tidy."""
        solids = [RightPyramid(b=b, d=d, p=p) for b, d in _SIDES for p in range(2, 13)]
        return [
            solid
            for solid in solids
            if max(solid.b, solid.d) <= 2 * solid.p <= 3 * min(solid.b, solid.d) and is_fair(_share(solid))
        ]

    def answer(self, params: RightPyramid) -> ExactAnswer:
        """Return p√(b² + d²)/(p√(b² + d²) + bd)."""
        return number_answer(_share(params))

    def givens(self, params: RightPyramid) -> tuple[Given, ...]:
        """Return AB, AD and PA."""
        return lengths(AB=params.b, AD=params.d, PA=params.p)

    def build(self, params: RightPyramid) -> Problem:
        """Return the pyramid with the sides of triangle AEC."""
        b, d, p = params.b, params.d, params.p
        points = pyramid_on_rectangle(b, d, (0.0, 0.0, float(p)))
        points["E"] = point_between(points["P"], points["D"], float(_share(params)))
        points["H"] = foot_on_line(points["E"], points["A"], points["D"])
        points["K"] = foot_on_line(points["H"], points["A"], points["C"])
        diagonal = math.isqrt(b * b + d * d)
        return Problem(
            figure=solid_figure(points, PYRAMID_FACES, lines="AE CE AC", dots="E"),
            question_en=(
                "In the pyramid [P-ABCD], the base [ABCD] is a rectangle, [PA] ⊥ plane [ABCD], and {given}. Point "
                "[E] lies on [PD] with [PE] = λ·[PD]. Find λ for which the dihedral angle [E-AC-D] is 45°."
            ),
            question_zh=(
                "在四棱锥[P-ABCD]中，底面[ABCD]是矩形，[PA]⊥平面[ABCD]，{given}，点[E]在[PD]上，[PE]=λ[PD]，"
                "若二面角[E-AC-D]的大小为45°，求λ的值。"
            ),
            constructions=(perpendicular("E", "AD", foot="H"), perpendicular("H", "AC", foot="K"), join("EK")),
            solution=(
                "Draw [EH] ⊥ [AD] with foot [H]; [EH] ∥ [PA], so [EH] ⊥ plane [ABCD]. Draw [HK] ⊥ [AC] with foot "
                "[K] and connect [EK]. By the theorem of three perpendiculars [EK] ⊥ [AC], so ∠[EKH] = 45° and "
                "[EH] = [HK].",
                f"[EH] = (1 − λ)·[PA] = {p}(1 − λ) and [AH] = λ·[AD] = {d}λ.",
                f"[AC] = {diagonal}, so [HK] = [AH]·[CD]/[AC] = {d}λ·{b}/{diagonal} = "
                f"{Fraction(b * d, diagonal)}λ.",
                f"{p}(1 − λ) = {Fraction(b * d, diagonal)}λ gives λ = {_share(params).text}.",
            ),
            facts=(
                fact("on_line", "EPD"),
                fact("perpendicular_to_plane", "EHABCD"),
                fact("perpendicular", "EKAC"),
                fact("equal_lengths", "EHHK"),
            ),
        )


_SIDES = ((3, 4), (4, 3), (6, 8), (8, 6), (5, 12), (9, 12), (12, 9))


def _share(solid: RightPyramid) -> Surd:
    raised = solid.p * math.isqrt(solid.b**2 + solid.d**2)
    return number(Fraction(raised, raised + solid.b * solid.d))


FAMILY = PointFromDihedral()
