"""Random draws that are the same on every machine and in every Python version.

Only `random.Random.random` is used: the language promises its sequence for a seed, and no other method's.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, TypeVar

from generators.items import item_seed

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Draws", "image_seed"]

T = TypeVar("T")


def image_seed(master_seed: int, image_class: str, image_id: str) -> int:
    """Derive a picture's own seed: `item_seed` of master seed, "geometry:" + class, and picture id.

    No picture's draws depend on another's: adding a class or a picture changes none.
    """
    return item_seed(master_seed, f"geometry:{image_class}", image_id)


class Draws:
    """Draws for one picture, from its own generator."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed).random  # noqa: S311

    def uniform(self, low: float, high: float) -> float:
        """Return a number from low (inclusive) to high."""
        return low + (high - low) * self._random()

    def shuffled(self, values: Sequence[T]) -> list[T]:
        """Return the values in random order (Fisher and Yates)."""
        mixed = list(values)
        for last in range(len(mixed) - 1, 0, -1):
            other = int(self._random() * (last + 1))
            mixed[last], mixed[other] = mixed[other], mixed[last]
        return mixed

    def ring(self, inner: float, outer: float) -> tuple[float, float]:
        """Return dx and dy uniform over the area of a ring around zero; no trigonometry, hence exact."""
        while True:
            dx, dy = self.uniform(-outer, outer), self.uniform(-outer, outer)
            if inner * inner <= dx * dx + dy * dy <= outer * outer:
                return dx, dy
