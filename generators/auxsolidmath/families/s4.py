"""A cube's diagonal at right angles to the plane through the three neighbours of its end."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from generators.auxsolidmath.exact import ExactAnswer, claim_answer
from generators.auxsolidmath.families import CUBOID_FACES, cuboid
from generators.auxsolidmath.problem import Problem, ProblemFamily, Relation, fact, join, solid_figure

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["FAMILY", "CubeDiagonal", "DiagonalPerpendicularToSection"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CubeDiagonal:
    """From which corner of the base the diagonal starts: 0 for A, 1 for B, 2 for C, 3 for D."""

    corner: int


class DiagonalPerpendicularToSection(ProblemFamily[CubeDiagonal]):
    """The diagonals of two faces at the corner show that the cube's diagonal is perpendicular to two lines."""

    difficulty = "hard"
    kind = "PROVING"
    view = "oblique"
    given_in = ("text",)

    def grid(self) -> Sequence[CubeDiagonal]:
        """Return the four corners of the base."""
        return [CubeDiagonal(corner=corner) for corner in range(4)]

    def answer(self, params: CubeDiagonal) -> ExactAnswer:
        """Return the claim."""
        return claim_answer(_from_corner("[AC1] ⊥ plane [A1BD]", params))

    def build(self, params: CubeDiagonal) -> Problem:
        """Return the cube with the diagonal and the triangle."""
        points = cuboid(2, 2, 2)

        def turned(text: str) -> str:
            return _from_corner(text, params)

        return Problem(
            figure=solid_figure(points, CUBOID_FACES, lines=turned("AC1 A1B BD A1D")),
            question_en=turned("In the cube [#], prove that [AC1] ⊥ plane [A1BD].").replace("#", _NAME),
            question_zh=turned("在正方体[#]中，求证：[AC1]⊥平面[A1BD]。").replace("#", _NAME),
            constructions=(join(turned("AC")), join(turned("AD1"))),
            solution=(
                turned("Connect [AC]. [ABCD] is a square, so [AC] ⊥ [BD]; [CC1] ⊥ plane [ABCD], so [CC1] ⊥ [BD]."),
                turned("[AC] and [CC1] meet at [C], so [BD] ⊥ plane [ACC1], and therefore [BD] ⊥ [AC1]."),
                turned(
                    "Connect [AD1]. [ADD1A1] is a square, so [AD1] ⊥ [A1D]; [C1D1] ⊥ plane [ADD1A1], so [C1D1] ⊥ "
                    "[A1D]."
                ),
                turned("[AD1] and [C1D1] meet at [D1], so [A1D] ⊥ plane [AC1D1], and therefore [A1D] ⊥ [AC1]."),
                turned("[BD] and [A1D] meet at [D] in plane [A1BD]."),
            ),
            facts=tuple(fact(relation, turned(labels)) for relation, labels in _FACTS),
        )


_NAME = "ABCD-A1B1C1D1"
_FACTS: tuple[tuple[Relation, str], ...] = (
    ("perpendicular", "ACBD"),
    ("perpendicular_to_plane", "BDACC1"),
    ("perpendicular", "AD1A1D"),
    ("perpendicular_to_plane", "A1DAC1D1"),
    ("perpendicular_to_plane", "AC1A1BD"),
)
_WORDS = re.compile(r"\[[^\]]*\]|^[A-D1 ]+$")


def _from_corner(text: str, params: CubeDiagonal) -> str:
    """Move labels on round the base by the number of the corner."""
    ring = "ABCD"
    moved = str.maketrans(ring, ring[params.corner :] + ring[: params.corner])
    return _WORDS.sub(lambda found: found[0].translate(moved), text)


FAMILY = DiagonalPerpendicularToSection()
