"""Distance between the axis of a cylinder and a line that joins its two rims."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from generators.auxsolidmath.answer import Answer, number_answer
from generators.auxsolidmath.bodies import Frustum
from generators.auxsolidmath.constructions import Construction, join, midpoint
from generators.auxsolidmath.facts import fact
from generators.auxsolidmath.family import Family, Problem
from generators.auxsolidmath.figure import Figure, pairs
from generators.auxsolidmath.givens import Given, length
from generators.auxsolidmath.space import point_between
from generators.auxsolidmath.surd import Surd, number, root

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generators.auxsolidmath.space import Vec

__all__ = ["FAMILY", "AxisAndLine", "Cylinder"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cylinder:
    """Radius, height, and the chord between the line's lower end and the point below its upper one."""

    r: int
    h: int
    chord: int


class AxisAndLine(Family[Cylinder]):
    """The plane through AB and the generatrix AA' is parallel to the axis, at the distance √(r² − c²/4)."""

    name = "G22"
    difficulty = "hard"
    view = "axonometric"

    def grid(self) -> Sequence[Cylinder]:
        """Return cylinders of usual shapes with a tidy distance that is no given length."""
        sizes = [
            Cylinder(r=r, h=h, chord=chord)
            for r in range(2, 7)
            for h in range(3, 13)
            for chord in range(2, 2 * r, 2)
            if r <= chord and 6 * r <= 5 * h <= (9 if chord == r else 14) * r and root(h**2 + chord**2).tidy
        ]
        return [size for size in sizes if float(_distance(size)) not in {1.0, size.r, size.h, float(_line(size))}]

    def answer(self, params: Cylinder) -> Answer:
        """Return √(r² − c²/4)."""
        return number_answer(_distance(params))

    def givens(self, params: Cylinder) -> tuple[Given, ...]:
        """Return radius, height and the line's length, from which the chord follows."""
        return (
            length("O", "B", number(params.r)),
            length("O", "O1", number(params.h)),
            length("A", "B", _line(params)),
        )

    def build(self, params: Cylinder) -> Problem:
        """Return the cylinder with its axis, a radius and the line AB."""
        r, h, half = params.r, params.h, math.asin(params.chord / (2 * params.r))
        near, far = r * math.cos(half), r * math.sin(half)
        points: dict[str, Vec] = {
            "O": (0.0, 0.0, 0.0),
            "O1": (0.0, 0.0, float(h)),
            "A": (near, far, float(h)),
            "B": (near, -far, 0.0),
        }
        shown = tuple(points)
        points["A'"] = (near, far, 0.0)
        points["M"] = point_between(points["A'"], points["B"])
        cylinder = Frustum(base=points["O"], height=h, base_radius=r, top_radius=r)
        return Problem(
            figure=Figure(
                points=points,
                shown=shown,
                bodies=(cylinder,),
                lines=pairs("OO1 OB AB"),
                dots=("O", "O1", "A", "B"),
            ),
            question_en=(
                "In the right circular cylinder with axis [OO1], [A] lies on the circle of the upper base with "
                "centre [O1] and [B] on the circle of the lower base with centre [O], and {given}. "
                "Find the distance between the axis [OO1] and line [AB]."
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
                "Take the midpoint [M] of [A'B] and connect [OM]. [OM] ⊥ [A'B] because [OA'] = [OB], and "
                "[OM] ⊥ [AA'], so [OM] ⊥ plane [AA'B].",
                f"[OM]² = [OB]² − [BM]² = {r * r} − {params.chord**2 // 4} = {_distance(params).squared}, so "
                f"[OM] = {_distance(params).text}.",
            ),
            facts=(
                fact("perpendicular", "OMA'B"),
                fact("perpendicular_to_plane", "OMAA'B"),
                fact("parallel_to_plane", "OO1AA'B"),
            ),
        )


def _distance(size: Cylinder) -> Surd:
    return root(size.r**2 - size.chord**2 // 4)


def _line(size: Cylinder) -> Surd:
    return root(size.h**2 + size.chord**2)


FAMILY = AxisAndLine()
