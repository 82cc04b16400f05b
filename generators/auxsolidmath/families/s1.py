"""Radius of the sphere inscribed in a cone."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from generators.auxsolidmath.exact import ExactAnswer, Given, Surd, lengths, number_answer, root
from generators.auxsolidmath.problem import Figure, Problem, ProblemFamily, fact, pairs, perpendicular, section
from generators.auxsolidmath.space import Frustum, Sphere, Vec, foot_on_line

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["FAMILY", "ConeRoundSphere", "SphereInCone"]

_MOST = 30
_TRIPLES = ((3, 4), (5, 12), (12, 5), (8, 15), (15, 8), (7, 24), (20, 21), (21, 20))


@dataclass(frozen=True, slots=True, kw_only=True)
class ConeRoundSphere:
    """Radius and squared height; the slant height is a whole number."""

    r: int
    h_squared: int


class SphereInCone(ProblemFamily[ConeRoundSphere]):
    """O₁T : OA = PO₁ : PA in the similar triangles PTO₁ and POA gives ρ = rh/(r + √(r² + h²))."""

    difficulty = "hard"
    view = "axonometric"

    def grid(self) -> Sequence[ConeRoundSphere]:
        """Return cones with whole sides up to 30, and those whose axial section is equilateral."""
        whole = [
            ConeRoundSphere(r=r * factor, h_squared=(h * factor) ** 2)
            for r, h in _TRIPLES
            for factor in range(1, 8)
            if 0.7 * r <= h <= 2.6 * r and max(r, h) * factor <= _MOST
        ]
        cones = [*whole, *(ConeRoundSphere(r=r, h_squared=3 * r * r) for r in range(1, 13))]
        return [cone for cone in cones if float(_radius(cone)) not in {1.0, cone.r, math.sqrt(cone.h_squared)}]

    def answer(self, params: ConeRoundSphere) -> ExactAnswer:
        """Return rh/(r + √(r² + h²))."""
        return number_answer(_radius(params))

    def givens(self, params: ConeRoundSphere) -> tuple[Given, ...]:
        """Return radius and height."""
        return lengths(OA=params.r, PO=root(params.h_squared))

    def build(self, params: ConeRoundSphere) -> Problem:
        """Return the cone with its sphere, axis, a radius and the generatrix above it."""
        r, h, ball = float(params.r), math.sqrt(params.h_squared), float(_radius(params))
        points: dict[str, Vec] = {
            "P": (0.0, 0.0, h),
            "O": (0.0, 0.0, 0.0),
            "A": (r, 0.0, 0.0),
            "O1": (0.0, 0.0, ball),
        }
        points["B"] = (-r, 0.0, 0.0)
        points["T"] = foot_on_line(points["O1"], points["P"], points["A"])
        cone = Frustum(base=points["O"], height=h, base_radius=r, top_radius=0.0)
        sphere = Sphere(centre=points["O1"], radius=ball, equator=False)
        slant, height = _slant(params), root(params.h_squared)
        return Problem(
            figure=Figure(points=points, bodies=(cone, sphere), lines=pairs("PO OA PA"), dots=("O", "O1")),
            question_en=(
                "A sphere with centre [O1] touches the base and the lateral surface of a cone from inside. The "
                "cone has apex [P], base centre [O] and a radius [OA] of the base, and {given}. Find the radius "
                "of the sphere."
            ),
            question_zh=(
                "以[O1]为球心的球内切于圆锥（与底面及侧面都相切），圆锥的顶点为[P]，底面圆心为[O]，"
                "[OA]为底面半径，{given}，求该球的半径。"
            ),
            constructions=(section("PAB", "OB PB", creates="B"), perpendicular("O1", "PA", foot="T")),
            solution=(
                "Construct the axial section [PAB]; it cuts the sphere in a great circle that touches [PA]. Draw "
                "[O1T] ⊥ [PA] with foot [T]: [O1T] = [O1O] = ρ, the radius.",
                f"[PA]² = [PO]² + [OA]² = {params.h_squared} + {params.r**2} = {slant**2}, so [PA] = {slant}.",
                f"Right triangles [PTO1] and [POA] share an angle, so [O1T]/[OA] = [PO1]/[PA]: ρ/{params.r} = "
                f"({height.text} − ρ)/{slant}.",
                f"ρ·({slant} + {params.r}) = {params.r}·{height.text}, so ρ = {_radius(params).text}.",
            ),
            facts=(fact("equal_lengths", "O1TO1O"), fact("perpendicular", "POOA")),
        )


def _slant(cone: ConeRoundSphere) -> int:
    return math.isqrt(cone.r**2 + cone.h_squared)


def _radius(cone: ConeRoundSphere) -> Surd:
    return root(cone.h_squared) * cone.r / (cone.r + _slant(cone))


FAMILY = SphereInCone()
