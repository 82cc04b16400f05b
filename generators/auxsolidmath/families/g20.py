"""Area of the section of a cone through its apex and a chord of the base."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from generators.auxsolidmath.exact import ExactAnswer, Given, Surd, angle, lengths, number_answer, root
from generators.auxsolidmath.families import add_midpoints
from generators.auxsolidmath.problem import Figure, Problem, ProblemFamily, fact, join, midpoint, pairs
from generators.auxsolidmath.space import Frustum, Vec

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["FAMILY", "Chord", "SectionThroughApex"]

_SQUARED_SINE_OF_HALF = {60: Fraction(1, 4), 90: Fraction(1, 2), 120: Fraction(3, 4)}

_NARROW = 60  # the mark needs room between the arms and the median of a wide cone


@dataclass(frozen=True, slots=True, kw_only=True)
class Chord:
    """Radius and height of the cone, and the angle AOB in degrees."""

    r: int
    h: int
    angle_deg: int


class SectionThroughApex(ProblemFamily[Chord]):
    """Half the chord is r·sin(θ/2) and PM² = h² + r²cos²(θ/2); their product is the triangle's area."""

    difficulty = "easy"
    view = "axonometric"

    def grid(self) -> Sequence[Chord]:
        """Return cones of usual shapes with a tidy area that is no given size."""
        chords = [
            Chord(r=r, h=h, angle_deg=degrees)
            for r in range(2, 7)
            for h in range(2, 10)
            for degrees in _SQUARED_SINE_OF_HALF
            if 4 * r <= 5 * h <= (8 if degrees == _NARROW else 11) * r
        ]
        return [chord for chord in chords if _area(chord).tidy and float(_area(chord)) not in {chord.r, chord.h}]

    def answer(self, params: Chord) -> ExactAnswer:
        """Return r·sin(θ/2)·√(h² + r²cos²(θ/2))."""
        return number_answer(_area(params))

    def givens(self, params: Chord) -> tuple[Given, ...]:
        """Return radius, height and the angle of the two radii."""
        return (*lengths(OA=params.r, PO=params.h), angle("AOB", params.angle_deg))

    def build(self, params: Chord) -> Problem:
        """Return the cone with axis, two radii and the section through the apex."""
        r, h, half = params.r, params.h, math.radians(params.angle_deg) / 2
        points: dict[str, Vec] = {
            "P": (0.0, 0.0, float(h)),
            "O": (0.0, 0.0, 0.0),
            "A": (r * math.cos(half), -r * math.sin(half), 0.0),
            "B": (r * math.cos(half), r * math.sin(half), 0.0),
        }
        add_midpoints(points, M="AB")
        cone = Frustum(base=points["O"], height=h, base_radius=r, top_radius=0.0)
        half_chord, to_chord, slant = _half_chord(params), _to_chord(params), _slant(params)
        return Problem(
            figure=Figure(points=points, bodies=(cone,), lines=pairs("PO OA OB AB PA PB"), dots=("O",)),
            question_en=(
                "In the cone with apex [P] and base centre [O], [AB] is a chord of the base, and {given}. Find "
                "the area of triangle [PAB]."
            ),
            question_zh="圆锥的顶点为[P]，底面圆心为[O]，[AB]是底面圆的一条弦，{given}，求△[PAB]的面积。",
            constructions=(midpoint("M", "AB"), join("OM PM")),
            solution=(
                "Take the midpoint [M] of [AB] and connect [OM] and [PM]. Since [OA] = [OB] and [PA] = [PB], [OM] "
                "⊥ [AB] and [PM] ⊥ [AB].",
                f"In triangle [AOM], ∠[AOM] = {params.angle_deg // 2}°, so [AM] = {half_chord.text} and [OM] = "
                f"{to_chord.text}.",
                f"In right triangle [POM], [PM]² = [PO]² + [OM]² = {h}² + {to_chord.squared} = {slant.squared}, "
                f"so [PM] = {slant.text}.",
                f"The area is [AM]·[PM] = {half_chord.text}·{slant.text} = {_area(params).text}.",
            ),
            facts=(
                fact("perpendicular", "OMAB"),
                fact("perpendicular", "PMAB"),
                fact("perpendicular_to_plane", "POAOB"),
                fact("equal_lengths", "PAPB"),
            ),
        )


def _half_chord(chord: Chord) -> Surd:
    return root(chord.r**2 * _SQUARED_SINE_OF_HALF[chord.angle_deg])


def _to_chord(chord: Chord) -> Surd:
    return root(chord.r**2 * (1 - _SQUARED_SINE_OF_HALF[chord.angle_deg]))


def _slant(chord: Chord) -> Surd:
    return root(chord.h**2 + _to_chord(chord).squared)


def _area(chord: Chord) -> Surd:
    return _half_chord(chord) * _slant(chord)


FAMILY = SectionThroughApex()
