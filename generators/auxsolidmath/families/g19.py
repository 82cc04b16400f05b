"""Volume of a circular frustum that holds a sphere touching both bases and the lateral surface."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from generators.auxsolidmath.exact import PI, ExactAnswer, Given, Surd, lengths, number_answer, root
from generators.auxsolidmath.problem import Figure, Problem, ProblemFamily, fact, pairs, perpendicular, section
from generators.auxsolidmath.space import Frustum, Sphere, Vec

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["FAMILY", "FrustumRoundSphere", "Radii"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Radii:
    """Radii of the upper and of the lower base."""

    upper: int
    lower: int


class FrustumRoundSphere(ProblemFamily[Radii]):
    """The slant height is R + r, by equal tangents, so the height is 2√(rR) and V = (2π/3)√(rR)(R² + Rr + r²)."""

    difficulty = "hard"
    view = "axonometric"

    def grid(self) -> Sequence[Radii]:
        """Return radii up to 12 whose product is a square, or twice or three times one."""
        pairs_of_radii = [
            Radii(upper=r, lower=big)
            for r in range(1, 9)
            for big in range(r + 1, 13)
            if 7 * r <= 6 * big <= 18 * r
        ]
        return [radii for radii in pairs_of_radii if root(radii.upper * radii.lower).radicand in {1, 2, 3}]

    def answer(self, params: Radii) -> ExactAnswer:
        """Return (2π/3)√(rR)(R² + Rr + r²)."""
        return number_answer(PI * _height(params) * Fraction(_squares(params), 3))

    def givens(self, params: Radii) -> tuple[Given, ...]:
        """Return both radii."""
        return lengths(OB=params.lower, O1C=params.upper)

    def build(self, params: Radii) -> Problem:
        """Return frustum and sphere with a radius of each base, both on one side of the axis."""
        r, big, h = params.upper, params.lower, float(_height(params))
        points: dict[str, Vec] = {
            "O": (0.0, 0.0, 0.0),
            "O1": (0.0, 0.0, h),
            "B": (float(big), 0.0, 0.0),
            "C": (float(r), 0.0, h),
        }
        points |= {"A": (-float(big), 0.0, 0.0), "D": (-float(r), 0.0, h), "H": (float(r), 0.0, 0.0)}
        frustum = Frustum(base=points["O"], height=h, base_radius=big, top_radius=r)
        sphere = Sphere(centre=(0.0, 0.0, h / 2), radius=h / 2, equator=False)
        return Problem(
            figure=Figure(points=points, bodies=(frustum, sphere), lines=pairs("OB O1C"), dots=("O", "O1")),
            question_en=(
                "A sphere inside a circular frustum touches both bases and the lateral surface. [O] and [O1] are "
                "the centres of the lower and the upper base, radii [OB] and [O1C] lie in one axial plane on the "
                "same side of the axis, and {given}. Find the volume of the frustum."
            ),
            question_zh=(
                "一个球内切于圆台（与两底面及侧面都相切），[O]、[O1]分别为下、上底面的圆心，"
                "半径[OB]与[O1C]在同一轴截面内且位于轴的同侧，{given}，求该圆台的体积。"
            ),
            constructions=(
                section("ABCD", "AO AD DO1 BC", creates="AD"),
                perpendicular("C", "OB", foot="H"),
            ),
            solution=(
                "Construct the axial section [ABCD]; it cuts the sphere in a circle touching [AB], [BC] and [CD]. "
                f"Tangents from one point are equal, so [BC] = [OB] + [O1C] = {big} + {r} = {big + r}.",
                f"Draw [CH] ⊥ [OB] with foot [H]: [HB] = {big} − {r} = {big - r}.",
                f"In right triangle [CHB], [CH]² = [BC]² − [HB]² = {(big + r) ** 2} − {(big - r) ** 2} = "
                f"{4 * big * r}, so the height of the frustum is {_height(params).text}.",
                f"V = (π/3)·{_height(params).text}·({big}² + {big}·{r} + {r}²) = "
                f"(π/3)·{_height(params).text}·{_squares(params)} = {self.answer(params).text}.",
            ),
            facts=(fact("parallel", "CHOO1"), fact("perpendicular", "OO1OB")),
        )


def _height(radii: Radii) -> Surd:
    return root(4 * radii.upper * radii.lower)


def _squares(radii: Radii) -> int:
    return radii.lower**2 + radii.lower * radii.upper + radii.upper**2


FAMILY = FrustumRoundSphere()
