from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

import pytest

from bench.models.keys import Key
from bench.models.providers.openai import OpenAIChat
from bench.models.types import Message, Request, SamplingParams, Usage
from tests.bench.models.asking import PICTURE, ask_chat, ask_once, picture_ask
from tests.loopback.answers import json_answer

if TYPE_CHECKING:
    from bench.models.json_values import JsonObject
    from tests.loopback.server import LoopbackServer

WIRE = OpenAIChat(provider="openai", name="gpt-4o", base="https://api.openai.com/v1")


def completion(message: JsonObject, finish: str | None = "stop", usage: Any = None) -> JsonObject:
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish}
    return {"model": "gpt-4o-2024-08-06", "choices": [choice], "usage": usage}


def test_picture_bytes_are_sent_unmodified_with_detail() -> None:
    body = WIRE.body(picture_ask("Read it.", image_detail="high"))
    text, picture = body["messages"][0]["content"]
    assert text == {"type": "text", "text": "Read it."}
    assert picture["image_url"]["detail"] == "high"
    head, _, data = picture["image_url"]["url"].partition(",")
    assert head == "data:image/png;base64"
    assert base64.b64decode(data, validate=True) == PICTURE


def test_settings_left_to_the_server_are_not_sent() -> None:
    sampling = SamplingParams(temperature=None, image_detail=None)
    body = WIRE.body(Request(messages=(Message(role="user", text="x", pictures=(PICTURE,)),), sampling=sampling))
    assert set(body) == {"model", "messages"}
    assert "detail" not in body["messages"][0]["content"][1]["image_url"]


def test_settings_are_sent_by_name() -> None:
    body = WIRE.body(picture_ask(temperature=0.5, max_tokens=7, reasoning_effort="low"))
    assert body["temperature"] == 0.5
    assert body["max_tokens"] == 7
    assert body["reasoning_effort"] == "low"


def test_few_shot_turns_and_several_pictures_keep_their_order() -> None:
    messages = (
        Message(role="system", text="s"),
        Message(role="user", text="one", pictures=(PICTURE, PICTURE)),
        Message(role="assistant", text="two"),
        Message(role="user", text="three", pictures=(PICTURE,)),
    )
    messages = WIRE.body(Request(messages=messages, sampling=SamplingParams()))["messages"]
    assert [m["role"] for m in messages] == ["system", "user", "assistant", "user"]
    assert [p["type"] for p in messages[1]["content"]] == ["text", "image_url", "image_url"]
    assert messages[2]["content"] == "two"


def test_an_answer_keeps_usage_model_finish_reason_and_request_id(server: LoopbackServer) -> None:
    usage = {
        "prompt_tokens": 900,
        "completion_tokens": 40,
        "prompt_tokens_details": {"cached_tokens": 100},
        "completion_tokens_details": {"reasoning_tokens": 30},
    }
    server.script(json_answer(completion({"content": "4"}, usage=usage), headers={"x-request-id": "req_1"}))
    reply = ask_chat(server.base)
    assert (reply.status, reply.text, reply.finish_reason) == ("answered", "4", "stop")
    assert reply.served_model == "gpt-4o-2024-08-06"
    assert reply.request_id == "req_1"
    assert reply.usage == Usage(input_tokens=900, output_tokens=40, reasoning_tokens=30, cached_tokens=100)
    assert reply.attempts == 1
    assert reply.latency_s is not None


@pytest.mark.parametrize(
    "usage", [None, [], {"prompt_tokens": "9"}, {"prompt_tokens": -1}, {"prompt_tokens": True}]
)
def test_usage_that_is_no_count_is_unknown(usage: Any) -> None:
    assert WIRE.reply(completion({"content": "4"}, usage=usage)).usage == Usage()


@pytest.mark.parametrize(
    ("message", "finish", "status", "text"),
    [
        ({"content": ""}, "stop", "answered", ""),
        (
            {"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
            "stop",
            "answered",
            "ab",
        ),
        ({"content": None, "refusal": "I cannot."}, "stop", "refused", "I cannot."),
        ({"content": None}, "content_filter", "refused", ""),
        ({"content": ""}, "length", "truncated", ""),
        ({"content": "the start"}, "length", "truncated", "the start"),
        ({"content": None, "reasoning_content": "hmm"}, "length", "truncated", ""),
        ({"content": "7", "tool_calls": [{"id": "1"}]}, "tool_calls", "answered", "7"),
    ],
)
def test_finish_reason_decides_the_status(message: JsonObject, finish: str, status: str, text: str) -> None:
    reply = WIRE.reply(completion(message, finish))
    assert (reply.status, reply.text, reply.finish_reason) == (status, text, finish)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({"choices": []}, "has no choices"),
        ({}, "has no choices"),
        ({"choices": [{"index": 0}]}, "no message"),
        (completion({"content": None}), "no content"),
        (completion({"content": None, "tool_calls": [{"id": "1"}]}, "tool_calls"), "called a tool"),
        ([1], "no JSON object but list"),
    ],
)
def test_an_answer_without_text_is_a_protocol_failure(server: LoopbackServer, answer: Any, said: str) -> None:
    server.script(json_answer(answer))
    reply = ask_chat(server.base)
    assert (reply.status, reply.failure) == ("failed", "protocol")
    assert reply.error is not None
    assert said in reply.error
    assert len(server.requests) == 1


def test_key_is_sent_as_bearer(server: LoopbackServer) -> None:
    adapter = OpenAIChat(provider="http", name="m", base=server.base)
    ask_once(adapter, key=Key("sk-1234567890", variable="EYECHART_API_KEY"))
    assert server.requests[0].headers["authorization"] == "Bearer sk-1234567890"


def test_without_a_key_no_authorization_is_sent(server: LoopbackServer) -> None:
    ask_chat(server.base)
    assert "authorization" not in server.requests[0].headers
