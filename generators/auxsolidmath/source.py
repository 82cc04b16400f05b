"""Problems of a seed, made one by one on demand."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from generators.auxsolidmath.draft import Draft, make_draft
from generators.auxsolidmath.drawn import DrawnPicture
from generators.auxsolidmath.listing import EASY, HARD, ProblemRef, list_problems
from generators.auxsolidmath.plan import Choice, plan_split
from generators.auxsolidmath.records import Language, item_of
from generators.auxsolidmath.registry import family_named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generators.auxsolidmath.family import Difficulty
    from generators.items import Item, Picture

__all__ = ["AuxSolidMathSource", "auxiliary_picture", "blind_answer"]


class AuxSolidMathSource:
    """A seed's problems; any whole number is a set of its own.

    Making one is deterministic and independent of the order of requests. `language` is that of the questions.
    """

    def __init__(self, *, seed: int = 0, language: Language = "en", easy: int = EASY, hard: int = HARD) -> None:
        self.seed = seed
        self.language: Language = language
        self.cases = list_problems(easy=easy, hard=hard)
        self._cases = {ref.id: ref for ref in self.cases}
        self._counts: dict[Difficulty, int] = {"easy": easy, "hard": hard}
        self._plans: dict[Difficulty, dict[tuple[str, int], Choice]] = {}

    def __len__(self) -> int:
        return len(self.cases)

    def __iter__(self) -> Iterator[Item]:
        return (self.item(ref) for ref in self.cases)

    def case(self, item_id: str) -> ProblemRef:
        """Find a case by its id.

        Raises:
            KeyError: no case has this id.
        """
        if item_id not in self._cases:
            raise KeyError(f"no AuxSolidMath problem {item_id!r} among {len(self.cases)}")
        return self._cases[item_id]

    def item(self, ref: ProblemRef) -> Item:
        """Make one problem; its picture is drawn only when the bytes are asked for."""
        return item_of(ref.id, ref.index, self.draft(ref), self.language)

    def draft(self, ref: ProblemRef) -> Draft:
        """Return what a problem is made from."""
        plan = self._plans.get(ref.difficulty)
        if plan is None:
            plan = self._plans[ref.difficulty] = plan_split(
                self.seed, ref.difficulty, self._counts[ref.difficulty]
            )
        return make_draft(self.seed, plan[ref.family, ref.index])


def auxiliary_picture(item: Item) -> Picture:
    """Return an item's diagram with the constructions in red on the same raster.

    Raises:
        TypeError: the item was not made by this generator.
    """
    if not isinstance(item.picture, DrawnPicture):
        raise TypeError(f"expected an item of the generator, got {item.id!r} with a picture from elsewhere")
    return DrawnPicture(item_id=item.id, draft=item.picture.draft, auxiliary=True)


def blind_answer(item: Item) -> str:
    """Return the commonest answer over all parameters of the item's family: what can be said without looking.

    Of several equally frequent ones the first by its text; for a claim, the item's own, which the question states.
    """
    family = family_named(item.family)
    if family.kind == "PROVING":
        return str(item.truth["answer"])
    answers = Counter(family.answer(params).text for params in family.grid())
    return min(answers, key=lambda answer: (-answers[answer], answer))
