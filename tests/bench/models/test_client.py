from __future__ import annotations

import asyncio
import gzip
import socket
import time
import zlib
from typing import TYPE_CHECKING

import pytest

from bench.models.keys import Key
from bench.models.limits import ClientLimits
from bench.models.providers.openai import OpenAIChat
from bench.models.resolve import resolve
from tests.bench.models.asking import Naps, ask_chat, ask_once, picture_ask
from tests.loopback.answers import Answer, json_answer

if TYPE_CHECKING:
    from bench.models.types import Response
    from tests.loopback.server import LoopbackServer

JSON = {"content-type": "application/json"}
GZIP = {**JSON, "content-encoding": "gzip"}
GOOD = b'{"choices":[{"message":{"content":"4"},"finish_reason":"stop"}]}'
QUICK = ClientLimits(request_timeout_s=0.3, retries=0)


def error_answer(status: int, code: str = "c", message: str = "m", **headers: str) -> Answer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return json_answer({"error": {"message": message, "type": "t", "code": code}}, status=status, headers=named)


def failed(reply: Response) -> tuple[str, str | None]:
    return reply.status, reply.failure


@pytest.mark.parametrize(
    ("status", "failure"),
    [
        (408, "timeout"), (409, "server"), (429, "rate"), (500, "server"), (502, "server"), (503, "server"),
        (504, "timeout"), (524, "timeout"), (529, "server"),
    ],
)  # fmt: skip
def test_passing_trouble_is_asked_about_again(server: LoopbackServer, status: int, failure: str) -> None:
    server.script(error_answer(status), error_answer(status))
    reply = ask_chat(server.base)
    assert (reply.status, reply.attempts, len(server.requests)) == ("answered", 3, 3)
    server.always(error_answer(status))
    assert failed(ask_chat(server.base, client_limits=ClientLimits(retries=1))) == ("failed", failure)


@pytest.mark.parametrize(
    ("status", "failure"),
    [(400, "protocol"), (401, "auth"), (402, "quota"), (403, "auth"), (404, "protocol"), (413, "protocol"),
     (422, "protocol")],
)  # fmt: skip
def test_lasting_trouble_is_not_asked_about_again(server: LoopbackServer, status: int, failure: str) -> None:
    server.always(error_answer(status, code="some_code", message="what is wrong"))
    reply = ask_chat(server.base)
    assert failed(reply) == ("failed", failure)
    assert reply.error == f"the server answered {status} (some_code): what is wrong"
    assert len(server.requests) == 1


def test_insufficient_quota_is_not_asked_about_again(server: LoopbackServer) -> None:
    server.always(error_answer(429, code="insufficient_quota"))
    assert failed(ask_chat(server.base)) == ("failed", "quota")
    assert len(server.requests) == 1


@pytest.mark.parametrize("retries", [0, 1, 3])
def test_retries_bound_the_number_of_requests(server: LoopbackServer, retries: int) -> None:
    server.always(error_answer(500))
    reply = ask_chat(server.base, client_limits=ClientLimits(retries=retries))
    assert reply.attempts == len(server.requests) == retries + 1


def test_a_throttled_ask_has_more_patience(server: LoopbackServer) -> None:
    server.script(*[error_answer(429, retry_after="1")] * 9)
    assert ask_chat(server.base).attempts == 10


def test_total_time_is_bounded(server: LoopbackServer) -> None:
    server.always(error_answer(429, retry_after="100"))
    naps = Naps()
    assert failed(ask_chat(server.base, naps=naps)) == ("failed", "rate")
    assert sum(naps.lengths_s) <= ClientLimits().total_s
    assert len(server.requests) == len(naps.lengths_s) + 1 <= 6


def test_a_wish_longer_than_the_bound_ends_at_once(server: LoopbackServer) -> None:
    server.always(error_answer(503, retry_after="86400"))
    naps = Naps()
    assert failed(ask_chat(server.base, naps=naps)) == ("failed", "server")
    assert naps.lengths_s == []


def test_pauses_grow_and_scatter(server: LoopbackServer) -> None:
    server.always(error_answer(500))
    naps = Naps()
    ask_chat(server.base, client_limits=ClientLimits(retries=8), naps=naps)
    for index, pause in enumerate(naps.lengths_s):
        whole = min(30.0, 0.5 * 2**index)
        assert 0.25 <= pause <= whole


