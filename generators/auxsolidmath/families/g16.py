"""Distance between two skew lines of a rectangular box."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from generators.auxsolidmath.exact import ExactAnswer, Given, Surd, is_fair, number, number_answer, root
from generators.auxsolidmath.families import CUBOID_FACES, CuboidEdges, add_midpoints, cuboid, cuboid_sizes
from generators.auxsolidmath.problem import Problem, ProblemFamily, fact, join, parallel, solid_figure

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["FAMILY", "DistanceOfSkewLines"]


class DistanceOfSkewLines(ProblemFamily[CuboidEdges]):
    """EF ∥ AC makes AC parallel to plane D1EF; the distance is that of C from it."""

    difficulty = "hard"
    view = "oblique"

    def grid(self) -> Sequence[CuboidEdges]:
        """Return boxes with edges of 1 to 6 whose distance is tidy and no given length."""
        return [edges for edges in cuboid_sizes(6) if is_fair(_distance(edges), edges.a, edges.b, edges.c)]

    def answer(self, params: CuboidEdges) -> ExactAnswer:
        """Return abc/√(4b²c² + 4a²c² + 9a²b²)."""
        return number_answer(_distance(params))

    def givens(self, params: CuboidEdges) -> tuple[Given, ...]:
        """Return the three edges."""
        return params.givens

    def build(self, params: CuboidEdges) -> Problem:
        """Return the box with both lines."""
        a, b, c = params.a, params.b, params.c
        points = cuboid(a, b, c)
        add_midpoints(points, E="AB", F="BC")
        volume = number(Fraction(a * b * c, 24))
        area = root(Fraction(_square_sum(params), 64))
        return Problem(
            figure=solid_figure(points, CUBOID_FACES, lines="D1E AC", dots="E"),
            question_en=(
                "In the rectangular box [ABCD-A1B1C1D1], [E] is the midpoint of [AB] and {given}. Find the "
                "distance between the skew lines [D1E] and [AC]."
            ),
            question_zh=("在长方体[ABCD-A1B1C1D1]中，[E]为[AB]的中点，{given}，求异面直线[D1E]与[AC]的距离。"),
            constructions=(parallel("E", "AC", meeting="F", on="BC"), join("D1F")),
            solution=(
                "Through [E] draw [EF] ∥ [AC], meeting [BC] at its midpoint [F], and connect [D1F]. [AC] ∥ plane "
                "[D1EF], so the distance d asked for is that of [C] from plane [D1EF].",
                f"Triangle [CEF] has area (1/2)·[CF]·[BE] = {number(Fraction(a * b, 8)).text}, so tetrahedron "
                f"[D1-CEF] has volume (1/3)·{number(Fraction(a * b, 8)).text}·{c} = {volume.text}.",
                f"[EF] = {root(Fraction(a * a + b * b, 4)).text}, [D1E] = "
                f"{root(Fraction(a * a, 4) + b * b + c * c).text}, [D1F] = "
                f"{root(a * a + Fraction(b * b, 4) + c * c).text}, so triangle [D1EF] has area {area.text}.",
                f"(1/3)·d·{area.text} = {volume.text} gives d = {_distance(params).text}.",
            ),
            facts=(fact("midpoint", "EAB"), fact("midpoint", "FBC"), fact("parallel_to_plane", "ACD1EF")),
        )


def _square_sum(edges: CuboidEdges) -> int:
    a, b, c = edges.a**2, edges.b**2, edges.c**2
    return 4 * b * c + 4 * a * c + 9 * a * b


def _distance(edges: CuboidEdges) -> Surd:
    return number(edges.a * edges.b * edges.c) / root(_square_sum(edges))


FAMILY = DistanceOfSkewLines()
