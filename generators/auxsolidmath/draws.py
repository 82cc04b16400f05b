"""Random draws for one purpose: an item, a family's order of parameters."""

from __future__ import annotations

from generators.items import item_seed
from generators.repeatable import RepeatableDraws

__all__ = ["Draws"]


class Draws(RepeatableDraws):
    """Draws from a generator of its own, for a master seed, a purpose and an index."""

    def __init__(self, master_seed: int, purpose: str, index: int | str) -> None:
        super().__init__(item_seed(master_seed, f"auxsolidmath:{purpose}", index))
