"""Random draws of one item, the same on every machine and in every Python version.

Only `random.Random.random` is used: the language promises its sequence for a seed, and no other method's.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, TypeVar

from generators.items import item_seed

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Draws"]

T = TypeVar("T")


class Draws:
    """Draws from a generator of its own, for a master seed, a purpose and an index."""

    def __init__(self, master_seed: int, purpose: str, index: int | str) -> None:
        self._random = random.Random(item_seed(master_seed, f"auxsolidmath:{purpose}", index)).random  # noqa: S311

    def pick(self, options: Sequence[T]) -> T:
        """Draw one of at least one option."""
        return options[int(self._random() * len(options))]

    def shuffled(self, options: Sequence[T]) -> list[T]:
        """Return the options in random order (Fisher and Yates)."""
        mixed = list(options)
        for last in range(len(mixed) - 1, 0, -1):
            other = int(self._random() * (last + 1))
            mixed[last], mixed[other] = mixed[other], mixed[last]
        return mixed
