"""How many requests may be under way: fewer after "too many requests", slowly more after answers.

Additive increase, multiplicative decrease, as in TCP. Together with `--rpm`, whose queue all processes share.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from bench.models.retry import Pacing

__all__ = ["Throttle"]


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

    @property
    def width(self) -> int:
        """How many requests may be under way now."""
        return max(1, int(self._width))

    async def enter(self) -> float:
        """Wait for a place, and for the queue of `--rpm`; return the moment of entering, on the clock."""
        if self._slot_s is not None:
            wait_s = self._slot_s()
            if wait_s > 0:
                await self._pacing.sleep(wait_s)
        if self._inside >= self.width or self._waiting:
            await self._queue()
        else:
            self._inside += 1
        return self._pacing.clock()

    def leave(self) -> None:
        """Give the place to the next in line."""
        self._inside -= 1
        self._admit()

    def throttled(self, entered: float) -> None:
        """Halve the width, once for all requests that were under way together."""
        if entered >= self._last_cut:
            self._width = max(1.0, self._width / 2)
            self._last_cut = self._pacing.clock()

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
