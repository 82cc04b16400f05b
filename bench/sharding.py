"""A stable part of the items, so that several machines share a run and their results can be merged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.results.record import natural_key

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Shard", "parse_shard"]

MOST_SHARDS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Shard:
    """The k-th of n parts, k from 1."""

    k: int
    n: int

    def __post_init__(self) -> None:
        if not 1 <= self.k <= self.n <= MOST_SHARDS:
            raise ValueError(f"a shard is k/n with 1 <= k <= n <= {MOST_SHARDS}, got {self}")

    def __str__(self) -> str:
        return f"{self.k}/{self.n}"

    def keeps(self, item_ids: Iterable[str]) -> frozenset[str]:
        """Return the items of a suite that belong to this part.

        Items in the order of their ids go round the parts, so that families, whose ids begin alike, are spread
        evenly. `item_ids` are all of the suite: an item's part depends on no --limit and on no order.
        """
        ordered = sorted(set(item_ids), key=lambda item_id: (natural_key(item_id), item_id))
        return frozenset(ordered[self.k - 1 :: self.n])


def parse_shard(text: str) -> Shard:
    """Read "k/n" such as 2/3.

    Raises:
        ValueError: another form, or k is not from 1 to n.
    """
    k, _, n = text.partition("/")
    if k.isdecimal() and n.isdecimal() and 1 <= int(k) <= int(n) <= MOST_SHARDS:
        return Shard(k=int(k), n=int(n))
    raise ValueError(f"k/n such as 2/3, with k from 1 to n and n up to {MOST_SHARDS}")
