"""Area of a cube's section."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from generators.auxsolidmath.exact import ExactAnswer, Given, Surd, is_fair, lengths, number, number_answer, root
from generators.auxsolidmath.families import CUBOID_FACES, add_midpoints, cuboid
from generators.auxsolidmath.problem import (
    Problem,
    ProblemFamily,
    extend,
    fact,
    join,
    parallel,
    section,
    solid_figure,
)
from generators.auxsolidmath.space import point_between

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["FAMILY", "CubeSection", "SectionArea"]

Cut = Literal["pentagon", "hexagon", "trapezoid"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CubeSection:
    """The cube's edge, and which points the plane goes through."""

    edge: int
    cut: Cut


class SectionArea(ProblemFamily[CubeSection]):
    """The section's corners on the edges are constructed first; area over projection or from the sides follows."""

    difficulty = "hard"
    view = "oblique"

    def grid(self) -> Sequence[CubeSection]:
        """Return edges of 2 to 12 with each of three cuts."""
        sections = [CubeSection(edge=edge, cut=cut) for edge in range(2, 13) for cut in _AREAS]
        return [section for section in sections if is_fair(_area(section), section.edge)]

    def answer(self, params: CubeSection) -> ExactAnswer:
        """Return 7√17a²/24, 3√3a²/4 or 9a²/8."""
        return number_answer(_area(params))

    def givens(self, params: CubeSection) -> tuple[Given, ...]:
        """Return the edge."""
        return lengths(AB=params.edge)

    def build(self, params: CubeSection) -> Problem:
        """Return the cube with the points that the plane goes through."""
        return {"pentagon": _pentagon, "hexagon": _hexagon, "trapezoid": _trapezoid}[params.cut](params.edge)


_AREAS: Mapping[Cut, Surd] = {
    "pentagon": root(17) * Fraction(7, 24),
    "hexagon": root(3) * Fraction(3, 4),
    "trapezoid": number(Fraction(9, 8)),
}
"""Areas of the sections of a cube with edge 1."""


def _area(section: CubeSection) -> Surd:
    return _AREAS[section.cut] * section.edge**2


def _pentagon(edge: int) -> Problem:
    points = cuboid(edge, edge, edge)
    add_midpoints(points, E="AB", F="BC")
    points |= {
        "G": point_between(points["D"], points["A"], 1.5),
        "H": point_between(points["D"], points["C"], 1.5),
        "M": point_between(points["A"], points["A1"], 1 / 3),
        "N": point_between(points["C"], points["C1"], 1 / 3),
    }
    projection = number(Fraction(7 * edge * edge, 8))
    return Problem(
        figure=solid_figure(points, CUBOID_FACES, lines="EF", dots="E F"),
        question_en=(
            "In the cube [ABCD-A1B1C1D1], {given}, and [E], [F] are the midpoints of [AB] and [BC]. Find the area "
            "of the section of the cube by the plane through [D1], [E] and [F]."
        ),
        question_zh=(
            "在正方体[ABCD-A1B1C1D1]中，{given}，[E]、[F]分别为[AB]、[BC]的中点，"
            "过[D1]、[E]、[F]三点的平面截该正方体，求截面的面积。"
        ),
        constructions=(
            extend("FE", until="DA", meeting="G"),
            extend("EF", until="DC", meeting="H"),
            join("D1G", meeting="M", outside="AA1"),
            join("D1H", meeting="N", outside="CC1"),
            section("D1MEFN", "ME FN"),
        ),
        solution=(
            "Extend [FE] to meet the extension of [DA] at [G] and [EF] to meet the extension of [DC] at [H]. "
            "[D1G] meets [AA1] at [M], [D1H] meets [CC1] at [N]: the section is the pentagon [D1MEFN].",
            f"Its projection on the base is the pentagon [DAEFC], of area {edge}² − (1/2)·({edge}/2)² = "
            f"{projection.text}.",
            f"The distance from [D] to line [GH] is (3/4)·[BD] = {(root(2) * Fraction(3 * edge, 4)).text}, and "
            f"[DD1] = {edge}, so the angle φ between section and base has tan φ = 2√2/3 and cos φ = 3√17/17.",
            f"The section's area is {projection.text} divided by cos φ: "
            f"{(root(17) * Fraction(7 * edge**2, 24)).text}.",
        ),
        facts=(
            fact("midpoint", "EAB"),
            fact("midpoint", "FBC"),
            fact("on_plane", "MD1EF"),
            fact("on_plane", "ND1EF"),
        ),
    )


