"""`--max-cost`: money is set aside before an ask is sent, and booked when its reply is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.models.estimate import estimate
from bench.models.faults import Fault, Trouble
from bench.models.prices import FREE_FAILURES, reply_cost_usd

if TYPE_CHECKING:
    from bench.models.prices import Price
    from bench.models.protocol import Ask, Reply
    from bench.models.retry import Pacing
    from bench.models.shared_limits import SharedLimits

__all__ = ["Purse", "may_cost"]

POLL_S = 0.2


class Purse:
    """Pays for the asks of one model out of a budget that all processes of a run share."""

    def __init__(
        self, limits: SharedLimits, *, price: Price, most_usd: float, provider: str, name: str, pacing: Pacing
    ) -> None:
        self._limits = limits
        self._price = price
        self._most_usd = most_usd
        self._provider = provider
        self._name = name
        self._pacing = pacing

    async def reserve(self, ask: Ask) -> float:
        """Set aside what `ask` can cost at most, waiting for others to settle; return it, in USD.

        Raises:
            Trouble: The budget does not allow it any more.
        """
        usd = estimate(ask, provider=self._provider, name=self._name).cost_usd(self._price)
        while not (reservation := self._limits.reserve(usd, most_usd=self._most_usd)).granted:
            if not reservation.later:
                message = (
                    f"--max-cost {self._most_usd:g} would be exceeded: {reservation.spent_usd:.4f} USD are spent "
                    f"and the next ask may cost {usd:.4f}"
                )
                raise Trouble(Fault(kind="quota", message=message))
            await self._pacing.sleep(POLL_S)
        return usd

    def settle(self, held_usd: float, reply: Reply | None, *, may_cost: bool) -> None:
        """Book what the reply cost; what `may_cost` and nobody knows how much is booked as set aside."""
        self._limits.settle(held_usd, spent_usd=self._spent_usd(held_usd, reply) if may_cost else 0.0)

    def _spent_usd(self, held_usd: float, reply: Reply | None) -> float:
        known = None if reply is None else reply_cost_usd(reply, self._price)
        return held_usd if known is None else known


def may_cost(fault: Fault) -> bool:
    """Whether a request that ended so may have been charged for: one that was seen, and not turned away."""
    return fault.reached and fault.kind not in FREE_FAILURES
