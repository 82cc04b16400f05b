"""How connections are spread: a line for each request that was under way at once, each with one connection."""

from __future__ import annotations

import asyncio
import socket
import ssl
import sys
import time
import warnings
from contextlib import ExitStack, suppress

import httpx
import pytest
from httpx_aiohttp import AiohttpTransport

from bench.errors import UserError
from bench.models import transport as transfer
from bench.models.limits import ClientLimits
from bench.models.request_errors import RequestFailed
from bench.models.transport import Exchange, Transport
from tests.bench.models.asking import ask_chat
from tests.loopback.answers import Answer, json_answer
from tests.loopback.server import LoopbackServer


@pytest.mark.usefixtures("no_proxies")
@pytest.mark.parametrize("at_once", [1, 2, 9])
def test_connections_are_opened_as_requests_need_them_and_serve_again(
    server: LoopbackServer, at_once: int
) -> None:
    server.latency_s = 0.1
    server.always(json_answer({}))

    async def ask() -> list[int]:
        transport = Transport(ClientLimits(concurrency=9), url=f"{server.base}/chat/completions")

        async def post() -> int:
            return (await transport.post({}, b"{}", timeout_s=10)).status

        statuses = await asyncio.gather(*(post() for _ in range(at_once)))
        again = await asyncio.gather(*(post() for _ in range(at_once)))
        await transport.close()
        return [*statuses, *again]

    assert asyncio.run(ask()) == [200] * (2 * at_once)
    assert server.most_in_flight == server.connections == at_once


@pytest.mark.usefixtures("no_proxies")
@pytest.mark.parametrize("proxied", [False, True])
@pytest.mark.parametrize("location", ["http://h:x/", "/elsewhere", "http://127.0.0.1:9/"])
def test_a_redirect_is_not_followed_and_not_asked_about_again(
    server: LoopbackServer, monkeypatch: pytest.MonkeyPatch, location: str, *, proxied: bool
) -> None:
    if proxied:
        monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    server.always(json_answer({}, status=302, headers={"location": location}))
    reply = ask_chat(server.base)
    assert (reply.status, reply.failure, reply.attempts) == ("failed", "protocol", 1)
    assert "redirects to" in (reply.error or "")
    assert len(server.requests) == 1


