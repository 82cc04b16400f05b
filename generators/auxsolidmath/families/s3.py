"""Volume of the tetrahedron on a diameter of each base of a cylinder."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from generators.auxsolidmath.exact import ExactAnswer, Given, Surd, lengths, number_answer, root
from generators.auxsolidmath.problem import Figure, Problem, ProblemFamily, fact, join, midpoint, pairs
from generators.auxsolidmath.space import Frustum, Vec

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["FAMILY", "CylinderWithDiameters", "TetrahedronInCylinder"]

_SQUARED_SINE = {60: Fraction(3, 4), 90: Fraction(1)}


@dataclass(frozen=True, slots=True, kw_only=True)
class CylinderWithDiameters:
    """Radius, height, and the angle between the two diameters in degrees."""

    r: int
    h: int
    angle_deg: int


class TetrahedronInCylinder(ProblemFamily[CylinderWithDiameters]):
    """CD has its middle O₁ in plane O₁AB and makes an angle θ with AB: V = ⅓·(rh)·(2r sin θ)."""

    difficulty = "easy"
    view = "axonometric"
    given_in = ("text",)

    def grid(self) -> Sequence[CylinderWithDiameters]:
        """Return cylinders of usual shapes with a volume that is no given size."""
        sizes = [
            CylinderWithDiameters(r=r, h=h, angle_deg=degrees)
            for r in range(1, 6)
            for h in range(2, 10)
            for degrees in _SQUARED_SINE
            if 1.2 * r <= h <= 3 * r
        ]
        return [size for size in sizes if float(_volume(size)) not in {1.0, 2.0 * size.r, size.h}]

    def answer(self, params: CylinderWithDiameters) -> ExactAnswer:
        """Return (2/3)·r²·h·sin θ."""
        return number_answer(_volume(params))

    def givens(self, params: CylinderWithDiameters) -> tuple[Given, ...]:
        """Return a diameter and a generatrix."""
        return lengths(AB=2 * params.r, BE=params.h)

    def build(self, params: CylinderWithDiameters) -> Problem:
        """Return the cylinder with a diameter of each base, the four lines between their ends and a generatrix."""
        r, h, turn = params.r, params.h, math.radians(params.angle_deg)
        across, ahead = r * math.cos(turn), r * math.sin(turn)
        points: dict[str, Vec] = {
            "A": (-float(r), 0.0, 0.0),
            "B": (float(r), 0.0, 0.0),
            "C": (across, ahead, float(h)),
            "D": (-across, -ahead, float(h)),
            "E": (float(r), 0.0, float(h)),
        }
        points["O1"] = (0.0, 0.0, float(h))
        cylinder = Frustum(base=(0.0, 0.0, 0.0), height=h, base_radius=r, top_radius=r)
        upright = params.angle_deg == 90  # noqa: PLR2004 - right angles have a sign of their own
        relation_en = "[AB] ⊥ [CD]" if upright else f"lines [AB] and [CD] make an angle of {params.angle_deg}°"
        relation_zh = "[AB]⊥[CD]" if upright else f"直线[AB]与[CD]所成的角为{params.angle_deg}°"
        sine = root(_SQUARED_SINE[params.angle_deg])
        return Problem(
            figure=Figure(points=points, bodies=(cylinder,), lines=pairs("AB CD AC AD BC BD BE")),
            question_en=(
                "In a right circular cylinder, [AB] is a diameter of the lower base, [CD] a diameter of the upper "
                f"base and [BE] a generatrix; {relation_en} and {{given}}. Find the volume of tetrahedron [A-BCD]."
            ),
            question_zh=(
                f"在圆柱中，[AB]是下底面的直径，[CD]是上底面的直径，[BE]是母线，{relation_zh}，{{given}}，"
                "求三棱锥[A-BCD]的体积。"
            ),
            constructions=(midpoint("O1", "CD"), join("O1A O1B")),
            solution=(
                "Take the midpoint [O1] of [CD], the centre of the upper base, and connect [O1A] and [O1B]. Plane "
                "[O1AB] contains the axis and cuts the tetrahedron into [C-O1AB] and [D-O1AB].",
                f"The area of triangle [O1AB] is [AB]·[BE]/2 = {2 * r}·{h}/2 = {r * h}.",
                f"[C] and [D] each have the distance [O1C]·sin {params.angle_deg}° = {r}·{sine.text} = "
                f"{(sine * r).text} from plane [O1AB].",
                f"V = 2·(1/3)·{r * h}·{(sine * r).text} = {_volume(params).text}.",
            ),
            facts=(fact("equal_lengths", "ABCD"), fact("perpendicular_to_plane", "BECDE")),
        )


def _volume(size: CylinderWithDiameters) -> Surd:
    return root(_SQUARED_SINE[size.angle_deg]) * Fraction(2 * size.r**2 * size.h, 3)


FAMILY = TetrahedronInCylinder()
