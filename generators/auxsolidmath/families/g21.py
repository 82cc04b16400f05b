"""Shortest way once round a cone, from a point of the base circle back to it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from generators.auxsolidmath.exact import ExactAnswer, Given, Surd, lengths, number_answer, root
from generators.auxsolidmath.problem import Construction, Figure, Problem, ProblemFamily, fact, pairs
from generators.auxsolidmath.space import Frustum, Polyline, Vec

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["FAMILY", "UnrolledCone", "WayRoundCone"]

_SQUARED_SINE = {3: Fraction(3, 4), 4: Fraction(1, 2)}
"""sin²(π/k). With k = 6 the way is as long as the slant height, a given; with k <= 2 it leads over the apex."""

_CHORDS = 96
_OUTSIDE = 1.002  # chords of the path would else run below the surface, and count as hidden


@dataclass(frozen=True, slots=True, kw_only=True)
class UnrolledCone:
    """Radius, and how many radii the slant height has."""

    r: int
    k: int


class WayRoundCone(ProblemFamily[UnrolledCone]):
    """Unrolled, the surface is a sector of angle 2π/k and radius kr; the way is its chord 2kr·sin(π/k)."""

    difficulty = "hard"
    view = "axonometric"

    def grid(self) -> Sequence[UnrolledCone]:
        """Return radii of 1 to 12 and slant heights of three or four radii."""
        return [UnrolledCone(r=r, k=k) for r in range(1, 13) for k in _SQUARED_SINE]

    def answer(self, params: UnrolledCone) -> ExactAnswer:
        """Return 2kr·sin(π/k)."""
        return number_answer(_way(params))

    def givens(self, params: UnrolledCone) -> tuple[Given, ...]:
        """Return radius and slant height."""
        return lengths(OA=params.r, PA=params.k * params.r)

    def build(self, params: UnrolledCone) -> Problem:
        """Return the cone with a radius and the generatrix above it."""
        r, slant = params.r, params.k * params.r
        points: dict[str, Vec] = {
            "P": (0.0, 0.0, math.sqrt(slant**2 - r**2)),
            "O": (0.0, 0.0, 0.0),
            "A": (float(r), 0.0, 0.0),
        }
        cone = Frustum(base=points["O"], height=points["P"][2], base_radius=r, top_radius=0.0)
        sector = 360 // params.k
        return Problem(
            figure=Figure(points=points, bodies=(cone,), lines=pairs("PO OA PA"), dots=("O",)),
            question_en=(
                "A cone has apex [P] and base centre [O]; [A] is a point of the base circle, and {given}. An ant "
                "starts at [A], crawls once round the lateral surface and returns to [A]. Find the length of its "
                "shortest way."
            ),
            question_zh=(
                "圆锥的顶点为[P]，底面圆心为[O]，[A]为底面圆周上一点，{given}。一只蚂蚁从点[A]出发，"
                "沿圆锥侧面绕行一周后回到点[A]，求蚂蚁爬行的最短路程。"
            ),
            constructions=(
                Construction(
                    operation="join",
                    en=(
                        "Unroll the lateral surface along [PA] into the sector [PAA'] and connect [AA']; rolled "
                        "up again, [AA'] is the way round the cone."
                    ),
                    zh="将圆锥侧面沿[PA]展开成扇形[PAA']，连接[AA']，即为所求最短路径。",
                    curves=(_way_on_cone(params, points["P"][2]),),
                ),
            ),
            solution=(
                f"Unroll the lateral surface along [PA] into the sector [PAA'] of radius [PA] = {slant}. Its arc "
                f"is as long as the base circle, 2π·{r}, so its angle is ∠[APA'] = 2π·{r}/{slant} = {sector}°.",
                "The sector lies in a plane, so the shortest way from [A] to [A'] is the segment [AA']; it runs "
                f"inside the sector since {sector}° < 180°.",
                f"[AA'] = 2·[PA]·sin({sector}°/2) = 2·{slant}·{root(_SQUARED_SINE[params.k]).text} = "
                f"{_way(params).text}.",
            ),
            facts=(fact("perpendicular", "POOA"),),
        )


def _way(cone: UnrolledCone) -> Surd:
    return root(_SQUARED_SINE[cone.k]) * (2 * cone.k * cone.r)


def _way_on_cone(cone: UnrolledCone, height: float) -> Polyline:
    """Return the chord of the sector rolled up: at angle α of the sector it is l·cos(π/k)/cos(α − π/k) from P."""
    half = math.pi / cone.k
    places: list[Vec] = []
    for step in range(_CHORDS + 1):
        alpha = 2 * half * step / _CHORDS
        share = math.cos(half) / math.cos(alpha - half)  # of the generatrix, from the apex down
        round_axis = alpha * cone.k
        reach = share * cone.r * _OUTSIDE
        places.append((reach * math.cos(round_axis), reach * math.sin(round_axis), height * (1 - share)))
    return Polyline(points=tuple(places))


FAMILY = WayRoundCone()
