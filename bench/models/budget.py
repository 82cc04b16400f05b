"""What requests cost: the estimate before, the budget of `--max-cost`, and what was spent."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bench.models.images import image_tokens, picture_size
from bench.models.prices import FREE_FAILURES, cost_usd, reply_cost_usd
from bench.models.request_errors import RequestError, RequestFailed
from bench.models.types import Usage

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bench.models.limits import SharedLimits
    from bench.models.prices import Price
    from bench.models.retry import Clock
    from bench.models.types import Request, Response

__all__ = ["CostBudget", "Estimate", "Spending", "SpentOn", "estimate", "may_cost", "total"]


BYTES_PER_TOKEN = 3
TOKENS_PER_TURN = 10
UNKNOWN_PICTURE_TOKENS = 4000
UNKNOWN_OUTPUT_TOKENS = 8192


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """Upper bounds for one ask, sent once. `output_tokens` is the limit that was set, or a usual one."""

    input_tokens: int
    output_tokens: int

    def cost_usd(self, price: Price) -> float:
        """Return what the ask costs if it takes all of it, in USD."""
        usage = Usage(input_tokens=self.input_tokens, output_tokens=self.output_tokens)
        return cost_usd(usage, price) or 0.0


def estimate(request: Request, *, provider: str, name: str) -> Estimate:
    """Return how many tokens `ask` takes at most."""
    detail = request.sampling.image_detail
    text = sum(len(message.text.encode()) // BYTES_PER_TOKEN + TOKENS_PER_TURN for message in request.messages)
    pictures = (picture for message in request.messages for picture in message.pictures)
    seen = sum(_picture_tokens(picture, provider, name, detail) for picture in pictures)
    most = request.sampling.max_tokens
    return Estimate(input_tokens=text + seen, output_tokens=UNKNOWN_OUTPUT_TOKENS if most is None else most)


def _picture_tokens(picture: bytes, provider: str, name: str, detail: str | None) -> int:
    size = picture_size(picture)
    tokens = None if size is None else image_tokens(provider, name, *size, detail=detail).tokens
    return UNKNOWN_PICTURE_TOKENS if tokens is None else tokens


POLL_S = 0.2


class CostBudget:
    """Pays for the asks of one model out of a budget that all processes of a run share."""

    def __init__(
        self, limits: SharedLimits, *, price: Price, most_usd: float, provider: str, name: str, clock: Clock
    ) -> None:
        self._limits = limits
        self._price = price
        self._most_usd = most_usd
        self._provider = provider
        self._name = name
        self._clock = clock

    async def reserve(self, request: Request) -> float:
        """Set aside what `ask` can cost at most, waiting for others to settle; return it, in USD.

        Raises:
            RequestFailed: The budget does not allow it any more.
        """
        usd = estimate(request, provider=self._provider, name=self._name).cost_usd(self._price)
        while not (reservation := self._limits.reserve(usd, most_usd=self._most_usd)).granted:
            if not reservation.later:
                message = (
                    f"--max-cost {self._most_usd:g} would be exceeded: {reservation.spent_usd:.4f} USD are spent "
                    f"and the next ask may cost {usd:.4f}"
                )
                raise RequestFailed(RequestError(kind="quota", message=message))
            await self._clock.sleep(POLL_S)
        return usd

    def settle(self, held_usd: float, reply: Response | None, *, may_cost: bool) -> None:
        """Book what the reply cost; what `may_cost` and nobody knows how much is booked as set aside."""
        self._limits.settle(held_usd, spent_usd=self._spent_usd(held_usd, reply) if may_cost else 0.0)

    def _spent_usd(self, held_usd: float, reply: Response | None) -> float:
        known = None if reply is None else reply_cost_usd(reply, self._price)
        return held_usd if known is None else known


def may_cost(fault: RequestError) -> bool:
    """Whether a request that ended so may have been charged for: one that was seen, and not turned away."""
    return fault.reached and fault.kind not in FREE_FAILURES


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

    def book(self, label: str, reply: Response, price: Price | None) -> None:
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
