"""A line parallel to a plane, in a triangular prism whose lateral edges stand on the base."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from generators.auxsolidmath.exact import ExactAnswer, claim_answer
from generators.auxsolidmath.families import PRISM_FACES, add_midpoints
from generators.auxsolidmath.problem import Problem, ProblemFamily, fact, join, solid_figure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generators.auxsolidmath.space import Vec

__all__ = ["FAMILY", "LineParallelToSection", "Prism"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prism:
    """Base ABC with A = (0, 0), B = (base, 0), C = (apex, depth); lateral edges of `height`."""

    base: int
    apex: int
    depth: int
    height: int


class LineParallelToSection(ProblemFamily[Prism]):
    """A1C and AC1 halve each other at O; OD is a midline of triangle A1BC, hence parallel to A1B."""

    difficulty = "easy"
    kind = "PROVING"
    view = "axonometric"
    given_in = ("text",)

    def grid(self) -> Sequence[Prism]:
        """Return prisms of several bases and heights; only the drawing depends on them."""
        return [
            Prism(base=base, apex=apex, depth=depth, height=height)
            for base in (4, 5)
            for apex in (1, 2, 3)
            for depth in (3, 4)
            for height in (4, 5)
        ]

    def answer(self, params: Prism) -> ExactAnswer:  # noqa: ARG002 - the claim holds whatever the sizes
        """Return the claim."""
        return claim_answer("[A1B] ∥ plane [AC1D]")

    def build(self, params: Prism) -> Problem:
        """Return the prism with the section's sides and A1B."""
        bottom = {"A": (0.0, 0.0), "B": (params.base, 0.0), "C": (params.apex, params.depth)}
        points: dict[str, Vec] = {label: (x, y, 0.0) for label, (x, y) in bottom.items()}
        points |= {f"{label}1": (x, y, float(params.height)) for label, (x, y) in bottom.items()}
        add_midpoints(points, D="BC", O="A1C")
        return Problem(
            figure=solid_figure(points, PRISM_FACES, lines="A1B AC1 AD C1D", dots="D"),
            question_en=(
                "In the right triangular prism [ABC-A1B1C1], [D] is the midpoint of [BC]. Prove that [A1B] ∥ "
                "plane [AC1D]."
            ),
            question_zh="在直三棱柱[ABC-A1B1C1]中，[D]是[BC]的中点。求证：[A1B]∥平面[AC1D]。",
            constructions=(join("A1C", meeting="O", outside="AC1"), join("OD")),
            solution=(
                "Connect [A1C], meeting [AC1] at [O], and connect [OD].",
                "[ACC1A1] is a parallelogram, so its diagonals halve each other: [O] is the midpoint of [A1C].",
                "[D] is the midpoint of [BC], so [OD] is a midline of triangle [A1BC] and [OD] ∥ [A1B].",
                "[OD] lies in plane [AC1D] and [A1B] does not.",
            ),
            facts=(
                fact("midpoint", "DBC"),
                fact("midpoint", "OA1C"),
                fact("midpoint", "OAC1"),
                fact("parallel", "ODA1B"),
                fact("on_plane", "OAC1D"),
                fact("parallel_to_plane", "A1BAC1D"),
            ),
        )


FAMILY = LineParallelToSection()
