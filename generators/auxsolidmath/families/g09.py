"""Dihedral angle between two neighbouring lateral faces of a regular square pyramid: always obtuse."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from generators.auxsolidmath.exact import ExactAnswer, Given, Surd, is_fair, lengths, number, number_answer, root
from generators.auxsolidmath.families import PYRAMID_FACES, square_pyramid
from generators.auxsolidmath.problem import Problem, ProblemFamily, fact, join, perpendicular, solid_figure
from generators.auxsolidmath.space import foot_on_line

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["FAMILY", "LateralDihedral", "SquarePyramid"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SquarePyramid:
    """Side of the base and height."""

    a: int
    h: int


class LateralDihedral(ProblemFamily[SquarePyramid]):
    """BE ⊥ PC implies DE ⊥ PC by symmetry, and the cosine rule in triangle BED gives −a²/(a² + 4h²)."""

    difficulty = "hard"
    view = "oblique"

    def grid(self) -> Sequence[SquarePyramid]:
        """Return bases of 2 to 8 and heights of 1 to 8 with a tidy cosine."""
        sizes = [SquarePyramid(a=a, h=h) for a in range(2, 9) for h in range(1, 9)]
        return [size for size in sizes if is_fair(_cosine(size)) and size.a <= 2 * size.h <= 4 * size.a]

    def answer(self, params: SquarePyramid) -> ExactAnswer:
        """Return −a²/(a² + 4h²)."""
        return number_answer(_cosine(params))

    def givens(self, params: SquarePyramid) -> tuple[Given, ...]:
        """Return the base's side and the height."""
        return lengths(AB=params.a, PO=params.h)

    def build(self, params: SquarePyramid) -> Problem:
        """Return the pyramid with its height."""
        a, h = params.a, params.h
        points = square_pyramid(a, h)
        points["E"] = foot_on_line(points["B"], points["P"], points["C"])
        edge = root(Fraction(a * a + 2 * h * h, 2))
        foot = root(Fraction(a * a * (a * a + 4 * h * h), 2 * (a * a + 2 * h * h)))
        return Problem(
            figure=solid_figure(points, PYRAMID_FACES, lines="PO", dots="O"),
            question_en=(
                "In the regular square pyramid [P-ABCD], [O] is the centre of the base, [PO] is the height, and "
                "{given}. Find the cosine of the dihedral angle [B-PC-D]."
            ),
            question_zh=(
                "在正四棱锥[P-ABCD]中，[O]为底面中心，[PO]为棱锥的高，{given}，求二面角[B-PC-D]的余弦值。"
            ),
            constructions=(perpendicular("B", "PC", foot="E"), join("DE BD")),
            solution=(
                "Draw [BE] ⊥ [PC] with foot [E]; connect [DE] and [BD]. Triangles [PBC] and [PDC] are congruent, "
                "so [DE] ⊥ [PC] too and [DE] = [BE]: ∠[BED] is the plane angle of the dihedral angle [B-PC-D].",
                f"[PC]² = [PO]² + [OC]² = {h}² + {a * a}/2, so [PC] = {edge.text}; the slant height of a face is "
                f"√({h}² + ({a}/2)²) = {root(Fraction(a * a + 4 * h * h, 4)).text}.",
                f"The area of triangle [PBC] gives [BE]·[PC] = [BC]·(slant height), so [BE] = [DE] = {foot.text}.",
                f"[BD]² = 2·{a}² = {2 * a * a}. By the cosine rule cos ∠[BED] = ([BE]² + [DE]² − "
                f"[BD]²)/(2·[BE]·[DE]) = 1 − [BD]²/(2·[BE]²) = {_cosine(params).text}. The angle is obtuse.",
            ),
            facts=(
                fact("perpendicular", "DEPC"),
                fact("equal_lengths", "BEDE"),
                fact("perpendicular_to_plane", "POABCD"),
            ),
        )


def _cosine(size: SquarePyramid) -> Surd:
    return number(Fraction(-(size.a**2), size.a**2 + 4 * size.h**2))


FAMILY = LateralDihedral()
