"""How many requests may be under way: fewer after "too many requests", slowly more after answers.

Additive increase, multiplicative decrease, as in TCP. Together with `--rpm`, whose queue all processes share.

Requests leave evenly. Sent together they are answered together, and each of the next ones then waits for all to be
read: eight that a server kept for 200 ms left 30 ms late so, and evenly 6 ms.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from bench.models.retry import Pacing

__all__ = ["Throttle"]

EVENNESS = 0.95
"""How much of the time that answers take is shared out between the requests under way, where all take the same."""
UNEVENNESS = 4.0
"""How much less it is the more they differ, as a multiple of (mean - least) / mean: then requests come apart by
themselves, and waiting for a gap costs more than it saves. From a quarter on none of it is shared out."""
SPREAD_S = 0.2
"""More is never shared out: a run ends so much later for it, at most."""
RECENT = 32


class Throttle:
    """A gate whose width halves on a 429 and grows by one for each full round of answers."""

    def __init__(self, *, concurrency: int, pacing: Pacing, slot_s: Callable[[], float] | None = None) -> None:
        self._most = concurrency
        self._width = float(concurrency)
        self._pacing = pacing
        self._slot_s = slot_s
        self._inside = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._last_cut = float("-inf")
        self._next_s = float("-inf")
        self._latencies_s: deque[float] = deque(maxlen=RECENT)

    @property
    def width(self) -> int:
        """How many requests may be under way now."""
        return max(1, int(self._width))

    async def enter(self) -> float:
        """Wait for the queue of `--rpm`, a place and a gap; return when the place was had, on the clock."""
        if self._slot_s is not None:
            wait_s = self._slot_s()
            if wait_s > 0:
                await self._pacing.sleep(wait_s)
        if self._inside >= self.width or self._waiting:
            await self._queue()
        else:
            self._inside += 1
        entered = self._pacing.clock()
        await self._wait_for_a_gap()
        while self._inside > self.width:  # it was halved meanwhile
            self._inside -= 1
            await self._queue()
            entered = self._pacing.clock()
        return entered

    def leave(self) -> None:
        """Give the place to the next in line."""
        self._inside -= 1
        self._admit()

    def throttled(self, entered: float) -> None:
        """Halve the width, once for all requests that were under way together."""
        if entered >= self._last_cut:
            self._width = max(1.0, self._width / 2)
            self._last_cut = self._pacing.clock()

    def answered(self, latency_s: float) -> None:
        """Widen a little, and learn how long an answer takes."""
        self._latencies_s.append(latency_s)
        self._width = min(float(self._most), self._width + 1 / self._width)
        self._admit()

    async def _wait_for_a_gap(self) -> None:
        now = self._pacing.clock()
        wait_s = self._next_s - now
        self._next_s = max(now, self._next_s) + self._gap_s()
        if wait_s > 0:
            try:
                await self._pacing.sleep(wait_s)
            except asyncio.CancelledError:
                self.leave()
                raise

    def _gap_s(self) -> float:
        if not self._latencies_s:
            return 0.0
        least_s, mean_s = min(self._latencies_s), sum(self._latencies_s) / len(self._latencies_s)
        unevenness = (mean_s - least_s) / mean_s if mean_s > 0 else 0.0
        shared = max(0.0, EVENNESS - UNEVENNESS * unevenness)
        return min(shared * least_s, SPREAD_S) / self.width

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
