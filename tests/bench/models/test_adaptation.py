from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from bench.models.client import HttpModel
from bench.models.limits import ClientLimits
from bench.models.request_errors import refused_parameter
from bench.models.types import Message, Request, Response, SamplingParams
from tests.bench.models.adapters import adapter_for
from tests.bench.models.asking import Naps, ask_once, picture_ask
from tests.loopback.answers import Answer, ReceivedRequest, json_answer

if TYPE_CHECKING:
    from tests.loopback.server import LoopbackServer


def refuses(field: str, message: str, *, code: str | None = "unsupported_parameter") -> Any:
    """A server that refuses any body holding `field`, wherever it stands."""

    def behave(request: ReceivedRequest) -> Answer | None:
        if f'"{field}"'.encode() not in request.body:
            return None
        body = {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": code}}
        return json_answer(body, status=400)

    return behave


def ask_many(
    server: LoopbackServer, provider: str, asks: list[Request]
) -> tuple[list[Response], list[dict[str, str]]]:
    async def run() -> tuple[list[Response], list[dict[str, str]]]:
        client_limits = ClientLimits(concurrency=8, retries=0)
        model = HttpModel(
            adapter_for(provider, server.url), key=None, client_limits=client_limits, clock=Naps().clock()
        )
        try:
            return list(await asyncio.gather(*[model.ask(ask) for ask in asks])), model.adaptations
        finally:
            await model.close()

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("provider", "field", "message"),
    [
        ("openai", "temperature", "Unsupported value: 'temperature' does not support 0 with this model."),
        ("azure", "temperature", "Unsupported parameter: 'temperature' is not supported with this model."),
        ("responses", "temperature", "Unsupported parameter: 'temperature' is not supported with this model."),
        ("openrouter", "temperature", "Unsupported parameter: temperature"),
        ("anthropic", "temperature", "`temperature` is deprecated for this model."),
        ("anthropic", "temperature", "temperature: Extra inputs are not permitted"),
        ("anthropic", "transformations", "messages.0.content.1.transformations: Extra inputs are not permitted"),
        ("gemini", "mediaResolution", "Unknown name \"mediaResolution\" at 'generation_config'"),
        ("openai", "detail", "Unknown parameter: 'messages[0].content[1].image_url.detail'."),
        ("responses", "detail", "Unknown parameter: 'input[0].content[1].detail'."),
        ("http", "max_tokens", "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
        ("openai", "max_completion_tokens", "Unrecognized request argument supplied: max_completion_tokens"),
    ],
)  # fmt: skip
def test_a_refused_field_is_left_out_once_and_for_all(
    server: LoopbackServer, provider: str, field: str, message: str
) -> None:
    server.always(refuses(field, message, code=None))
    ask = picture_ask(temperature=0.0, max_tokens=100)
    replies, adaptations = ask_many(server, provider, [ask])
    assert (replies[0].status, replies[0].attempts) == ("answered", 2)
    assert len(adaptations) == 1
    assert message[:20] in adaptations[0]["reason"]


def test_an_adaptation_in_flight_is_counted_once(server: LoopbackServer) -> None:
    server.latency_s = 0.05
    server.always(refuses("temperature", "Unsupported parameter: 'temperature'"))
    replies, adaptations = ask_many(server, "openai", [picture_ask(str(i)) for i in range(8)])
    assert {(reply.status, reply.attempts) for reply in replies} == {("answered", 2)}
    assert len(adaptations) == 1
    assert len(server.requests) == 16


def test_what_was_learnt_while_an_ask_waited_for_its_place_is_not_tried_again(server: LoopbackServer) -> None:
    server.latency_s = 0.05
    server.always(refuses("temperature", "Unsupported parameter: 'temperature'"))
    replies, _ = ask_many(server, "openai", [picture_ask(str(i)) for i in range(24)])  # eight at a time
    assert {reply.error for reply in replies} == {None}
    assert [reply.attempts for reply in replies] == [2] * 8 + [1] * 16
    assert len(server.requests) == 32


def test_what_is_known_is_not_tried_again(server: LoopbackServer) -> None:
    async def run() -> list[int]:
        model = HttpModel(adapter_for("openai", server.url), key=None, client_limits=ClientLimits())
        attempts = [(await model.ask(picture_ask(str(i)))).attempts for i in range(3)]
        await model.close()
        return attempts

    server.always(refuses("temperature", "Unsupported parameter: 'temperature'"))
    assert asyncio.run(run()) == [2, 1, 1]


def test_several_fields_are_adapted_one_after_another(server: LoopbackServer) -> None:
    temperature = refuses("temperature", "Unsupported parameter: 'temperature'")
    limit = refuses("max_tokens", "Unsupported parameter: 'max_tokens'")
    server.always(lambda request: temperature(request) or limit(request))
    replies, adaptations = ask_many(server, "http", [picture_ask(temperature=0.0, max_tokens=5)])
    assert (replies[0].status, replies[0].attempts) == ("answered", 3)
    assert [a["field"] for a in adaptations] == ["temperature", "max_tokens"]
    assert server.requests[-1].json["max_completion_tokens"] == 5


def test_a_refused_system_role_moves_into_the_first_user_turn(server: LoopbackServer) -> None:
    messages = (Message(role="system", text="Be brief."), Message(role="user", text="Hi"))
    server.script(json_answer({"error": {"message": "System role not supported"}}, status=400))
    reply = ask_once(adapter_for("http", server.url), Request(messages=messages, sampling=SamplingParams()))
    assert reply.text == "answer to Be brief.\n\nHi"
    assert [m["role"] for m in server.requests[-1].json["messages"]] == ["user"]


def test_a_refused_schema_is_not_dropped(server: LoopbackServer) -> None:
    server.always(refuses("response_format", "Unsupported parameter: 'response_format'"))
    ask = Request(messages=(Message(role="user", text="x"),), sampling=SamplingParams(), schema={"type": "object"})
    reply = ask_once(adapter_for("http", server.url), ask)
    assert (reply.failure, reply.attempts) == ("protocol", 1)


@pytest.mark.parametrize(
    ("message", "option"),
    [
        ("Unsupported parameter: 'response_format'", "--structured"),
        ("'response_format.type' must be 'text'", "--structured"),
        ("invalid JSON schema in format", "--structured"),
        ("Unsupported parameter: 'reasoning_effort' is not supported with this model", "--reasoning-effort"),
        ('think value "low" is not supported for this model', "--reasoning-effort"),
    ],
)
def test_who_asked_for_what_a_server_refuses_is_told_what_to_leave_out(
    server: LoopbackServer, message: str, option: str
) -> None:
    server.always(json_answer({"error": {"message": message}}, status=400))
    messages = (Message(role="user", text="x"),)
    asked = Request(messages=messages, sampling=SamplingParams(reasoning_effort="low"), schema={"type": "object"})
    error = ask_once(adapter_for("http", server.url), asked).error or ""
    assert error.endswith(f"{message}; this server may need to be asked without {option}")
    plain = Request(messages=messages, sampling=SamplingParams())
    assert (ask_once(adapter_for("http", server.url), plain).error or "").endswith(message)


@pytest.mark.parametrize(
    "answer",
    [
        json_answer({"error": {"message": "The model does not exist"}}, status=404),
        json_answer({"error": {"message": "out of memory in schema"}}, status=500),
        json_answer({"error": {"message": "your key may not use a schema"}}, status=403),
        json_answer({"choices": "a schema"}),
    ],
    ids=["another refusal", "server", "key", "unreadable"],
)
def test_other_failures_blame_no_option(server: LoopbackServer, answer: Answer) -> None:
    server.always(answer)
    ask = Request(messages=(Message(role="user", text="x"),), sampling=SamplingParams(), schema={"type": "object"})
    reply = ask_once(adapter_for("http", server.url), ask)
    assert reply.status == "failed"
    assert "--structured" not in (reply.error or "")


def test_a_value_out_of_range_is_no_unsupported_field(server: LoopbackServer) -> None:
    body = {"error": {"message": "max_tokens is too large: 9", "param": "max_tokens", "code": "invalid_value"}}
    server.always(json_answer(body, status=400))
    assert ask_once(adapter_for("http", server.url), picture_ask(max_tokens=9)).attempts == 1


@pytest.mark.parametrize(
    ("message", "field"),
    [
        ("Unsupported value: 'messages[0].role' does not support 'system' with this model.", "messages[].role"),
        ("messages.3.content.1.image.transformations: Extra inputs are not permitted",
         "messages[].content[].image.transformations"),
        ("The model `m` does not exist", None),
        ("", None),
    ],
)  # fmt: skip
def test_the_named_field_is_found(message: str, field: str | None) -> None:
    assert refused_parameter(message=message, code="", param="") == field
