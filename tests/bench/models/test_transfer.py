"""How connections are spread: a client for each request that was under way at once, each with one connection."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import httpx
import pytest

from bench.models.traffic import Traffic
from bench.models.transfer import Transfer
from tests.loopback.answers import json_answer

if TYPE_CHECKING:
    from tests.loopback.server import LoopbackServer


@pytest.mark.parametrize("at_once", [1, 2, 9])
def test_clients_are_opened_as_requests_need_them_and_connections_serve_again(
    server: LoopbackServer, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    opened: list[httpx.AsyncClient] = []

    class Counted(httpx.AsyncClient):
        def __init__(self, **options: object) -> None:
            super().__init__(**options)  # type: ignore[arg-type]
            opened.append(self)

    monkeypatch.setattr(httpx, "AsyncClient", Counted)
    server.latency_s = 0.1
    server.always(json_answer({}))

    async def ask() -> list[int]:
        lines = Transfer(Traffic(concurrency=6), secure=False)

        async def post() -> int:
            return (await lines.post(f"{server.base}/chat/completions", {}, b"{}", timeout_s=10)).status

        statuses = await asyncio.gather(*(post() for _ in range(at_once)))
        again = await asyncio.gather(*(post() for _ in range(at_once)))
        await lines.close()
        return [*statuses, *again]

    assert asyncio.run(ask()) == [200] * (2 * at_once)
    assert len(opened) == server.most_in_flight == server.connections == at_once
    assert all(client.is_closed for client in opened)
