"""Distance between the axis of a cylinder and a line that joins its two rims."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from generators.auxsolidmath.exact import ExactAnswer, Given, Surd, lengths, number_answer, root
from generators.auxsolidmath.families import add_midpoints
from generators.auxsolidmath.problem import (
    Construction,
    Figure,
    Problem,
    ProblemFamily,
    fact,
    join,
    midpoint,
    pairs,
)
from generators.auxsolidmath.space import Frustum, Vec

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["FAMILY", "AxisAndLine", "CylinderWithLine"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CylinderWithLine:
    """Radius, height, and the chord between the line's lower end and the point below its upper one."""

    r: int
    h: int
    chord: int


class AxisAndLine(ProblemFamily[CylinderWithLine]):
    """The plane through AB and the generatrix AA' is parallel to the axis, at the distance √(r² − c²/4)."""

    difficulty = "hard"
    view = "axonometric"

    def grid(self) -> Sequence[CylinderWithLine]:
        """Return cylinders of usual shapes with a tidy distance that is no given length."""
        sizes = [
            CylinderWithLine(r=r, h=h, chord=chord)
            for r in range(2, 7)
            for h in range(3, 13)
            for chord in range(2, 2 * r, 2)
            if r <= chord and 6 * r <= 5 * h <= (9 if chord == r else 14) * r and root(h**2 + chord**2).tidy
        ]
        return [size for size in sizes if float(_distance(size)) not in {1.0, size.r, size.h, float(_line(size))}]

    def answer(self, params: CylinderWithLine) -> ExactAnswer:
        """Return √(r² − c²/4)."""
        return number_answer(_distance(params))

    def givens(self, params: CylinderWithLine) -> tuple[Given, ...]:
        """Return radius, height and the line's lengths, from which the chord follows."""
        return lengths(OB=params.r, OO1=params.h, AB=_line(params))

    def build(self, params: CylinderWithLine) -> Problem:
        """Return the cylinder with its axis, a radius and the line AB."""
        r, h, half = params.r, params.h, math.asin(params.chord / (2 * params.r))
        near, far = r * math.cos(half), r * math.sin(half)
        points: dict[str, Vec] = {
            "O": (0.0, 0.0, 0.0),
            "O1": (0.0, 0.0, float(h)),
            "A": (near, far, float(h)),
            "B": (near, -far, 0.0),
        }
        points["A'"] = (near, far, 0.0)
        add_midpoints(points, M="A'B")
        cylinder = Frustum(base=points["O"], height=h, base_radius=r, top_radius=r)
        return Problem(
            figure=Figure(points=points, bodies=(cylinder,), lines=pairs("OO1 OB AB"), dots=("O", "O1", "A", "B")),
            question_en=(
                "In the right circular cylinder with axis [OO1], [A] lies on the circle of the upper base with "
                "centre [O1] and [B] on the circle of the lower base with centre [O], and {given}. Find the "
                "distance between the axis [OO1] and line [AB]."
            ),
            question_zh=(
                "圆柱的轴为[OO1]，点[A]在以[O1]为圆心的上底面圆周上，点[B]在以[O]为圆心的下底面圆周上，{given}，"
                "求轴[OO1]与直线[AB]的距离。"
            ),
            constructions=(
                Construction(
                    operation="par",
                    en="Through [A] draw the generatrix [AA'] ∥ [OO1], meeting the lower circle at [A'].",
                    zh="过点[A]作[OO1]的平行线（母线）[AA']，交下底面圆周于点[A']。",
                    creates=("A'",),
                    lines=(("A", "A'"),),
                    facts=(fact("parallel", "AA'OO1"),),
                ),
                join("A'B"),
                midpoint("M", "A'B"),
                join("OM"),
            ),
            solution=(
                "Draw the generatrix [AA'] ∥ [OO1] and connect [A'B]. The axis is parallel to plane [AA'B], so "
                "the distance asked for is the distance of [O] from that plane.",
                f"[AA'] = [OO1] = {h}, so [A'B]² = [AB]² − [AA']² = {_line(params).squared} − {h * h} = "
                f"{params.chord**2} and [A'B] = {params.chord}.",
                "Take the midpoint [M] of [A'B] and connect [OM]. [OM] ⊥ [A'B] because [OA'] = [OB], and [OM] ⊥ "
                "[AA'], so [OM] ⊥ plane [AA'B].",
                f"[OM]² = [OB]² − [BM]² = {r * r} − {params.chord**2 // 4} = {_distance(params).squared}, so [OM] "
                f"= {_distance(params).text}.",
            ),
            facts=(
                fact("perpendicular", "OMA'B"),
                fact("perpendicular_to_plane", "OMAA'B"),
                fact("parallel_to_plane", "OO1AA'B"),
            ),
        )


def _distance(size: CylinderWithLine) -> Surd:
    return root(size.r**2 - size.chord**2 // 4)


def _line(size: CylinderWithLine) -> Surd:
    return root(size.h**2 + size.chord**2)


FAMILY = AxisAndLine()
