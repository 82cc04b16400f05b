"""Ratio in which a plane parallel to a base diagonal cuts a pyramid."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from generators.auxsolidmath.exact import ExactAnswer, Given, lengths, ratio_answer
from generators.auxsolidmath.families import PYRAMID_FACES, add_midpoints
from generators.auxsolidmath.problem import Construction, Problem, ProblemFamily, fact, join, pairs, solid_figure
from generators.auxsolidmath.space import Vec, add, point_between, scaled

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["FAMILY", "CutPyramid", "VolumeRatio"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CutPyramid:
    """PM and MC, without a common factor; the pyramid is drawn with PC = PM + MC."""

    pm: int
    mc: int


class VolumeRatio(ProblemFamily[CutPyramid]):
    """G = PO ∩ AM gives PG : PO = 2t/(1 + t) with t = PM : PC; both halves of the solid scale alike."""

    difficulty = "hard"
    view = "oblique"

    def grid(self) -> Sequence[CutPyramid]:
        """Return coprime parts of 1 to 7; M is not too near to either end."""
        return [
            CutPyramid(pm=pm, mc=mc)
            for pm in range(1, 8)
            for mc in range(1, 8)
            if math.gcd(pm, mc) == 1 and pm < 3 * mc and mc <= 4 * pm
        ]

    def answer(self, params: CutPyramid) -> ExactAnswer:
        """Return 2t²/(1 + t), as a ratio."""
        return ratio_answer(_ratio(params))

    def givens(self, params: CutPyramid) -> tuple[Given, ...]:
        """Return the two parts of PC."""
        return lengths(PM=params.pm, MC=params.mc)

    def build(self, params: CutPyramid) -> Problem:
        """Return the pyramid with the section's sides."""
        whole = float(params.pm + params.mc)
        points: dict[str, Vec] = {
            "A": (0.0, 0.0, 0.0),
            "B": (1.1 * whole, 0.0, 0.0),
            "C": (1.2 * whole, 0.9 * whole, 0.0),
            "D": (0.1 * whole, 0.9 * whole, 0.0),
        }
        points["P"] = add(points["C"], scaled(_TO_APEX, whole))
        t = Fraction(params.pm, params.pm + params.mc)
        share = 2 * t / (1 + t)
        points["M"] = point_between(points["P"], points["C"], float(t))
        points["E"] = point_between(points["P"], points["B"], float(share))
        points["F"] = point_between(points["P"], points["D"], float(share))
        add_midpoints(points, O="AC")
        points["G"] = point_between(points["P"], points["O"], float(share))
        return Problem(
            figure=solid_figure(points, PYRAMID_FACES, lines="AM AE EM MF AF", dots="M E F"),
            question_en=(
                "In the pyramid [P-ABCD], the base [ABCD] is a parallelogram, [M] lies on [PC], and {given}. The "
                "plane through [AM] parallel to [BD] meets [PB] at [E] and [PD] at [F]. Find the ratio of the "
                "volumes of [P-AEMF] and [P-ABCD]."
            ),
            question_zh=(
                "在四棱锥[P-ABCD]中，底面[ABCD]是平行四边形，点[M]在[PC]上，{given}，"
                "过[AM]且平行于[BD]的平面与[PB]、[PD]分别交于点[E]、[F]，"
                "求四棱锥[P-AEMF]与四棱锥[P-ABCD]的体积之比。"
            ),
            constructions=(
                join("AC BD", meeting="O"),
                join("PO", meeting="G", outside="AM"),
                Construction(
                    operation="par",
                    en="Through [G] draw the parallel to [BD]; it meets [PB] at [E] and [PD] at [F].",
                    zh="过点[G]作[BD]的平行线，它与[PB]、[PD]分别交于点[E]、[F]。",
                    lines=pairs("EF"),
                    facts=(fact("parallel", "EFBD"), fact("on_line", "GEF")),
                ),
            ),
            solution=(
                "Connect [AC] and [BD], meeting at [O]; connect [PO], meeting [AM] at [G]. [BD] is parallel to "
                "the plane, so the plane cuts plane [PBD] in the parallel [EF] to [BD] through [G].",
                f"Let t = [PM]/[PC] = {t}. In triangle [PAC] the median [PO] and [AM] meet at [G] with [PG]/[PO] "
                f"= 2t/(1 + t) = {share}; hence [PE]/[PB] = [PF]/[PD] = {share}.",
                f"V([P-AEM]) : V([P-ABC]) = ([PE]/[PB])·([PM]/[PC]) = {share}·{t} = {_ratio(params)}, and the "
                "same holds for V([P-AMF]) : V([P-ACD]).",
                "Triangles [ABC] and [ACD] have equal areas, so the ratio of the volumes is 2t²/(1 + t) = "
                f"{ratio_answer(_ratio(params)).text}.",
            ),
            facts=(
                fact("midpoint", "OAC"),
                fact("on_line", "EPB"),
                fact("on_line", "FPD"),
                fact("on_plane", "FAEM"),
            ),
        )


_TO_APEX = (-3 / 7, -2 / 7, 6 / 7)


def _ratio(params: CutPyramid) -> Fraction:
    t = Fraction(params.pm, params.pm + params.mc)
    return 2 * t * t / (1 + t)


FAMILY = VolumeRatio()
