"""A server that allows five requests a second against eight askers: nothing is lost, and little time."""

from __future__ import annotations

import asyncio
import math
import time
from typing import TYPE_CHECKING

import pytest

from bench.models.http_model import HttpModel
from bench.models.traffic import Traffic
from tests.bench.models.asking import picture_ask
from tests.bench.models.wires import wire_for
from tests.loopback.answers import Answer, json_answer

if TYPE_CHECKING:
    from tests.loopback.server import LoopbackServer

PER_SECOND = 5
ASKERS = 8
SECONDS = 8


class Allowance:
    """Five answers in each second, then 429 with the whole seconds to wait."""

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._second = -1
        self._used = 0

    def __call__(self, _: object) -> Answer | None:
        elapsed = time.monotonic() - self._started
        if int(elapsed) != self._second:
            self._second, self._used = int(elapsed), 0
        self._used += 1
        if self._used <= PER_SECOND:
            return None
        wait = {"retry-after": str(math.ceil(1 - elapsed % 1))}
        return json_answer({"error": {"message": "slow down"}}, status=429, headers=wait)


@pytest.mark.slow
def test_a_429_storm_loses_no_request_and_little_time(server: LoopbackServer) -> None:
    number = PER_SECOND * SECONDS
    server.latency_s = 0.05

    async def run() -> list[str]:
        model = HttpModel(wire_for("http", server.url), key=None, traffic=Traffic(concurrency=ASKERS))
        numbers = iter(range(number))

        async def asker() -> list[str]:
            return [(await model.ask(picture_ask(str(n)))).text for n in numbers]

        texts = await asyncio.gather(*[asker() for _ in range(ASKERS)])
        await model.close()
        return [text for some in texts for text in some]

    server.always(Allowance())
    started = time.monotonic()
    texts = asyncio.run(run())
    assert sorted(texts) == sorted(f"answer to {n}" for n in range(number))
    assert time.monotonic() - started <= SECONDS * 1.15
