"""Servers that allow so many requests a second, in the two ways in use, and say 429 to the rest."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

from tests.loopback.answers import Answer, json_answer

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.loopback.answers import ReceivedRequest

__all__ = ["STYLES", "FixedWindow", "TokenBucket", "limited"]


class FixedWindow:
    """So many answers in each second of the server's clock; refused requests do not count."""

    def __init__(self, *, per_second: int, hint: bool, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_second = per_second
        self._hint = hint
        self._clock = clock
        self._second = -1
        self._used = 0

    def __call__(self, _: ReceivedRequest) -> Answer | None:
        now_s = self._clock()
        if int(now_s) != self._second:
            self._second, self._used = int(now_s), 0
        if self._used < self._per_second:
            self._used += 1
            return None
        return refusal(1 - now_s % 1 if self._hint else None)


class TokenBucket:
    """A store of one second's answers, refilled evenly."""

    def __init__(self, *, per_second: int, hint: bool, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_second = per_second
        self._hint = hint
        self._clock = clock
        self._level = float(per_second)
        self._filled_s = clock()

    def __call__(self, _: ReceivedRequest) -> Answer | None:
        now_s = self._clock()
        earned = (now_s - self._filled_s) * self._per_second
        self._level, self._filled_s = min(float(self._per_second), self._level + earned), now_s
        if self._level >= 1:
            self._level -= 1
            return None
        return refusal((1 - self._level) / self._per_second if self._hint else None)


STYLES: dict[str, tuple[type[FixedWindow | TokenBucket], bool]] = {
    "window, Retry-After": (FixedWindow, True),
    "window": (FixedWindow, False),
    "bucket, Retry-After": (TokenBucket, True),
    "bucket": (TokenBucket, False),
}


def limited(
    style: str, *, per_second: int, clock: Callable[[], float] = time.monotonic
) -> FixedWindow | TokenBucket:
    """Return the limit of one of `STYLES`."""
    kind, hint = STYLES[style]
    return kind(per_second=per_second, hint=hint, clock=clock)


def refusal(wait_s: float | None) -> Answer:
    """Return a 429 that says nothing, or the whole seconds to wait."""
    headers = {} if wait_s is None else {"retry-after": str(math.ceil(wait_s))}
    return json_answer({"error": {"message": "slow down"}}, status=429, headers=headers)