@pytest.mark.usefixtures("no_proxies")
def test_a_request_is_the_same_with_and_without_the_environments_proxies(
    server: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.always(json_answer({}, headers={"set-cookie": "place=7"}))

    async def ask() -> None:
        transport = Transport(ClientLimits(), url=f"{server.base}/chat/completions")
        for _ in range(2):
            await transport.post({"accept": "text/*"}, b"{}", timeout_s=10)
        await transport.close()

    asyncio.run(ask())
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    asyncio.run(ask())
    direct, proxied = server.requests[1], server.requests[3]
    assert direct == proxied


def test_a_client_that_was_closed_under_its_request_serves_no_other(server: LoopbackServer) -> None:
    server.latency_s = 0.3
    server.always(json_answer({}))

    async def run() -> int:
        transport = Transport(ClientLimits(), url=f"{server.base}/chat/completions")
        under_way = asyncio.create_task(transport.post({}, b"{}", timeout_s=10))
        await asyncio.sleep(0.1)
        await transport.close()
        with suppress(RequestFailed):
            await under_way
        status = (await transport.post({}, b"{}", timeout_s=10)).status
        await transport.close()
        return status

    assert asyncio.run(run()) == 200


def exchange(url: str, body: bytes = b"{}") -> Exchange:
    async def post() -> Exchange:
        transport = Transport(ClientLimits(), url=url)
        try:
            return await transport.post({"accept": "text/*"}, body, timeout_s=10)
        finally:
            await transport.close()

    return asyncio.run(post())


def test_a_connection_that_the_server_closed_while_the_loop_was_busy_is_not_used(server: LoopbackServer) -> None:
    server.always(Answer(body=b"{}", cut_after=2))  # reset when all is sent

    async def run() -> list[int]:
        transport = Transport(ClientLimits(), url=server.url)
        statuses = []
        for _ in range(4):
            statuses.append((await transport.post({}, b"{}", timeout_s=10)).status)
            time.sleep(0.1)  # noqa: ASYNC251 - the loop is busy
        await transport.close()
        return statuses

    assert asyncio.run(run()) == [200] * 4
    assert len(server.requests) == 4


@pytest.mark.parametrize(
    "headers", [{"x-policy": "a" * 50_000}, {f"x-{number}": "a" for number in range(500)}], ids=["long", "many"]
)
def test_an_answer_with_a_large_head_is_read(server: LoopbackServer, headers: dict[str, str]) -> None:
    server.always(json_answer({}, headers=headers))
    answer = exchange(server.url)
    assert answer.body == b"{}"
    assert headers.items() <= answer.headers.items()


def test_a_large_body_arrives_whole_and_without_a_warning(server: LoopbackServer) -> None:
    server.always(json_answer({}))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        small, large = (exchange(server.url, bytes(size)) and server.requests[-1] for size in (9, 3_000_000))
    assert large.body == bytes(3_000_000)
    assert large.headers == {**small.headers, "content-length": "3000000"}


@pytest.mark.parametrize("host", ["a..b", f"{'a' * 70}.invalid"])
def test_a_host_that_cannot_be_is_an_unusable_address(host: str) -> None:
    with pytest.raises(RequestFailed, match=r"the address cannot be used: .*; check --api-base") as trouble:
        exchange(f"http://{host}/v1")
    fault = trouble.value.fault
    assert (fault.kind, fault.retryable, fault.reached) == ("protocol", False, False)


@pytest.mark.usefixtures("no_proxies")
def test_a_name_server_that_is_silent_is_not_waited_for_as_long_as_for_an_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(transfer, "CONNECT_S", 0.2)

    async def post() -> None:
        loop = asyncio.get_running_loop()
        monkeypatch.setattr(loop, "getaddrinfo", lambda *_, **__: asyncio.sleep(60))
        transport = Transport(ClientLimits(), url="http://model.invalid/v1")
        try:
            await transport.post({}, b"{}", timeout_s=20)
        finally:
            await transport.close()

    with pytest.raises(RequestFailed, match=r"no connection to the server within 0.2 s") as trouble:
        asyncio.run(post())
    assert not trouble.value.fault.reached


@pytest.mark.skipif(sys.platform != "linux", reason="how a full queue of connections behaves is the system's")
@pytest.mark.parametrize(("connect_s", "whole_s", "bound_s"), [(0.3, 30.0, 0.3), (10.0, 1.0, 0.9)])
def test_a_server_that_takes_no_connection_is_not_waited_for_as_long_as_for_an_answer(
    monkeypatch: pytest.MonkeyPatch, connect_s: float, whole_s: float, bound_s: float
) -> None:
    monkeypatch.setattr(transfer, "CONNECT_S", connect_s)
    with ExitStack() as stack:
        listening = stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=1))
        for _ in range(4):  # its queue is full then
            waiting = stack.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(listening.getsockname())

        async def post() -> None:
            url = f"http://127.0.0.1:{listening.getsockname()[1]}"
            transport = Transport(ClientLimits(request_timeout_s=whole_s), url=url)
            try:
                await transport.post({}, b"{}", timeout_s=whole_s)
            finally:
                await transport.close()

        with pytest.raises(RequestFailed) as trouble:
            asyncio.run(post())
    fault = trouble.value.fault
    assert (fault.kind, fault.retryable) == ("timeout", True)
    assert fault.message == f"no connection to the server within {bound_s} s"