@pytest.mark.parametrize(
    ("headers", "least_s"),
    [
        ({"retry_after": "7"}, 7.0),
        ({"retry_after": "1.5"}, 1.5),
        ({"retry_after_ms": "250", "retry_after": "9"}, 0.25),
        ({"retry_after": "Fri, 27 Nov 2026 12:00:20 GMT", "date": "Fri, 27 Nov 2026 12:00:00 GMT"}, 20.0),
        ({"retry_after": "Fri, 27 Nov 2026 11:00:00 GMT", "date": "Fri, 27 Nov 2026 12:00:00 GMT"}, 0.0),
    ],
)
def test_the_pause_the_server_asks_for_is_kept(
    server: LoopbackServer, headers: dict[str, str], least_s: float
) -> None:
    server.script(error_answer(429, **headers))
    naps = Naps()
    ask_chat(server.base, naps=naps)
    assert least_s <= naps.lengths_s[0] <= least_s * 1.1 + 0.03


@pytest.mark.parametrize("wish", ["soon", "-5", "nan", "inf", "", "Fri, 99 Nov"])
def test_a_senseless_wish_is_ignored(server: LoopbackServer, wish: str) -> None:
    server.script(error_answer(429, retry_after=wish))
    naps = Naps()
    assert ask_chat(server.base, naps=naps).status == "answered"
    assert 0.375 <= naps.lengths_s[0] <= 0.625


@pytest.mark.parametrize(("status", "wish", "requests"), [(500, "false", 1), (400, "true", 2)])
def test_x_should_retry_overrides_the_status(
    server: LoopbackServer, status: int, wish: str, requests: int
) -> None:
    server.script(error_answer(status, x_should_retry=wish))
    ask_chat(server.base)
    assert len(server.requests) == requests


def test_refused_connection_is_a_network_failure() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        reply = ask_chat(f"http://127.0.0.1:{taken.getsockname()[1]}/v1")
    assert failed(reply) == ("failed", "network")
    assert reply.attempts == 4


@pytest.mark.parametrize(
    "answer",
    [
        Answer(headers=JSON, body=GOOD, cut_after=20),
        Answer(headers=JSON, body=GOOD, declared_length=len(GOOD) + 50, cut_after=len(GOOD)),
        Answer(headers={**JSON, "content-encoding": "gzip"}, body=gzip.compress(GOOD)[:-12]),
    ],
    ids=["reset mid-body", "content-length too large", "gzip cut short"],
)
def test_a_cut_connection_is_asked_about_again(server: LoopbackServer, answer: Answer) -> None:
    server.script(answer)
    reply = ask_chat(server.base)
    assert (reply.status, reply.attempts) == ("answered", 2)
    server.always(answer)
    assert failed(ask_chat(server.base)) == ("failed", "network")


