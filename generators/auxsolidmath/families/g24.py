"""Perpendiculars in a tetrahedron with an edge at right angles to its base."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from generators.auxsolidmath.exact import ExactAnswer, claim_answer
from generators.auxsolidmath.families import TETRAHEDRON_FACES
from generators.auxsolidmath.problem import Problem, ProblemFamily, fact, perpendicular, solid_figure
from generators.auxsolidmath.space import Vec, foot_on_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["FAMILY", "PerpendicularInTetrahedron", "RightCornerTetrahedron"]

Claim = Literal["altitude", "right_angle"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RightCornerTetrahedron:
    """AB, BC and PA, at right angles one after the other, and which statement is to be proved."""

    ab: int
    bc: int
    pa: int
    claim: Claim


class PerpendicularInTetrahedron(ProblemFamily[RightCornerTetrahedron]):
    """The perpendicular AE from A to PB is perpendicular to plane PBC."""

    difficulty = "easy"
    kind = "PROVING"
    view = "axonometric"
    given_in = ("text",)

    def grid(self) -> Sequence[RightCornerTetrahedron]:
        """Return several shapes with either statement; only the drawing depends on the shape."""
        return [
            RightCornerTetrahedron(ab=ab, bc=bc, pa=pa, claim=claim)
            for ab in (3, 4)
            for bc in (3, 4, 5)
            for pa in (3, 4, 5)
            for claim in _CLAIMS
        ]

    def answer(self, params: RightCornerTetrahedron) -> ExactAnswer:
        """Return the claim."""
        return claim_answer(_CLAIMS[params.claim])

    def build(self, params: RightCornerTetrahedron) -> Problem:
        """Return the tetrahedron alone."""
        points: dict[str, Vec] = {
            "A": (0.0, 0.0, 0.0),
            "B": (float(params.ab), 0.0, 0.0),
            "C": (float(params.ab), float(params.bc), 0.0),
            "P": (0.0, 0.0, float(params.pa)),
        }
        points["E"] = foot_on_line(points["A"], points["P"], points["B"])
        return Problem(
            figure=solid_figure(points, TETRAHEDRON_FACES),
            question_en=_QUESTIONS_EN[params.claim],
            question_zh=_QUESTIONS_ZH[params.claim],
            constructions=(perpendicular("A", "PB", foot="E"),),
            solution=_SOLUTIONS[params.claim],
            facts=(
                fact("perpendicular_to_plane", "PAABC"),
                fact("perpendicular", "ABBC"),
                fact("perpendicular_to_plane", "BCPAB"),
                fact("perpendicular_to_plane", "AEPBC"),
            ),
        )


_CLAIMS: Mapping[Claim, str] = {"altitude": "[AE] ⊥ plane [PBC]", "right_angle": "[AB] ⊥ [BC]"}
_QUESTIONS_EN: Mapping[Claim, str] = {
    "altitude": (
        "In the tetrahedron [P-ABC], [PA] ⊥ plane [ABC] and [AB] ⊥ [BC]. Let [E] be the foot of the perpendicular "
        "from [A] to [PB]. Prove that [AE] ⊥ plane [PBC]."
    ),
    "right_angle": (
        "In the tetrahedron [P-ABC], [PA] ⊥ plane [ABC] and plane [PAB] ⊥ plane [PBC]. Prove that [AB] ⊥ [BC]."
    ),
}
_QUESTIONS_ZH: Mapping[Claim, str] = {
    "altitude": (
        "在三棱锥[P-ABC]中，[PA]⊥平面[ABC]，[AB]⊥[BC]，点[A]在直线[PB]上的射影为[E]。求证：[AE]⊥平面[PBC]。"
    ),
    "right_angle": "在三棱锥[P-ABC]中，[PA]⊥平面[ABC]，平面[PAB]⊥平面[PBC]。求证：[AB]⊥[BC]。",
}
_SOLUTIONS: Mapping[Claim, tuple[str, ...]] = {
    "altitude": (
        "Draw [AE] ⊥ [PB] with foot [E].",
        "[PA] ⊥ plane [ABC], so [PA] ⊥ [BC]. With [AB] ⊥ [BC] and [PA], [AB] meeting at [A], [BC] ⊥ plane [PAB].",
        "[AE] lies in plane [PAB], so [BC] ⊥ [AE].",
        "[AE] ⊥ [PB], [AE] ⊥ [BC], and [PB], [BC] meet at [B] in plane [PBC].",
    ),
    "right_angle": (
        "Draw [AE] ⊥ [PB] with foot [E].",
        "Plane [PAB] ⊥ plane [PBC], they meet in [PB], and [AE] lies in plane [PAB], so [AE] ⊥ plane [PBC] and "
        "[AE] ⊥ [BC].",
        "[PA] ⊥ plane [ABC], so [PA] ⊥ [BC].",
        "[PA] and [AE] meet at [A] in plane [PAB], so [BC] ⊥ plane [PAB], in which [AB] lies.",
    ),
}

FAMILY = PerpendicularInTetrahedron()
