"""Circumscribed sphere of a tetrahedron with an edge at right angles to a face."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from generators.auxsolidmath.exact import (
    PI,
    ExactAnswer,
    Given,
    Surd,
    angle,
    is_fair,
    lengths,
    number_answer,
    root,
)
from generators.auxsolidmath.families import TETRAHEDRON_FACES
from generators.auxsolidmath.problem import Construction, Problem, ProblemFamily, fact, pairs, solid_figure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generators.auxsolidmath.space import Vec

__all__ = ["FAMILY", "RightTetrahedron", "TetrahedronCircumsphere"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RightTetrahedron:
    """AB, AC, the angle between them in degrees, and PA."""

    ab: int
    ac: int
    angle_deg: int
    pa: int


class TetrahedronCircumsphere(ProblemFamily[RightTetrahedron]):
    """The centre O stands above the circumcentre of ABC at half the height PA."""

    difficulty = "hard"
    view = "axonometric"

    def grid(self) -> Sequence[RightTetrahedron]:
        """Return AB and AC of 2 to 6, angles of 60, 90 and 120 degrees, PA of 2 to 8."""
        solids = [
            RightTetrahedron(ab=ab, ac=ac, angle_deg=angle_deg, pa=pa)
            for ab in range(2, 7)
            for ac in range(2, 7)
            for angle_deg in (60, 90, 120)
            for pa in (2, 4, 6, 8)
            if max(ab, ac, pa) <= 2 * min(ab, ac, pa)
            if angle_deg != _SHARP or max(ab, ac) != 2 * min(ab, ac)  # K would lie on an edge
        ]
        return [solid for solid in solids if is_fair(_area(solid))]

    def answer(self, params: RightTetrahedron) -> ExactAnswer:
        """Return π(BC²/sin²A + PA²)."""
        return number_answer(_area(params))

    def givens(self, params: RightTetrahedron) -> tuple[Given, ...]:
        """Return AB, AC, the angle between them and PA."""
        return (*lengths(AB=params.ab, AC=params.ac), angle("BAC", params.angle_deg), *lengths(PA=params.pa))

    def build(self, params: RightTetrahedron) -> Problem:
        """Return the tetrahedron alone."""
        ab, ac, pa = params.ab, params.ac, params.pa
        turn = math.radians(params.angle_deg)
        points: dict[str, Vec] = {
            "A": (0.0, 0.0, 0.0),
            "B": (float(ab), 0.0, 0.0),
            "C": (ac * math.cos(turn), ac * math.sin(turn), 0.0),
            "P": (0.0, 0.0, float(pa)),
        }
        across = (ac - ab * math.cos(turn)) / (2 * math.sin(turn))
        points |= {"K": (ab / 2, across, 0.0), "O": (ab / 2, across, pa / 2)}
        base_radius, radius = (
            root(_base_radius_square(params)),
            root(_base_radius_square(params) + Fraction(pa**2, 4)),
        )
        return Problem(
            figure=solid_figure(points, TETRAHEDRON_FACES),
            question_en=(
                "In the tetrahedron [P-ABC], [PA] ⊥ plane [ABC], and {given}. Find the surface area of the sphere "
                "that passes through [P], [A], [B] and [C]."
            ),
            question_zh="在三棱锥[P-ABC]中，[PA]⊥平面[ABC]，{given}，求该三棱锥外接球的表面积。",
            constructions=(
                Construction(
                    operation="perp",
                    en=(
                        "Draw the perpendicular bisectors of [AB] and [AC], meeting at the circumcentre [K]; "
                        "connect [AK]."
                    ),
                    zh="作[AB]、[AC]的垂直平分线，交于△[ABC]的外心[K]，连接[AK]。",
                    creates=("K",),
                    lines=pairs("AK"),
                    facts=(
                        fact("on_plane", "KABC"),
                        fact("equal_lengths", "KAKB"),
                        fact("equal_lengths", "KBKC"),
                    ),
                ),
                Construction(
                    operation="par",
                    en="Through [K] draw the parallel to [PA]; take [O] on it with [KO] = [PA]/2; connect [OA].",
                    zh="过点[K]作[PA]的平行线，在其上取点[O]，使[KO]=[PA]/2，连接[OA]。",
                    creates=("O",),
                    lines=pairs("KO OA"),
                    facts=(fact("parallel", "KOPA"), fact("equal_lengths", "OAOP")),
                ),
            ),
            solution=(
                "Let [K] be the circumcentre of triangle [ABC]. Through [K] draw the parallel to [PA], which is "
                "perpendicular to plane [ABC]; its points are equally far from [A], [B] and [C]. The one with "
                "[KO] = [PA]/2 is also as far from [P] as from [A]: [O] is the sphere's centre.",
                f"[BC]² = [AB]² + [AC]² − 2·[AB]·[AC]·cos {params.angle_deg}° = {_bc_square(params)}.",
                f"By the law of sines [AK] = [BC]/(2 sin {params.angle_deg}°) = {base_radius.text}.",
                f"R² = [OA]² = [AK]² + ([PA]/2)² = {base_radius.squared} + {Fraction(pa * pa, 4)} = "
                f"{radius.squared}, and the surface area is 4πR² = {_area(params).text}.",
            ),
            facts=(
                fact("perpendicular_to_plane", "PAABC"),
                fact("equal_lengths", "OAOB"),
                fact("equal_lengths", "OBOC"),
            ),
        )


def _bc_square(solid: RightTetrahedron) -> Fraction:
    double_cosine = {60: 1, 90: 0, 120: -1}[solid.angle_deg]
    return Fraction(solid.ab**2 + solid.ac**2 - solid.ab * solid.ac * double_cosine)


def _base_radius_square(solid: RightTetrahedron) -> Fraction:
    sine_square = Fraction(1) if solid.angle_deg == _RIGHT else Fraction(3, 4)
    return _bc_square(solid) / (4 * sine_square)


def _area(solid: RightTetrahedron) -> Surd:
    return PI * (4 * _base_radius_square(solid) + solid.pa**2)


_SHARP, _RIGHT = 60, 90

FAMILY = TetrahedronCircumsphere()