@pytest.mark.parametrize(
    "answer",
    [
        Answer(hang=True),
        Answer(headers=JSON, body=GOOD, drip_s=0.05),
        Answer(headers=JSON, body=GOOD, drip_s=60),
    ],
    ids=["hung headers", "slow drip", "hung body"],
)
def test_no_answer_in_time_is_a_timeout(server: LoopbackServer, answer: Answer) -> None:
    server.always(answer)
    started = time.monotonic()
    reply = ask_chat(server.base, client_limits=QUICK)
    assert failed(reply) == ("failed", "timeout")
    assert "within 0.3 s" in str(reply.error)
    assert time.monotonic() - started < 2.0


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (Answer(headers=JSON, body=GOOD[:30]), "unreadable reply (application/json)"),
        (Answer(headers=JSON, body=GOOD, declared_length=30), "unreadable reply: what came is no HTTP"),
        (Answer(headers={"content-type": "text/html"}, body=b"<html>Sign in</html>"), "(text/html)"),
        (Answer(headers=JSON, body=GOOD.replace(b"4", b"\xff\xfe")), "codec can't decode"),
        (Answer(headers=JSON, body=b'{"choices":1,"choices":2}'), "'choices' appears twice"),
        (Answer(headers=JSON, body=b"[" * 100_000), "nested too deeply"),
        (Answer(headers=JSON, body=b'{"n":' + b"9" * 5000 + b"}"), "unreadable reply"),
        (Answer(headers=JSON, body=b'{"a":"' + b"x" * 10_000_000 + b'"}'), "larger than 4194304 bytes"),
        (Answer(headers=GZIP, body=gzip.compress(bytes(300_000_000), 1)), "unpacked"),
        (Answer(headers={**JSON, "content-encoding": "br"}, body=GOOD), "compressed as 'br'"),
        (Answer(headers=GZIP, body=GOOD), "compressed"),
        (Answer(status=302, headers={"location": "https://b/v1"}), "redirects to 'https://b/v1'"),
        (Answer(status=204), "unreadable reply|answered 204"),
    ],
    ids=["truncated json", "content-length too small", "html page", "invalid utf-8", "contradicting keys",
         "deep", "huge number", "10 MB", "gzip bomb", "brotli", "not gzip at all", "redirect", "no content"],
)  # fmt: skip
def test_an_unusable_reply_is_a_protocol_failure(server: LoopbackServer, answer: Answer, said: str) -> None:
    server.always(answer)
    reply = ask_chat(server.base, client_limits=ClientLimits(request_timeout_s=20))
    assert failed(reply) == ("failed", "protocol")
    assert any(part in str(reply.error) for part in said.split("|")), reply.error
    assert len(server.requests) == 1


def test_wrong_content_type_with_good_json_is_an_answer(server: LoopbackServer) -> None:
    server.script(Answer(headers={"content-type": "text/html"}, body=GOOD))
    assert ask_chat(server.base).text == "4"


@pytest.mark.parametrize("pack", [gzip.compress, zlib.compress])
def test_a_compressed_reply_is_unpacked(server: LoopbackServer, pack: object) -> None:
    name = "gzip" if pack is gzip.compress else "deflate"
    server.script(Answer(headers={**JSON, "content-encoding": name}, body=pack(GOOD)))  # type: ignore[operator]
    assert ask_chat(server.base).text == "4"


def test_a_repeated_key_with_the_same_value_is_accepted(server: LoopbackServer) -> None:
    server.script(Answer(headers=JSON, body=b'{"id":1,"id":1,' + GOOD[1:]))
    assert ask_chat(server.base).text == "4"


def test_an_error_is_one_bounded_line(server: LoopbackServer) -> None:
    server.always(error_answer(400, message="first\nsecond\x1b[31m" + "x" * 5000))
    error = str(ask_chat(server.base).error)
    assert error.isprintable()
    assert len(error) <= 300


@pytest.mark.parametrize("echo", ["sk-proj-0123456789", "sk-proj-****6789"])
def test_a_key_echoed_by_the_server_is_not_shown(server: LoopbackServer, echo: str) -> None:
    server.always(error_answer(401, message=f"Incorrect API key provided: {echo}. Find yours in the console."))
    adapter = OpenAIChat(provider="http", name="m", base=server.base)
    reply = ask_once(adapter, key=Key("sk-proj-0123456789", variable="EYECHART_API_KEY"))
    assert reply.failure == "auth"
    assert "sk-proj" not in str(reply)
    assert "[key]" in str(reply.error)


@pytest.mark.parametrize("concurrency", [1, 8, 40])
def test_concurrent_asks_are_all_in_flight_at_once(server: LoopbackServer, concurrency: int) -> None:
    server.latency_s = 0.2

    async def run() -> list[Response]:
        model = resolve(
            "http:m", api_base=server.base, client_limits=ClientLimits(concurrency=concurrency), environ={}
        )()
        try:
            return await asyncio.gather(*[model.ask(picture_ask(str(i))) for i in range(concurrency)])
        finally:
            await model.close()

    replies = asyncio.run(run())
    assert [r.text for r in replies] == [f"answer to {i}" for i in range(concurrency)]
    assert server.most_in_flight == concurrency


def test_connections_are_kept_and_used_again(server: LoopbackServer) -> None:
    async def run() -> None:
        model = resolve("http:m", api_base=server.base, client_limits=ClientLimits(concurrency=1), environ={})()
        for _ in range(5):
            await model.ask(picture_ask())
        await model.close()

    asyncio.run(run())
    assert server.connections == 1
