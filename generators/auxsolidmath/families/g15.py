"""Angle between a lateral edge and the base, in a pyramid with a face at right angles to the base."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from generators.auxsolidmath.exact import ExactAnswer, Given, Surd, is_fair, lengths, number, number_answer, root
from generators.auxsolidmath.families import PYRAMID_FACES, add_midpoints, pyramid_on_rectangle
from generators.auxsolidmath.problem import Problem, ProblemFamily, fact, join, midpoint, solid_figure

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["FAMILY", "EdgeAndBase", "FacePyramid"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FacePyramid:
    """AB, AD and the height of P above AD."""

    b: int
    d: int
    k: int


class EdgeAndBase(ProblemFamily[FacePyramid]):
    """PM ⊥ AD lies in the face that is perpendicular to the base: ∠PBM is the angle."""

    difficulty = "easy"
    view = "oblique"

    def grid(self) -> Sequence[FacePyramid]:
        """Return sizes whose tangent is tidy and no given length."""
        pyramids = [
            FacePyramid(b=b, d=d, k=k)
            for b in range(1, 7)
            for d in (2, 4, 6)
            for k in range(1, 7)
            if max(b, d, k) <= 3 * min(b, d, k)
        ]
        return [size for size in pyramids if is_fair(_tangent(size), size.b, size.d, _lateral(size))]

    def answer(self, params: FacePyramid) -> ExactAnswer:
        """Return k/√(b² + d²/4)."""
        return number_answer(_tangent(params))

    def givens(self, params: FacePyramid) -> tuple[Given, ...]:
        """Return AB, AD and PA."""
        return lengths(AB=params.b, AD=params.d, PA=_lateral(params))

    def build(self, params: FacePyramid) -> Problem:
        """Return the pyramid alone."""
        b, d, k = params.b, params.d, params.k
        points = pyramid_on_rectangle(b, d, (0.0, d / 2, float(k)))
        add_midpoints(points, M="AD")
        run = root(b * b + Fraction(d * d, 4))
        return Problem(
            figure=solid_figure(points, PYRAMID_FACES),
            question_en=(
                "In the pyramid [P-ABCD], the base [ABCD] is a rectangle, plane [PAD] ⊥ plane [ABCD], [PA] = "
                "[PD], and {given}. Find the tangent of the angle between [PB] and plane [ABCD]."
            ),
            question_zh=(
                "在四棱锥[P-ABCD]中，底面[ABCD]是矩形，平面[PAD]⊥平面[ABCD]，[PA]=[PD]，{given}，"
                "求直线[PB]与平面[ABCD]所成角的正切值。"
            ),
            constructions=(midpoint("M", "AD"), join("PM BM")),
            solution=(
                "Take the midpoint [M] of [AD]; connect [PM] and [BM]. [PA] = [PD], so [PM] ⊥ [AD]; plane [PAD] ⊥ "
                "plane [ABCD] with intersection [AD], so [PM] ⊥ plane [ABCD] and ∠[PBM] is the angle asked for.",
                f"[PM] = √([PA]² − [AM]²) = √({_lateral(params).squared} − {Fraction(d * d, 4)}) = {k}.",
                f"[BM] = √([AB]² + [AM]²) = √({b * b} + {Fraction(d * d, 4)}) = {run.text}.",
                f"tan ∠[PBM] = [PM]/[BM] = {_tangent(params).text}.",
            ),
            facts=(fact("equal_lengths", "PAPD"), fact("perpendicular_to_plane", "PMABCD")),
        )


def _lateral(size: FacePyramid) -> Surd:
    return root(size.k**2 + Fraction(size.d**2, 4))


def _tangent(size: FacePyramid) -> Surd:
    return number(size.k) / root(size.b**2 + Fraction(size.d**2, 4))


FAMILY = EdgeAndBase()
