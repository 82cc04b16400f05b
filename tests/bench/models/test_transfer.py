"""How connections are spread: few clients where few requests are under way, many small ones where many are."""

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


@pytest.mark.parametrize(
    ("at_once", "clients", "connections"), [(1, 1, 1), (2, 1, 2), (3, 2, 3), (6, 3, 6), (9, 3, 9)]
)
def test_clients_are_opened_as_requests_need_them_and_connections_serve_again(
    server: LoopbackServer, monkeypatch: pytest.MonkeyPatch, at_once: int, clients: int, connections: int
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
        again = await post()
        await lines.close()
        return [*statuses, again]

    assert asyncio.run(ask()) == [200] * (at_once + 1)
    assert len(opened) == clients
    assert server.most_in_flight == at_once
    assert server.connections == connections
    assert all(client.is_closed for client in opened)
