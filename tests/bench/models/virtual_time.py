"""Asking a server that exists only in the program, by a clock that jumps: minutes of waiting pass in no time."""

from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING, Any

from bench.models.client import HttpModel
from bench.models.retry import Clock
from bench.models.transport import Exchange
from tests.bench.models.adapters import adapter_for
from tests.loopback.answers import ReceivedRequest
from tests.loopback.formats import ordinary_answer

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bench.models.limits import ClientLimits
    from tests.loopback.answers import Behaviour

__all__ = ["JumpingLoop", "PretendServer"]

REFUSAL_S = 0.002


class JumpingLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock jumps to the next timer as soon as nothing is left to do."""

    def __init__(self) -> None:
        super().__init__()
        self._now_s = 0.0
        selector: Any = self._selector  # type: ignore[attr-defined]
        look = selector.select

        def jump(timeout: float | None = None) -> Any:
            if timeout is None:
                raise RuntimeError("everything waits for something that never happens")
            self._now_s += max(0.0, timeout)
            return look(0)

        selector.select = jump

    def time(self) -> float:
        return self._now_s


class PretendServer:
    """Stands in for connections of any number of models: refuses at once, answers after `latency_s`."""

    def __init__(self, loop: JumpingLoop, behaviour: Behaviour, *, latency_s: float, seed: int) -> None:
        self.requests = 0
        self._loop = loop
        self._behaviour = behaviour
        self._latency_s = latency_s
        self._dice = random.Random(seed)

    def model(self, client_limits: ClientLimits, seed: int) -> HttpModel:
        """Return a client of this server, as one process would have it."""
        clock = Clock(now=self._loop.time, sleep=asyncio.sleep, dice=random.Random(seed))
        model = HttpModel(
            adapter_for("http", "http://pretended"), key=None, client_limits=client_limits, clock=clock
        )
        model._transfer = self  # type: ignore[assignment]
        return model

    async def post(self, headers: Mapping[str, str], body: bytes, *, timeout_s: float) -> Exchange:
        assert timeout_s > 0
        self.requests += 1
        request = ReceivedRequest(method="POST", path="/v1/chat/completions", headers=headers, body=body)
        refused = self._behaviour(request)
        await asyncio.sleep(REFUSAL_S if refused else self._latency_s * self._dice.uniform(0.7, 1.3))
        answer = refused or ordinary_answer(request, _echo)
        return Exchange(status=answer.status, headers=dict(answer.headers), body=answer.body)

    async def close(self) -> None:
        pass


_echo: Callable[[str], str] = "answer to {}".format