def _hexagon(edge: int) -> Problem:
    points = cuboid(edge, edge, edge)
    middles = {"E": "AB", "F": "BC", "G": "CC1", "K": "C1D1", "M": "D1A1", "N": "A1A"}
    add_midpoints(points, **middles)
    side = root(Fraction(edge * edge, 2))
    return Problem(
        figure=solid_figure(points, CUBOID_FACES, lines="EF FG", dots="E F G"),
        question_en=(
            "In the cube [ABCD-A1B1C1D1], {given}, and [E], [F], [G] are the midpoints of [AB], [BC] and [CC1]. "
            "Find the area of the section of the cube by the plane [EFG]."
        ),
        question_zh=(
            "在正方体[ABCD-A1B1C1D1]中，{given}，[E]、[F]、[G]分别为[AB]、[BC]、[CC1]的中点，平面[EFG]截该正方体，"
            "求截面的面积。"
        ),
        constructions=(
            parallel("G", "CD1", meeting="K", on="C1D1"),
            parallel("K", "A1C1", meeting="M", on="A1D1"),
            parallel("M", "AD1", meeting="N", on="AA1"),
            section("EFGKMN", "NE"),
        ),
        solution=(
            "Opposite faces are cut in parallel lines. Draw [GK] ∥ [CD1], [KM] ∥ [A1C1] and [MN] ∥ [AD1]; [K], "
            "[M], [N] are the midpoints of [C1D1], [A1D1] and [AA1]. The section is the hexagon [EFGKMN].",
            f"Each of its sides joins the midpoints of two edges with a common corner and equals {side.text}; "
            "opposite sides are parallel and all angles are 120°, so the hexagon is regular.",
            f"Its area is six equilateral triangles: 6·(√3/4)·({side.text})² = "
            f"{(root(3) * Fraction(3 * edge**2, 4)).text}.",
        ),
        facts=tuple(fact("midpoint", label + line) for label, line in middles.items())
        + tuple(fact("equal_lengths", "EF" + side_) for side_ in ("FG", "GK", "KM", "MN", "NE")),
    )


def _trapezoid(edge: int) -> Problem:
    points = cuboid(edge, edge, edge)
    add_midpoints(points, M="C1D1", N="A1D1")
    long, short = root(2) * edge, root(2) * Fraction(edge, 2)
    leg, height = root(Fraction(5 * edge * edge, 4)), root(Fraction(9 * edge * edge, 8))
    return Problem(
        figure=solid_figure(points, CUBOID_FACES, lines="AC", dots="M"),
        question_en=(
            "In the cube [ABCD-A1B1C1D1], {given}, and [M] is the midpoint of [C1D1]. Find the area of the "
            "section of the cube by the plane through [A], [C] and [M]."
        ),
        question_zh=(
            "在正方体[ABCD-A1B1C1D1]中，{given}，[M]为[C1D1]的中点，过[A]、[C]、[M]三点的平面截该正方体，"
            "求截面的面积。"
        ),
        constructions=(parallel("M", "AC", meeting="N", on="A1D1"), section("ACMN", "CM NA")),
        solution=(
            "Top and bottom are cut in parallel lines: through [M] draw [MN] ∥ [AC], meeting [A1D1] at its "
            "midpoint [N]. The section is the trapezoid [ACMN].",
            f"[AC] = {long.text}, [MN] = {short.text}, [AN] = [CM] = √({edge}² + ({edge}/2)²) = {leg.text}.",
            f"The trapezoid is isosceles, so its height is √([CM]² − (([AC] − [MN])/2)²) = {height.text}.",
            f"Its area is (1/2)·([AC] + [MN])·{height.text} = {number(Fraction(9 * edge**2, 8)).text}.",
        ),
        facts=(fact("midpoint", "MC1D1"), fact("midpoint", "NA1D1"), fact("equal_lengths", "ANCM")),
    )


FAMILY = SectionArea()