@pytest.fixture
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment that names no proxy."""
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def post_through_proxy(url: str) -> int:
    async def post() -> int:
        transport = Transport(ClientLimits(), url=url)
        try:
            return (await transport.post({}, b"{}", timeout_s=10)).status
        finally:
            await transport.close()

    return asyncio.run(post())


@pytest.mark.usefixtures("no_proxies")
@pytest.mark.parametrize(("exempt", "through"), [("", True), ("127.0.0.1", False)])
def test_the_environments_proxy_is_used_where_it_does_not_exempt_the_server(
    server: LoopbackServer, monkeypatch: pytest.MonkeyPatch, exempt: str, *, through: bool
) -> None:
    server.always(json_answer({}))
    monkeypatch.setenv("NO_PROXY", exempt)
    with LoopbackServer() as proxy:
        proxy.always(json_answer({}))
        monkeypatch.setenv("HTTP_PROXY", proxy.base.removesuffix("/v1"))
        assert post_through_proxy(f"{server.base}/chat/completions") == 200
        assert (len(proxy.requests), len(server.requests)) == ((1, 0) if through else (0, 1))


@pytest.mark.usefixtures("no_proxies")
@pytest.mark.parametrize(
    "proxy",
    [
        "foo://me:s3cret@here",
        "http://me:s3cret@[::1",
        "socks5://me:s3cret@127.0.0.1:1",
        "http://me:s3cret@127.0.0.1:99999",
        "http://me:s3cret@",
    ],
)
def test_a_proxy_that_cannot_be_used_is_one_line_without_its_password(
    monkeypatch: pytest.MonkeyPatch, proxy: str
) -> None:
    monkeypatch.setenv("ALL_PROXY", proxy)
    monkeypatch.setitem(sys.modules, "socksio", None)
    with pytest.raises(UserError, match="the environment's proxies cannot be used") as error:
        post_through_proxy("http://example.org")
    assert "s3cret" not in str(error.value)
    assert error.value.__suppress_context__


@pytest.mark.usefixtures("no_proxies")
@pytest.mark.parametrize(
    ("exempt", "url"),
    [
        ("10.0.0.0/8,127.0.0.0/8", "http://127.0.0.1:8000/v1"),
        ("localhost,::1", "http://[::1]:8000/v1"),
        ("fd00::/8, ::1/128", "http://[::1]/v1"),
        (".example.org", "http://a.example.org/v1"),
        ("169.254/16,*", "https://a.example.org/v1"),
    ],
)
def test_no_proxy_exempts_names_addresses_and_ranges(
    monkeypatch: pytest.MonkeyPatch, exempt: str, url: str
) -> None:
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    assert transfer._proxy_for(httpx.URL(url)) is not None
    monkeypatch.setenv("NO_PROXY", exempt)
    assert transfer._proxy_for(httpx.URL(url)) is None
    for elsewhere in ("http://192.0.2.1/v1", "http://[2001:db8::1]/v1", "http://example.net/v1"):
        assert (transfer._proxy_for(httpx.URL(elsewhere)) is None) == ("*" in exempt)


@pytest.mark.usefixtures("no_proxies")
def test_a_proxy_behind_tls_is_checked_by_certificates(monkeypatch: pytest.MonkeyPatch) -> None:
    context = ssl.create_default_context()
    monkeypatch.setattr(httpx, "create_ssl_context", lambda verify=context, **_: verify)
    monkeypatch.setenv("HTTP_PROXY", "https://127.0.0.1:9")
    pool = Transport(ClientLimits(), url="http://model.invalid/v1")._open()
    assert isinstance(pool, AiohttpTransport)
    assert pool.ssl_context is context


@pytest.mark.usefixtures("no_proxies")
def test_a_proxy_that_refuses_the_password_is_not_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    with LoopbackServer() as proxy:
        proxy.always(json_answer({}, status=407))
        monkeypatch.setenv("HTTPS_PROXY", proxy.base.removesuffix("/v1"))
        with pytest.raises(RequestFailed) as trouble:
            post_through_proxy("https://model.invalid/v1")
    fault = trouble.value.fault
    assert (fault.kind, fault.retryable) == ("auth", False)
    assert fault.message.startswith("the proxy that the environment names refused the connection: 407")


@pytest.mark.usefixtures("no_proxies")
def test_a_connection_that_fails_says_where_it_should_have_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        place = f"127.0.0.1:{free.getsockname()[1]}"
    with pytest.raises(RequestFailed, match=f"no connection to {place}, or it was lost: "):
        post_through_proxy(f"http://{place}/v1")
    monkeypatch.setenv("HTTP_PROXY", f"http://me:s3cret@{place}")
    with pytest.raises(
        RequestFailed, match=r"no connection to model.invalid through the environment's proxy, or"
    ) as trouble:
        post_through_proxy("http://model.invalid/v1")
    assert "s3cret" not in str(trouble.value)
