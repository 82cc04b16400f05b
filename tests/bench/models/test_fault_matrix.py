"""Each fault at each provider: the right class, within its time, with the right number of requests."""

from __future__ import annotations

import gzip
import json
import socket
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from bench.models.limits import ClientLimits
from tests.bench.models.adapters import SHAPES, Shapes, adapter_for
from tests.bench.models.asking import Naps, ask_once
from tests.loopback.answers import Answer, json_answer

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.loopback.server import LoopbackServer

PROVIDERS = tuple(SHAPES)
QUICK = ClientLimits(request_timeout_s=0.15, retries=1)
PATIENT = ClientLimits(request_timeout_s=20, retries=1)
JSON = {"content-type": "application/json"}
DATES = {"retry-after": "Fri, 27 Nov 2026 12:00:20 GMT", "date": "Fri, 27 Nov 2026 12:00:00 GMT"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How an ask must end; `requests` is how often it was sent with one retry allowed."""

    status: str
    failure: str | None = None
    requests: int = 1


PROTOCOL = Outcome(status="failed", failure="protocol")
NETWORK = Outcome(status="failed", failure="network", requests=2)
TIMEOUT = Outcome(status="failed", failure="timeout", requests=2)
SERVER = Outcome(status="failed", failure="server", requests=2)
RATE = Outcome(status="failed", failure="rate", requests=11)
AUTH = Outcome(status="failed", failure="auth")


def error(status: int, **headers: str) -> Answer:
    body = {"error": {"message": "it went wrong", "type": "some_error", "code": None, "param": None}}
    return json_answer(body, status=status, headers=headers)


STATUSES: dict[str, tuple[Answer, Outcome]] = {
    "401": (error(401), AUTH),
    "402": (error(402), Outcome(status="failed", failure="quota")),
    "403": (error(403), AUTH),
    "404 model": (error(404), PROTOCOL),
    "408": (error(408), TIMEOUT),
    "409": (error(409), SERVER),
    "413": (error(413), PROTOCOL),
    "422": (error(422), PROTOCOL),
    "429 with seconds": (error(429, **{"retry-after": "2"}), RATE),
    "429 with a date": (error(429, **DATES), RATE),
    "429 without": (error(429), RATE),
    "500": (error(500), SERVER),
    "502": (error(502), SERVER),
    "503": (error(503), SERVER),
    "529": (error(529), SERVER),
    "html error page": (Answer(status=502, headers={"content-type": "text/html"}, body=b"<h1>Bad</h1>"), SERVER),
    "empty error body": (Answer(status=500), SERVER),
    "hung headers": (Answer(hang=True), TIMEOUT),
    "slow drip": (Answer(headers=JSON, body=b" " * 1000, drip_s=0.02), TIMEOUT),
    "html page": (Answer(headers={"content-type": "text/html"}, body=b"<html>Sign in</html>"), PROTOCOL),
    "10 MB reply": (Answer(headers=JSON, body=b'{"a":"' + b"x" * 10_000_000 + b'"}'), PROTOCOL),
    "invalid utf-8": (Answer(headers=JSON, body=b'{"choices":"\xff"}'), PROTOCOL),
    "gzip bomb": (
        Answer(headers={**JSON, "content-encoding": "gzip"}, body=gzip.compress(bytes(50_000_000), 1)),
        PROTOCOL,
    ),
    "error in a 200": (json_answer({"error": {"message": "it went wrong", "code": 503}}), SERVER),
}

CUT_SHORT: dict[str, tuple[Callable[[bytes], Answer], Outcome]] = {
    "reset mid-body": (lambda body: Answer(headers=JSON, body=body, cut_after=len(body) // 2), NETWORK),
    "content-length too large": (
        lambda body: Answer(headers=JSON, body=body, cut_after=len(body), declared_length=len(body) + 9),
        NETWORK,
    ),
    "content-length too small": (
        lambda body: Answer(headers=JSON, body=body, declared_length=len(body) - 9),
        PROTOCOL,
    ),
    "truncated json": (lambda body: Answer(headers=JSON, body=body[:-9]), PROTOCOL),
    "contradicting keys": (lambda body: Answer(headers=JSON, body=b'{"id":1,"id":2,' + body[1:]), PROTOCOL),
    "wrong content type": (
        lambda body: Answer(headers={"content-type": "text/plain"}, body=body),
        Outcome(status="truncated"),
    ),
}

SHAPED: dict[str, tuple[Callable[[Shapes], Any], Outcome]] = {
    "length stop": (lambda shapes: shapes.cut, Outcome(status="truncated")),
    "empty choices": (lambda shapes: shapes.empty, PROTOCOL),
    "null content": (lambda shapes: shapes.null, PROTOCOL),
    "tool call instead of text": (lambda shapes: shapes.tool, PROTOCOL),
    "refusal": (lambda shapes: shapes.refusal, Outcome(status="refused")),
    "content filter": (lambda shapes: shapes.filtered, Outcome(status="refused")),
}

SPOKEN = [(p, fault) for p in PROVIDERS for fault in SHAPED if SHAPED[fault][0](SHAPES[p]) is not None]


def check(server: LoopbackServer, provider: str, answer: Answer, outcome: Outcome) -> None:
    server.always(answer)
    client_limits = QUICK if outcome is TIMEOUT and answer.status == 200 else PATIENT
    started = time.monotonic()
    reply = ask_once(adapter_for(provider, server.url), client_limits=client_limits, naps=Naps())
    assert (reply.status, reply.failure) == (outcome.status, outcome.failure), reply
    assert reply.attempts == outcome.requests
    # A request that timed out while this machine was busy may not have reached the server.
    assert len(server.requests) == outcome.requests or client_limits is QUICK
    assert time.monotonic() - started < 5.0


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("fault", STATUSES)
def test_fault_ends_in_its_class(server: LoopbackServer, provider: str, fault: str) -> None:
    check(server, provider, *STATUSES[fault])


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("fault", CUT_SHORT)
def test_damaged_answer_ends_in_its_class(server: LoopbackServer, provider: str, fault: str) -> None:
    damage, outcome = CUT_SHORT[fault]
    check(server, provider, damage(json.dumps(SHAPES[provider].cut).encode()), outcome)


@pytest.mark.parametrize(("provider", "fault"), SPOKEN)
def test_answer_without_an_answer_ends_in_its_class(server: LoopbackServer, provider: str, fault: str) -> None:
    select, outcome = SHAPED[fault]
    check(server, provider, json_answer(select(SHAPES[provider])), outcome)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_refused_connection_is_a_network_failure(provider: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        reply = ask_once(adapter_for(provider, url), client_limits=PATIENT)
    assert (reply.failure, reply.attempts) == ("network", 2)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_ordinary_answer_keeps_text_usage_model_and_request_id(server: LoopbackServer, provider: str) -> None:
    reply = ask_once(adapter_for(provider, server.url))
    assert (reply.status, reply.text, reply.attempts) == ("answered", "answer to How many?", 1)
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (1000, 50)
    assert reply.served_model
    assert reply.finish_reason
    assert reply.request_id == "req_loopback"
    if provider != "ollama":
        assert (reply.usage.reasoning_tokens, reply.usage.cached_tokens) == (10, 100)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_passing_fault_is_overcome(server: LoopbackServer, provider: str) -> None:
    server.script(error(500), error(429, **{"retry-after": "1"}))
    reply = ask_once(adapter_for(provider, server.url), client_limits=PATIENT)
    assert (reply.status, reply.attempts) == ("answered", 3)
