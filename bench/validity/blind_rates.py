"""What passes without the picture: constants, and numbers that stand in the question."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.models.fit_blind import best_constant, passing

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from generators.items import Item
    from scorers.tolerances import Policy

__all__ = ["Bounds", "asked_fields", "bounds_of", "constant_for", "own_numbers", "rate"]

_NUMBER = re.compile(r"(?<![\w.])[-−]?\d+(?:\.\d+)?(?![\w.]*\d)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """The smallest and the largest answer that pass, inclusive; `truth` is the answer itself."""

    truth: float
    low: float
    high: float

    def hold(self, answer: float) -> bool:
        """Whether an answer passes."""
        return self.low <= answer <= self.high


def asked_fields(item: Item) -> tuple[str, ...]:
    """Return the item's fields, finals first."""
    return (*item.final_fields, *item.checkpoint_fields)


def bounds_of(item: Item, field: str, policy: Policy) -> Bounds:
    """Return what passes for a field of a plot.

    Raises:
        TypeError: its truth is no number.
    """
    low, high = passing(item, field, policy=policy)
    return Bounds(truth=float(str(item.truth[field])), low=low, high=high)


def constant_for(bounds: Iterable[Bounds]) -> float:
    """Return the constant that passes most often."""
    return best_constant([(one.low, one.high) for one in bounds])


def rate(passed: Iterable[bool]) -> float:
    """Return the share that passed, 0 of nothing."""
    verdicts = list(passed)
    return sum(verdicts) / len(verdicts) if verdicts else 0.0


def own_numbers(questions: Mapping[str, str]) -> dict[str, Sequence[float]]:
    """Return for each item the numbers in its question that not all questions of the family hold."""
    found = {item_id: set(_NUMBER.findall(question)) for item_id, question in questions.items()}
    common = set.intersection(*found.values()) if found else set()
    return {
        item_id: sorted(float(number.replace("−", "-")) for number in numbers - common)
        for item_id, numbers in found.items()
    }
