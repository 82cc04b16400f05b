"""One item's random draws, and the difficulty plan of a family."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from generators.items import item_seed
from generators.plotchain.numeric import np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.random import Generator

    from generators.plotchain.family import Difficulty

__all__ = ["Draws", "difficulty_plan"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Draws:
    """The random stream of one item; `used` holds what its family may not draw again.

    `origin` is what the item's seed was made from (see `item_seed`); side streams are named after it.
    """

    rng: Generator
    difficulty: Difficulty
    used: set[float] = field(default_factory=set)
    origin: tuple[int | str, ...] = ()

    def pick(self, options: Sequence[T]) -> T:
        """Draw one option uniformly; the order of `options` matters (same stream as `Generator.choice`)."""
        return options[int(self.rng.choice(len(options)))]

    def pick_two(self, options: Sequence[T]) -> tuple[T, T]:
        """Draw two distinct options in one call without replacement, in drawn order."""
        first, second = self.rng.choice(len(options), size=2, replace=False)
        return options[int(first)], options[int(second)]

    def uniform(self, low: float, high: float) -> float:
        """Draw a real number from [low, high)."""
        return float(self.rng.uniform(low, high))

    def log_uniform(self, low: float, high: float) -> float:
        """Draw a positive real number from [low, high) whose logarithm is uniform."""
        return math.exp(self.uniform(math.log(low), math.log(high)))

    def sign(self) -> float:
        """Draw 1.0 or -1.0, each half the time."""
        return 1.0 if self.rng.random() < 0.5 else -1.0  # noqa: PLR2004

    def side_seed(self, name: str) -> int:
        """Return the seed of another stream of this item, one that shares nothing with this one."""
        return item_seed(*self.origin, name)


def difficulty_plan(
    master_seed: int, family: str, count: int, *, prefix: tuple[str, ...] = ()
) -> list[Difficulty]:
    """Return a family's difficulties by index: 40 % clean, 30 % moderate, the rest edge, shuffled.

    The shuffle has a stream of its own (name `difficulty_plan`, index: the family), not an item's; `prefix`
    names the edition.
    """
    clean, moderate = round(0.4 * count), round(0.3 * count)
    counts: dict[Difficulty, int] = {"clean": clean, "moderate": moderate, "edge": count - clean - moderate}
    plan = [difficulty for difficulty, share in counts.items() for _ in range(share)]
    np.random.default_rng(item_seed(*prefix, master_seed, "difficulty_plan", family)).shuffle(plan)
    return plan
