"""Everything that an item's problem and its pictures depend on, chosen by seed."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from generators.auxsolidmath.diagram import Diagram, make_diagram
from generators.auxsolidmath.draws import Draws
from generators.auxsolidmath.naming import Naming, draw_naming
from generators.auxsolidmath.registry import family_named
from generators.auxsolidmath.view_choice import choose_view

if TYPE_CHECKING:
    from generators.auxsolidmath.family import GivenIn, Problem
    from generators.auxsolidmath.plan import Choice
    from generators.auxsolidmath.projection import View
    from generators.items import JsonValue

__all__ = ["Draft", "make_draft"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A family's parameters, where sizes are given, the letters and the view."""

    family: str
    params: object
    given_in: GivenIn
    naming: Naming
    view: View

    def problem(self) -> Problem:
        """Return the problem in the family's own letters."""
        return family_named(self.family).build(self.params)

    def diagram(self) -> Diagram:
        """Return both drawings, laid out."""
        givens = family_named(self.family).givens(self.params)
        marked = givens if self.given_in == "figure" else ()
        return make_diagram(self.problem(), self.view, self.naming, marked)

    def json(self) -> dict[str, JsonValue]:
        """Return what the pictures are drawn from, for records and cache keys."""
        return {
            "given_in": self.given_in,
            "labels": dict(self.naming.letters),
            "solid": asdict(self.params),  # type: ignore[call-overload]
            "view": {
                **asdict(self.view.preset),
                "turn_deg": self.view.turn_deg,
                "mirrored": self.view.mirrored,
            },
        }


def make_draft(seed: int, choice: Choice) -> Draft:
    """Draw letters, view and the place of the sizes for a family's item."""
    family = family_named(choice.family)
    draws = Draws(seed, choice.family, choice.index)
    problem = family.build(choice.params)
    first = Draws(seed, "given_in", choice.family).pick((0, 1))
    given_in = family.given_in[(choice.index + first) % len(family.given_in)]
    naming = draw_naming(problem.figure.points, draws)
    marked = family.givens(choice.params) if given_in == "figure" else ()

    def faults(view: View) -> int:
        return make_diagram(problem, view, naming, marked).faults

    return Draft(
        family=choice.family,
        params=choice.params,
        given_in=given_in,
        naming=naming,
        view=choose_view(problem, family.view, draws, faults),
    )
