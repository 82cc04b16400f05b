"""The gateway: what is stored is not requested again, what is new is stored first, the end sends nothing."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from bench.models.gateway import ModelGateway
from bench.models.limits import ClientLimits
from bench.models.resolve import ResolvedModel, resolve
from bench.models.store_key import StoreKey, reply_key
from bench.models.types import Message, Response
from bench.results.store import ReplyStore
from bench.suites.base import Case
from tests.bench.models.asking import PICTURE, picture_ask
from tests.bench.waiting import soon
from tests.loopback.answers import Answer, json_answer
from tests.loopback.server import LoopbackServer

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from tests.loopback.answers import ReceivedRequest

THERE = "answer to How many?"  # what the loopback server says
KEY = "sk-test-1234567890abcdef"
CASE = Case(id="c", suite="plotchain", item_id="i", difficulty="clean", model="m")


def model_at(server: LoopbackServer, *, key: str | None = None, retries: int = 0) -> ResolvedModel:
    environ = {} if key is None else {"EYECHART_API_KEY": key}
    limits = ClientLimits(retries=retries, request_timeout_s=30)
    factory = resolve("http:m", api_base=server.base, client_limits=limits, environ=environ)
    return ResolvedModel(label="m", provider="http", name="m", about="", factory=factory)


def with_gateway(
    store: Path, work: Callable[[ModelGateway], Awaitable[Any]], *, fresh: bool = False
) -> tuple[Any, ModelGateway]:
    """What `work` returns, and the gateway that it used."""

    async def run() -> tuple[Any, ModelGateway]:
        gateway = ModelGateway(lambda: ReplyStore(store), fresh=fresh, most_in_flight=8)
        try:
            return await asyncio.wait_for(work(gateway), 60), gateway
        finally:
            await gateway.close_models()
            gateway.close_store()

    return asyncio.run(run())


def request_once(
    server: LoopbackServer, store: Path, *, fresh: bool = False, **how: Any
) -> tuple[Response, bool, ModelGateway]:
    model = model_at(server, **how)
    (reply, stored), gateway = with_gateway(
        store, lambda gateway: gateway.reply(model, picture_ask(), case=CASE), fresh=fresh
    )
    return reply, stored, gateway


def key_of(server: LoopbackServer) -> StoreKey:
    factory = model_at(server).factory
    assert factory is not None
    key = reply_key(factory.identity, picture_ask(), CASE.item_id)
    return StoreKey(key=key, identity=factory.identity, case_id="c", repeat=0)


def test_a_response_is_stored_before_it_is_handed_on_and_found_again(
    server: LoopbackServer, tmp_path: Path
) -> None:
    reply, stored, _ = request_once(server, tmp_path / "r.sqlite")
    with ReplyStore(tmp_path / "r.sqlite") as store:
        assert store.get(key_of(server).key) == reply
    again, from_store, gateway = request_once(server, tmp_path / "r.sqlite")
    assert (stored, from_store, again) == (False, True, reply)
    assert len(server.requests) == 1
    assert gateway.spending.snapshot() == {}


def test_fresh_replaces_a_stored_response_once(server: LoopbackServer, tmp_path: Path) -> None:
    with ReplyStore(tmp_path / "r.sqlite") as store:
        store.put(Response(status="answered", text="older"), key_of(server))
    model = model_at(server)

    async def twice(gateway: ModelGateway) -> list[tuple[Response, bool]]:
        return [await gateway.reply(model, picture_ask(), case=CASE) for _ in range(2)]

    found, _ = with_gateway(tmp_path / "r.sqlite", twice, fresh=True)
    assert [(reply.text, stored) for reply, stored in found] == [(THERE, False), (THERE, True)]
    assert len(server.requests) == 1


def test_another_runs_response_counts_where_it_was_stored_meanwhile(
    server: LoopbackServer, tmp_path: Path
) -> None:
    path, older = tmp_path / "r.sqlite", Response(status="answered", text="older")

    def store_meanwhile(_: ReceivedRequest) -> None:
        with ReplyStore(path) as store:
            store.put(older, key_of(server))

    server.always(store_meanwhile)
    reply, stored, gateway = request_once(server, path)
    assert (reply.text, stored) == ("older", False)
    assert gateway.spending.snapshot()["m"]["asks"] == 1  # what was sent is counted


def test_a_store_that_cannot_be_written_costs_no_response(server: LoopbackServer, tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite"

    model = model_at(server)

    async def work(gateway: ModelGateway) -> Response:
        assert isinstance(gateway.store, ReplyStore)
        gateway.store._connection.execute("PRAGMA query_only=ON")
        return (await gateway.reply(model, picture_ask(), case=CASE))[0]

    reply, gateway = with_gateway(path, work)
    assert reply.text == THERE
    assert f"reply store {path}: cannot be written" in (gateway.stop_condition.line or "")


def test_nothing_is_sent_after_what_ends_the_run(server: LoopbackServer, tmp_path: Path) -> None:
    model = model_at(server)

    async def work(gateway: ModelGateway) -> list[Response]:
        assert isinstance(gateway.store, ReplyStore)
        gateway.store._connection.execute("PRAGMA query_only=ON")  # as on a full disk
        return [(await gateway.reply(model, picture_ask(str(n)), case=CASE))[0] for n in range(5)]

    replies, gateway = with_gateway(tmp_path / "r.sqlite", work)
    assert len(server.requests) == 1
    assert [reply.attempts for reply in replies] == [1, 0, 0, 0, 0]
    assert {(reply.failure, reply.error) for reply in replies[1:]} == {("quota", gateway.stop_condition.line)}
    assert gateway.spending.snapshot()["m"]["asks"] == 1


def test_a_failure_is_handed_on_and_not_stored(server: LoopbackServer, tmp_path: Path) -> None:
    server.always(json_answer({"error": {"message": "no", "code": "x"}}, status=401))
    reply, _, gateway = request_once(server, tmp_path / "r.sqlite")
    assert (reply.status, reply.failure) == ("failed", "auth")
    assert gateway.stop_condition.line == f"m: {reply.error}"
    with ReplyStore(tmp_path / "r.sqlite") as store:
        assert len(store) == 0


def test_what_is_requested_alike_at_the_same_time_is_requested_once(tmp_path: Path) -> None:
    with LoopbackServer(answer=lambda _: THERE, latency_s=0.2) as server:
        model = model_at(server)

        async def work(gateway: ModelGateway) -> list[tuple[Response, bool]]:
            return await asyncio.gather(*(gateway.reply(model, picture_ask(), case=CASE) for _ in range(3)))

        found, _ = with_gateway(tmp_path / "r.sqlite", work)
    assert [stored for _, stored in found] == [False, True, True]
    assert len(server.requests) == 1


def test_many_requests_at_once_each_get_their_own_response(tmp_path: Path) -> None:
    with LoopbackServer(answer=lambda prompt: f"answer to {prompt}", latency_s=0.05) as server:
        model = model_at(server)

        async def ask(gateway: ModelGateway, text: str) -> str:
            request = replace(picture_ask(), messages=(Message(role="user", text=text, pictures=(PICTURE,)),))
            return (await gateway.reply(model, request, case=replace(CASE, item_id=text)))[0].text

        async def work(gateway: ModelGateway) -> list[str]:
            return await asyncio.gather(*(ask(gateway, f"q{n}") for n in range(100)))

        found, _ = with_gateway(tmp_path / "r.sqlite", work)
    assert found == [f"answer to q{n}" for n in range(100)]


def test_the_key_is_sent_and_echoes_of_it_are_hidden(server: LoopbackServer, tmp_path: Path) -> None:
    def echo(request: ReceivedRequest) -> Answer:
        return json_answer({"error": {"message": f"no: {request.headers['authorization']}"}}, status=401)

    server.always(echo)
    reply, _, gateway = request_once(server, tmp_path / "r.sqlite", key=KEY)
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert KEY not in f"{reply!r} {gateway.stop_condition.line}"
    assert "[key]" in str(reply.error)


def test_at_the_end_of_a_run_what_is_under_way_is_kept_and_nothing_else_is_sent(tmp_path: Path) -> None:
    with LoopbackServer(answer=lambda _: THERE, latency_s=0.5) as server:
        limits = ClientLimits(retries=0, request_timeout_s=30, concurrency=1)
        factory = resolve("http:m", api_base=server.base, client_limits=limits, environ={})
        model = ResolvedModel(label="m", provider="http", name="m", about="", factory=factory)

        async def work(gateway: ModelGateway) -> tuple[Response, list[bool]]:
            cases = [replace(CASE, item_id=item_id) for item_id in ("i", "waits", "late")]
            asked = [asyncio.create_task(gateway.reply(model, picture_ask(), case=case)) for case in cases[:2]]
            await soon(lambda: bool(server.in_flight))
            gateway.send_no_more()
            asked.append(asyncio.create_task(gateway.reply(model, picture_ask(), case=cases[2])))
            await asyncio.wait(asked)
            return asked[0].result()[0], [task.cancelled() for task in asked[1:]]

        (reply, cancelled), gateway = with_gateway(tmp_path / "r.sqlite", work)
        key = key_of(server).key
    assert reply.text == THERE
    assert cancelled == [True, True]
    assert len(server.requests) == gateway.spending.snapshot()["m"]["asks"] == 1
    with ReplyStore(tmp_path / "r.sqlite") as store:
        assert store.get(key) == reply


def test_a_retry_is_not_sent_after_the_end(tmp_path: Path) -> None:
    with LoopbackServer(answer=lambda _: THERE, latency_s=0.5) as server:
        busy = json_answer({"error": {"message": "busy"}}, status=503)
        server.always(replace(busy, headers={**busy.headers, "retry-after": "60"}))
        model = model_at(server, retries=3)

        async def work(gateway: ModelGateway) -> bool:
            asked = asyncio.create_task(gateway.reply(model, picture_ask(), case=CASE))
            await soon(lambda: bool(server.in_flight))
            gateway.send_no_more()
            with suppress(TimeoutError):
                await asyncio.wait([asked], timeout=20)
            return asked.cancelled()

        cancelled, _ = with_gateway(tmp_path / "r.sqlite", work)
    assert cancelled
    assert len(server.requests) == 1


@pytest.mark.parametrize("failures", [5, 10], ids=["no connection", "any"])
def test_a_server_that_stays_away_ends_the_run(tmp_path: Path, failures: int) -> None:
    gateway = ModelGateway(lambda: ReplyStore(tmp_path / "r"), most_in_flight=8)
    kind: Any = "network" if failures == 5 else "server"
    for n in range(failures):
        assert gateway.stop_condition.line is None, n
        gateway.stop_condition.see(Response(status="failed", failure=kind, error="gone"), "m")
    assert gateway.stop_condition.line == "m: gone"
