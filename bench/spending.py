"""What this process asked for and what it cost: also replies that no test came to use."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bench.models.prices import reply_cost_usd

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bench.models.prices import Price
    from bench.models.protocol import Reply

__all__ = ["Spending", "SpentOn", "total"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SpentOn:
    """Asks that were sent to one model; `unpriced` of them cost nobody knows how much."""

    asks: int = 0
    cost_usd: float = 0.0
    unpriced: int = 0

    def plus(self, asks: int, cost_usd: float, unpriced: int) -> SpentOn:
        """Return the sum."""
        return SpentOn(asks=self.asks + asks, cost_usd=self.cost_usd + cost_usd, unpriced=self.unpriced + unpriced)

    @property
    def known_usd(self) -> float | None:
        """The cost, or None where part of it is unknown."""
        return None if self.unpriced else self.cost_usd


class Spending:
    """Counts asks by model label, in whichever thread they end."""

    def __init__(self) -> None:
        self._by_model: dict[str, SpentOn] = {}
        self._lock = threading.Lock()

    def book(self, label: str, reply: Reply, price: Price | None) -> None:
        """Count one ask."""
        cost = reply_cost_usd(reply, price)
        with self._lock:
            before = self._by_model.get(label, SpentOn())
            self._by_model[label] = before.plus(1, cost or 0.0, cost is None)

    def snapshot(self) -> dict[str, dict[str, Any]]:
        """Return plain dicts, fit to travel to the controller."""
        with self._lock:
            return {
                label: {"asks": spent.asks, "cost_usd": spent.cost_usd, "unpriced": spent.unpriced}
                for label, spent in self._by_model.items()
            }


def total(snapshots: Iterable[Mapping[str, Mapping[str, Any]]]) -> dict[str, SpentOn]:
    """Add up the latest snapshots of all processes, by model label."""
    sums: dict[str, SpentOn] = {}
    for snapshot in snapshots:
        for label, spent in snapshot.items():
            sums[label] = sums.get(label, SpentOn()).plus(spent["asks"], spent["cost_usd"], spent["unpriced"])
    return sums
