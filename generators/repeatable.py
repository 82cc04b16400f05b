"""Random draws that are the same on every machine and in every Python version.

Only `random.Random.random` is used: the language promises its sequence for a seed, and no other method's.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["RepeatableDraws"]

T = TypeVar("T")


class RepeatableDraws:
    """Draws from a generator of its own, made from a seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed).random  # noqa: S311

    def uniform(self, low: float, high: float) -> float:
        """Return a number from low (inclusive) to high."""
        return low + (high - low) * self._random()

    def pick(self, options: Sequence[T]) -> T:
        """Return one of at least one option."""
        return options[int(self._random() * len(options))]

    def shuffled(self, values: Sequence[T]) -> list[T]:
        """Return the values in random order (Fisher and Yates)."""
        mixed = list(values)
        for last in range(len(mixed) - 1, 0, -1):
            other = int(self._random() * (last + 1))
            mixed[last], mixed[other] = mixed[other], mixed[last]
        return mixed
