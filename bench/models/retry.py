"""When to ask again: attempts and total time are bounded, pauses grow, the server's own wish comes first."""

from __future__ import annotations

import asyncio
import random
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception

from bench.models.faults import Fault, Trouble

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from bench.models.protocol import Reply
    from bench.models.traffic import Traffic

__all__ = ["Pacing", "Persistence"]

FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 30.0
GROWTH = 2.0
RATE_GROWTH = 1.4
"""Slower than for failures: whoever waits longest leaves a throttled server idle."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pacing:
    """The clock, the sleep and the dice; tests put their own in."""

    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    dice: random.Random = field(default_factory=random.Random)


class Persistence:
    """The retries of one ask. Counts what was spent, so that it can be bounded and reported."""

    def __init__(self, traffic: Traffic, pacing: Pacing) -> None:
        self._traffic = traffic
        self._pacing = pacing
        self._deadline = pacing.clock() + traffic.total_s
        self._failures = 0
        self._throttled = 0

    @property
    def remaining_s(self) -> float:
        """Seconds left of the bound on total time."""
        return max(0.0, self._deadline - self._pacing.clock())

    def excuse(self, seconds: float) -> None:
        """Leave time spent in our own queues out of the bound."""
        self._deadline += seconds

    async def run(self, attempt: Callable[[], Awaitable[Reply]]) -> Reply:
        """Call `attempt` until it answers or asking again cannot help.

        Raises:
            Trouble: The fault of the last attempt.
        """
        retrying = AsyncRetrying(
            sleep=self._pacing.sleep,
            stop=self._stop,
            wait=self._wait,
            retry=retry_if_exception(lambda error: isinstance(error, Trouble) and error.fault.retryable),
            reraise=True,
        )
        return await retrying(attempt)

    def _stop(self, state: RetryCallState) -> bool:
        if _fault(state).kind == "rate":
            self._throttled += 1
        else:
            self._failures += 1
        spent = self._failures > self._traffic.retries or self._throttled > self._traffic.rate_retries
        return spent or state.upcoming_sleep >= self.remaining_s

    def _wait(self, state: RetryCallState) -> float:
        wished = _fault(state).wait_s
        if wished is not None:
            return wished + self._pacing.dice.uniform(0.0, min(1.0, 0.02 + wished / 10))
        growth = RATE_GROWTH if _fault(state).kind == "rate" else GROWTH
        pause = min(LONGEST_PAUSE_S, FIRST_PAUSE_S * growth ** min(state.attempt_number - 1, 10))
        return pause * self._pacing.dice.uniform(0.5, 1.0)


def _fault(state: RetryCallState) -> Fault:
    error = state.outcome.exception() if state.outcome else None
    if not isinstance(error, Trouble):
        raise TypeError(f"only a Trouble is asked about again, got {error!r}") from error
    return error.fault
