"""Whether an ask has a request under way: who must end soon waits for that, and sends no other."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field

__all__ = ["DISPATCH", "Dispatch"]


@dataclass(slots=True)
class Dispatch:
    """One ask's requests: `turn` is held while one is sent and answered, and shared by asks that send in turn.

    Where it is `ending`, no further one is sent, and none waited for that would be: the ask is cancelled instead.
    """

    turn: AbstractAsyncContextManager[object] = field(default_factory=nullcontext)
    under_way: bool = False
    ending: bool = False


DISPATCH: ContextVar[Dispatch | None] = ContextVar("dispatch", default=None)
"""The ask that the current task is about, where somebody wants to know."""
