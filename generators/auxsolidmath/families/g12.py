"""A lateral edge parallel to a section through a midpoint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from generators.auxsolidmath.exact import ExactAnswer, claim_answer
from generators.auxsolidmath.families import PYRAMID_FACES, add_midpoints
from generators.auxsolidmath.problem import Problem, ProblemFamily, fact, join, solid_figure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generators.auxsolidmath.space import Vec

__all__ = ["FAMILY", "EdgeParallelToSection", "LeaningPyramid"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaningPyramid:
    """Base A = (0, 0), B = (base, 0), D = (skew, depth), apex above (apex_x, apex_y) at `height`."""

    base: int
    skew: int
    depth: int
    apex_x: int
    apex_y: int
    height: int


class EdgeParallelToSection(ProblemFamily[LeaningPyramid]):
    """O halves BD and E halves PD: EO is a midline of triangle PBD, hence parallel to PB."""

    difficulty = "easy"
    kind = "PROVING"
    view = "oblique"
    given_in = ("text",)

    def grid(self) -> Sequence[LeaningPyramid]:
        """Return pyramids of several shapes; only the drawing depends on them."""
        return [
            LeaningPyramid(base=base, skew=skew, depth=4, apex_x=apex_x, apex_y=apex_y, height=height)
            for base in (4, 5)
            for skew in (0, 1)
            for apex_x, apex_y in ((2, 2), (1, 1), (3, 2))
            for height in (4, 5)
        ]

    def answer(self, params: LeaningPyramid) -> ExactAnswer:  # noqa: ARG002 - the claim holds whatever the sizes
        """Return the claim."""
        return claim_answer("[PB] ∥ plane [AEC]")

    def build(self, params: LeaningPyramid) -> Problem:
        """Return the pyramid with the sides of triangle AEC."""
        base, skew, depth = float(params.base), float(params.skew), float(params.depth)
        points: dict[str, Vec] = {
            "A": (0.0, 0.0, 0.0),
            "B": (base, 0.0, 0.0),
            "C": (base + skew, depth, 0.0),
            "D": (skew, depth, 0.0),
            "P": (float(params.apex_x), float(params.apex_y), float(params.height)),
        }
        add_midpoints(points, E="PD", O="BD")
        return Problem(
            figure=solid_figure(points, PYRAMID_FACES, lines="AE CE AC", dots="E"),
            question_en=(
                "In the pyramid [P-ABCD], the base [ABCD] is a parallelogram and [E] is the midpoint of [PD]. "
                "Prove that [PB] ∥ plane [AEC]."
            ),
            question_zh="在四棱锥[P-ABCD]中，底面[ABCD]是平行四边形，[E]为[PD]的中点。求证：[PB]∥平面[AEC]。",
            constructions=(join("BD", meeting="O", outside="AC"), join("EO")),
            solution=(
                "Connect [BD], meeting [AC] at [O], and connect [EO].",
                "[ABCD] is a parallelogram, so [O] is the midpoint of [BD].",
                "[E] is the midpoint of [PD], so [EO] is a midline of triangle [PBD] and [EO] ∥ [PB].",
                "[EO] lies in plane [AEC] and [PB] does not.",
            ),
            facts=(
                fact("midpoint", "EPD"),
                fact("midpoint", "OBD"),
                fact("midpoint", "OAC"),
                fact("parallel", "EOPB"),
                fact("parallel_to_plane", "PBAEC"),
            ),
        )


FAMILY = EdgeParallelToSection()
