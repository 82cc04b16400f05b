"""Distance from a box's corner to the plane through its three neighbours."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from generators.auxsolidmath.exact import ExactAnswer, Given, Surd, is_fair, number, number_answer, root
from generators.auxsolidmath.families import CUBOID_FACES, CuboidEdges, cuboid, cuboid_sizes
from generators.auxsolidmath.problem import Problem, ProblemFamily, perpendicular_to_plane, solid_figure
from generators.auxsolidmath.space import foot_on_plane

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["FAMILY", "DistanceToSection"]


class DistanceToSection(ProblemFamily[CuboidEdges]):
    """The volume of tetrahedron A-A1BD, written with two bases, gives the height AH."""

    difficulty = "easy"
    view = "oblique"

    def grid(self) -> Sequence[CuboidEdges]:
        """Return boxes with edges of 1 to 6 whose distance is tidy and no given length."""
        return [
            edges for edges in cuboid_sizes(6, longest=2.5) if is_fair(_distance(edges), edges.a, edges.b, edges.c)
        ]

    def answer(self, params: CuboidEdges) -> ExactAnswer:
        """Return abc/√(a²b² + b²c² + c²a²)."""
        return number_answer(_distance(params))

    def givens(self, params: CuboidEdges) -> tuple[Given, ...]:
        """Return the three edges."""
        return params.givens

    def build(self, params: CuboidEdges) -> Problem:
        """Return the box with the sides of triangle A1BD."""
        a, b, c = params.a, params.b, params.c
        points = cuboid(a, b, c)
        points["H"] = foot_on_plane(points["A"], points["A1"], points["B"], points["D"])
        area = root(_square_sum(params)) / 2
        return Problem(
            figure=solid_figure(points, CUBOID_FACES, lines="A1B BD A1D"),
            question_en=(
                "In the rectangular box [ABCD-A1B1C1D1], {given}. Find the distance from point [A] to plane "
                "[A1BD]."
            ),
            question_zh="在长方体[ABCD-A1B1C1D1]中，{given}，求点[A]到平面[A1BD]的距离。",
            constructions=(perpendicular_to_plane("A", "A1BD", foot="H", towards="B"),),
            solution=(
                "Draw [AH] ⊥ plane [A1BD] with foot [H]; [AH] is the distance asked for, and the height of "
                "tetrahedron [A-A1BD] over the base [A1BD].",
                f"With base [ABD] and height [AA1] its volume is (1/3)·({a}·{b}/2)·{c} = "
                f"{number(Fraction(a * b * c, 6)).text}.",
                f"[A1B] = {root(a * a + c * c).text}, [BD] = {root(a * a + b * b).text}, [A1D] = "
                f"{root(b * b + c * c).text}, so the area of triangle [A1BD] is {area.text}.",
                f"(1/3)·{area.text}·[AH] = {number(Fraction(a * b * c, 6)).text} gives [AH] = "
                f"{_distance(params).text}.",
            ),
        )


def _square_sum(edges: CuboidEdges) -> int:
    a, b, c = edges.a**2, edges.b**2, edges.c**2
    return a * b + b * c + c * a


def _distance(edges: CuboidEdges) -> Surd:
    return number(edges.a * edges.b * edges.c) / root(_square_sum(edges))


FAMILY = DistanceToSection()
