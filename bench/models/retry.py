"""When to retry and how many requests may be under way: pauses grow, the wish of the server comes first."""

from __future__ import annotations

import asyncio
import random
import time
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, wait_random_exponential

from bench.models.request_errors import RequestError, RequestFailed

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from bench.models.limits import ClientLimits
    from bench.models.types import Response

__all__ = ["Backpressure", "Clock", "RetryPolicy", "Throttle"]

FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 30.0
PAUSES = wait_random_exponential(multiplier=FIRST_PAUSE_S, min=FIRST_PAUSE_S / 2, max=LONGEST_PAUSE_S)

# Found by trial against fixed windows and token buckets, with and without Retry-After, 1 to 64 clients.
FIRST_RATE_PAUSE_S = 0.5
PAUSE_IN_DELAYS = 0.5
"""A refused request is sent again after half the delay that asks lately had: two to three requests a reply."""
LEAD_IN_DELAYS = 0.15
"""Who has just got through lets others go first; this also keeps clients from moving in step."""
ELAPSED_SHARE = 0.35
"""Of the time one ask has waited already. More would let whoever waits longest leave a server idle."""
NEWEST_SHARE = 0.3
FORGOTTEN_S = 0.05
CROWD = 2
"""Refusals of one ask that tell of others in the way; a single one is met by whoever is alone, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """The clock, the sleep and the dice; tests put their own in."""

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    dice: random.Random = field(default_factory=random.Random)


@dataclass(slots=True)
class Backpressure:
    """How long "too many requests" lately kept asks of one model waiting, in seconds; 0 when it did not.

    Shared by all asks of a process. Each process learns the same from the same server, so that all of them
    together keep it just busy, without a word to each other.
    """

    delay_s: float = 0.0

    def learn(self, delay_s: float) -> None:
        """Take in what one more ask met."""
        self.delay_s += NEWEST_SHARE * (delay_s - self.delay_s)
        if self.delay_s < FORGOTTEN_S:
            self.delay_s = 0.0


class RetryPolicy:
    """The retries of one ask. Counts what was spent, so that it can be bounded and reported."""

    def __init__(self, client_limits: ClientLimits, clock: Clock, backpressure: Backpressure) -> None:
        self._client_limits = client_limits
        self._clock = clock
        self._backpressure = backpressure
        self._deadline = clock.now() + client_limits.total_s
        self._failures = 0
        self._throttled = 0

    @property
    def remaining_s(self) -> float:
        """Seconds left of the bound on total time."""
        return max(0.0, self._deadline - self._clock.now())

    @property
    def elapsed_s(self) -> float:
        """Seconds spent, without those in our own queues."""
        return self._client_limits.total_s - (self._deadline - self._clock.now())

    def excuse(self, seconds: float) -> None:
        """Leave time spent in our own queues out of the bound."""
        self._deadline += seconds

    async def run(self, attempt: Callable[[], Awaitable[Response]]) -> Response:
        """Call `attempt` until it answers or asking again cannot help.

        Raises:
            RequestFailed: The fault of the last attempt.
        """
        retrying = AsyncRetrying(
            sleep=self._clock.sleep,
            stop=self._stop,
            wait=self._wait,
            retry=retry_if_exception(lambda error: isinstance(error, RequestFailed) and error.fault.retryable),
            reraise=True,
        )
        await self._let_others_first()
        try:
            return await retrying(attempt)
        finally:
            self._backpressure.learn(self.elapsed_s if self._throttled >= CROWD else 0.0)

    async def _let_others_first(self) -> None:
        lead_s = min(LONGEST_PAUSE_S, LEAD_IN_DELAYS * self._backpressure.delay_s) * self._about_one()
        if lead_s > 0:
            await self._clock.sleep(lead_s)
            self.excuse(lead_s)

    def _stop(self, state: RetryCallState) -> bool:
        if _fault(state).kind == "rate":
            self._throttled += 1
        else:
            self._failures += 1
        spent = self._failures > self._client_limits.retries or self._throttled > self._client_limits.rate_retries
        return spent or state.upcoming_sleep >= self.remaining_s

    def _wait(self, state: RetryCallState) -> float:
        fault = _fault(state)
        if fault.kind == "rate":
            return self._rate_pause_s(fault.wait_s)
        if fault.wait_s is not None:
            return self._at_least(fault.wait_s)
        return PAUSES(state)

    def _rate_pause_s(self, wished_s: float | None) -> float:
        delay_s = max(self._backpressure.delay_s, ELAPSED_SHARE * self.elapsed_s)
        least_s = FIRST_RATE_PAUSE_S if wished_s is None else 0.0
        pause_s = min(LONGEST_PAUSE_S, max(least_s, PAUSE_IN_DELAYS * delay_s) * self._about_one())
        return pause_s if wished_s is None else max(pause_s, self._at_least(wished_s))

    def _at_least(self, wished_s: float) -> float:
        """The pause that the server asked for, and a little more, so that not all come back at once."""
        return wished_s + self._clock.dice.uniform(0.0, min(1.0, 0.02 + wished_s / 10))

    def _about_one(self) -> float:
        return self._clock.dice.uniform(0.75, 1.25)


def _fault(state: RetryCallState) -> RequestError:
    error = state.outcome.exception() if state.outcome else None
    if not isinstance(error, RequestFailed):
        raise TypeError(f"only a RequestFailed is retried, got {error!r}") from error
    return error.fault


class Throttle:
    """How many requests may be under way: half as many after a 429, one more for each full round of answers.

    Additive increase, multiplicative decrease, as in TCP. `slot_s` is the queue of `--rpm`, of all processes.
    """

    def __init__(self, *, concurrency: int, clock: Clock, slot_s: Callable[[], float] | None = None) -> None:
        self._most = concurrency
        self._width = float(concurrency)
        self._clock = clock
        self._slot_s = slot_s
        self._inside = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._last_cut = float("-inf")

    @property
    def width(self) -> int:
        """How many requests may be under way now."""
        return max(1, int(self._width))

    async def enter(self) -> float:
        """Wait for the queue of `--rpm` and a place; return when the place was had, on the clock."""
        if self._slot_s is not None:
            wait_s = self._slot_s()
            if wait_s > 0:
                await self._clock.sleep(wait_s)
        if self._inside >= self.width or self._waiting:
            await self._queue()
        else:
            self._inside += 1
        return self._clock.now()

    def leave(self) -> None:
        """Give the place to the next in line."""
        self._inside -= 1
        self._admit()

    def throttled(self, entered: float) -> None:
        """Halve the width, once for all requests that were under way together."""
        if entered >= self._last_cut:
            self._width = max(1.0, self._width / 2)
            self._last_cut = self._clock.now()

    def answered(self) -> None:
        """Widen a little."""
        self._width = min(float(self._most), self._width + 1 / self._width)
        self._admit()

    async def _queue(self) -> None:
        place = asyncio.get_running_loop().create_future()
        self._waiting.append(place)
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                self.leave()
            elif place in self._waiting:
                self._waiting.remove(place)
            raise

    def _admit(self) -> None:
        while self._waiting and self._inside < self.width:
            place = self._waiting.popleft()
            if not place.done():
                self._inside += 1
                place.set_result(None)
