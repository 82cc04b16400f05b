"""Which parameters each item of a split has, so that no answer is too frequent.

A split goes round its families; the n-th problem of the round is the same however many are asked for. Each takes
the first unused set of parameters, in an order drawn by seed, whose answer has not been given too often before it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from generators.auxsolidmath.draws import Draws
from generators.auxsolidmath.registry import FAMILIES, family_named

if TYPE_CHECKING:
    from generators.auxsolidmath.family import Difficulty

__all__ = ["Choice", "allowed_repeats", "plan_split"]

_ITEMS_A_REPEAT = 25


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One item's parameters, and its answer in the family's letters."""

    family: str
    index: int
    params: object
    answer: str


def allowed_repeats(items: int) -> int:
    """Return how often an answer may occur among the first `items` of a split: at most 5 % of 100 or more."""
    return 1 + items // _ITEMS_A_REPEAT


def plan_split(seed: int, difficulty: Difficulty, count: int) -> dict[tuple[str, int], Choice]:
    """Choose the parameters of a split's first `count` items, by family and index.

    A claim to be proved is no answer that could be guessed, and is not counted. When every unused answer has been
    given too often, the least frequent one is taken.
    """
    families = FAMILIES[difficulty]
    decks = {name: _Deck(name, seed) for name in families}
    given: Counter[str] = Counter()
    plan = {}
    for place in range(count):
        name, index = families[place % len(families)], place // len(families)
        choice = decks[name].take(index, given, allowed_repeats(place + 1))
        given[choice.answer] += family_named(name).kind == "CALCULATION"
        plan[name, index] = choice
    return plan


class _Deck:
    """A family's parameters in the order of a seed, different answers first; begun again when used up."""

    def __init__(self, family: str, seed: int) -> None:
        self._family = family
        mixed = Draws(seed, "grid", family).shuffled(_answered_grid(family))
        seen: Counter[str] = Counter()
        rounds = []
        for params, answer in mixed:
            rounds.append((seen[answer], params, answer))
            seen[answer] += 1
        self._cards = [(params, answer) for _, params, answer in sorted(rounds, key=lambda card: card[0])]
        self._left = list(self._cards)

    def take(self, index: int, given: Counter[str], allowed: int) -> Choice:
        if not self._left:
            self._left = list(self._cards)
        admissible = (card for card in self._left if given[card[1]] < allowed)
        card = next(admissible, None) or min(self._left, key=lambda card: given[card[1]])
        self._left.remove(card)
        return Choice(family=self._family, index=index, params=card[0], answer=card[1])


@cache
def _answered_grid(family: str) -> list[tuple[object, str]]:
    chosen = family_named(family)
    return [(params, chosen.answer(params).text) for params in chosen.grid()]
