"""What each wire sends, by its provider's documentation."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

import pytest

from bench.errors import UserError
from bench.models.keys import Key
from bench.models.prices import Price, reply_cost_usd
from bench.models.providers.azure import AzureChat
from bench.models.providers.openai import needs_responses
from bench.models.types import Message, Request, SamplingParams, Usage
from tests.bench.models.adapters import SHAPES, adapter_for
from tests.bench.models.asking import PICTURE, ask_once, picture_ask
from tests.loopback.answers import json_answer

if TYPE_CHECKING:
    from tests.loopback.server import LoopbackServer

URL = "http://127.0.0.1:1"
ENCODED = base64.b64encode(PICTURE).decode()
JPEG = b"\xff\xd8\xff\xe0" + bytes(30)
SCHEMA = {"type": "object", "properties": {"n": {"type": "number"}}}
TURNS = (
    Message(role="system", text="Be exact."),
    Message(role="user", text="one", pictures=(PICTURE, PICTURE)),
    Message(role="assistant", text="1"),
    Message(role="user", text="two", pictures=(PICTURE,)),
)
PROVIDERS = tuple(SHAPES)


def body_of(provider: str, ask: Request) -> Any:
    return adapter_for(provider, URL).body(ask)


def few_shot(**sampling: Any) -> Request:
    return Request(messages=TURNS, sampling=SamplingParams(**sampling))


@pytest.mark.parametrize("provider", PROVIDERS)
def test_every_wire_sends_the_picture_bytes_unmodified(server: LoopbackServer, provider: str) -> None:
    ask_once(adapter_for(provider, server.url), few_shot())
    assert server.requests[0].body.count(ENCODED.encode()) == 3


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_jpeg_is_declared_as_what_it_is(provider: str) -> None:
    ask = Request(messages=(Message(role="user", text="x", pictures=(JPEG,)),), sampling=SamplingParams())
    body = str(body_of(provider, ask))
    assert "image/png" not in body
    assert provider == "ollama" or "image/jpeg" in body


@pytest.mark.parametrize("provider", PROVIDERS)
def test_settings_left_to_the_server_are_not_sent(provider: str) -> None:
    body = str(body_of(provider, picture_ask(temperature=None, max_tokens=None, image_detail=None)))
    for word in ("temperature", "detail", "esolution", "reasoning", "thinking", "effort", "num_predict"):
        assert word not in body


@pytest.mark.parametrize("provider", PROVIDERS)
def test_key_is_in_a_header_and_nowhere_else(server: LoopbackServer, provider: str) -> None:
    ask_once(adapter_for(provider, server.url), key=Key("sk-0123456789", variable="K"))
    request = server.requests[0]
    assert sum("sk-0123456789" in value for value in request.headers.values()) == 1
    assert "sk-0123456789" not in request.path
    assert b"sk-0123456789" not in request.body


def test_responses_body() -> None:
    body = body_of("responses", few_shot(max_tokens=9, reasoning_effort="low"))
    assert body["store"] is False
    assert body["max_output_tokens"] == 9
    assert body["reasoning"] == {"effort": "low"}
    assert [item["role"] for item in body["input"]] == ["system", "user", "assistant", "user"]
    assert body["input"][1]["content"][1] == {
        "type": "input_image",
        "image_url": f"data:image/png;base64,{ENCODED}",
        "detail": "high",
    }
    assert body["input"][2]["content"] == [{"type": "output_text", "text": "1"}]


def test_anthropic_body() -> None:
    body = body_of("anthropic", few_shot(max_tokens=9, reasoning_effort="low"))
    assert body["system"] == "Be exact."
    assert body["max_tokens"] == 9
    assert body["output_config"] == {"effort": "low"}
    assert [message["role"] for message in body["messages"]] == ["user", "assistant", "user"]
    assert body["messages"][0]["content"][1] == {
        "type": "image",
        "source": {"type": "base64", "media_type": "image/png", "data": ENCODED},
        "transformations": {"oversized_image": "error"},
    }


def test_anthropic_always_has_a_token_limit() -> None:
    assert body_of("anthropic", few_shot())["max_tokens"] == 8192


def test_gemini_body() -> None:
    body = body_of("gemini", few_shot(max_tokens=9, reasoning_effort="low"))
    assert body["systemInstruction"] == {"parts": [{"text": "Be exact."}]}
    assert [content["role"] for content in body["contents"]] == ["user", "model", "user"]
    assert body["contents"][0]["parts"][1] == {"inlineData": {"mimeType": "image/png", "data": ENCODED}}
    assert body["generationConfig"] == {
        "temperature": 0.0,
        "maxOutputTokens": 9,
        "thinkingConfig": {"thinkingLevel": "LOW"},
        "mediaResolution": "MEDIA_RESOLUTION_HIGH",
    }


def test_gemini_asks_for_ultra_resolution_by_the_part() -> None:
    body = body_of("gemini", few_shot(image_detail="original"))
    assert body["contents"][0]["parts"][1]["mediaResolution"] == {"level": "MEDIA_RESOLUTION_ULTRA_HIGH"}
    assert "mediaResolution" not in body["generationConfig"]


def test_openrouter_uses_only_endpoints_that_honour_every_parameter() -> None:
    body = body_of("openrouter", few_shot(reasoning_effort="low"))
    assert body["provider"] == {"require_parameters": True}
    assert body["reasoning"] == {"effort": "low"}
    assert "reasoning_effort" not in body


def test_ollama_refuses_to_cut_what_does_not_fit() -> None:
    body = body_of("ollama", few_shot(max_tokens=9, reasoning_effort="none"))
    assert (body["stream"], body["truncate"], body["shift"], body["think"]) == (False, False, False, False)
    assert body["options"] == {"temperature": 0.0, "num_predict": 9}
    assert body["messages"][1] == {"role": "user", "content": "one", "images": [ENCODED, ENCODED]}


@pytest.mark.parametrize(
    ("provider", "path"),
    [
        ("openai", ("response_format", "json_schema", "schema")),
        ("azure", ("response_format", "json_schema", "schema")),
        ("http", ("response_format", "json_schema", "schema")),
        ("openrouter", ("response_format", "json_schema", "schema")),
        ("responses", ("text", "format", "schema")),
        ("anthropic", ("output_config", "format", "schema")),
        ("gemini", ("generationConfig", "responseJsonSchema")),
        ("ollama", ("format",)),
    ],
)
def test_schema_is_sent_where_the_provider_wants_it(provider: str, path: tuple[str, ...]) -> None:
    body = body_of(provider, Request(messages=TURNS, sampling=SamplingParams(), schema=SCHEMA))
    for name in path:
        body = body[name]
    assert body == SCHEMA


def test_azure_without_a_version_uses_the_v1_interface() -> None:
    adapter = AzureChat(provider="azure", name="my dep", base="https://r.openai.azure.com")
    assert adapter.url == "https://r.openai.azure.com/openai/v1/chat/completions"


def test_azure_with_a_version_uses_the_deployment_path() -> None:
    adapter = AzureChat(
        provider="azure", name="my dep", base="https://r.openai.azure.com", api_version="2024-10-21"
    )
    assert adapter.url == (
        "https://r.openai.azure.com/openai/deployments/my%20dep/chat/completions?api-version=2024-10-21"
    )


@pytest.mark.parametrize(("bearer", "header"), [(False, "api-key"), (True, "authorization")])
def test_azure_takes_a_key_or_a_token(*, bearer: bool, header: str) -> None:
    adapter = AzureChat(provider="azure", name="d", base="https://r.openai.azure.com", bearer=bearer)
    assert list(adapter.headers(Key("k" * 9, variable="K"))) == [header]


@pytest.mark.parametrize(
    ("name", "needed"),
    [("o1-pro", True), ("o3-pro-2025-06-10", True), ("gpt-5-pro", True), ("gpt-5.1-codex-mini", True),
     ("o4-mini-deep-research", True), ("gpt-5.5", False), ("o3", False), ("gpt-4o", False)],
)  # fmt: skip
def test_some_openai_models_need_the_responses_interface(name: str, *, needed: bool) -> None:
    assert needs_responses(name) is needed


@pytest.mark.parametrize(
    ("provider", "sampling", "said"),
    [
        ("anthropic", {"reasoning_effort": "none"}, "takes --reasoning-effort low, medium"),
        ("anthropic", {"image_detail": "low"}, "--image-detail=low cannot be had"),
        ("gemini", {"reasoning_effort": "max"}, "takes --reasoning-effort minimal, low"),
        ("ollama", {"reasoning_effort": "xhigh"}, "ollama takes --reasoning-effort none, low"),
        ("ollama", {"image_detail": "low"}, "no picture detail"),
        ("openai", {"reasoning_effort": "huge"}, "must be one of none, minimal, low"),
    ],
)
def test_a_setting_without_a_word_for_it_is_refused(provider: str, sampling: Any, said: str) -> None:
    with pytest.raises(UserError, match=said):
        adapter_for(provider, URL).check(SamplingParams(**sampling), structured=False)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_usual_settings_are_accepted(provider: str) -> None:
    adapter_for(provider, URL).check(SamplingParams(reasoning_effort="low"), structured=True)


def test_openrouter_says_what_a_reply_cost(server: LoopbackServer) -> None:
    adapter = adapter_for("openrouter", URL)
    answer = SHAPES["openrouter"].cut
    reply = adapter.reply({**answer, "usage": {**answer["usage"], "cost": 0.0123}})
    assert reply.usage.cost_usd == 0.0123


def test_anthropic_cached_tokens_are_part_of_the_input() -> None:
    usage = {"input_tokens": 5, "cache_creation_input_tokens": 10, "cache_read_input_tokens": 20}
    reply = adapter_for("anthropic", URL).reply({**SHAPES["anthropic"].cut, "usage": usage})
    assert (reply.usage.input_tokens, reply.usage.cached_tokens) == (35, 20)


def test_settings_that_are_equal_and_written_otherwise_have_digests_of_their_own() -> None:
    """The digest is a part of the reply store's key: it must not depend on what was asked before."""
    spelt: list[float] = [0, 0.0, -0.0]
    digests = {order: [digest_at(t) for t in spelt[::order]][::order] for order in (1, -1)}
    assert digests[1] == digests[-1]
    assert len(set(digests[1])) == 3


def digest_at(temperature: float) -> str:
    return Request(messages=TURNS, sampling=SamplingParams(temperature=temperature)).digest


COUNTED: dict[str, dict[str, Any]] = {
    "chat": {"usage": {"prompt_tokens": 1000, "completion_tokens": 50}},
    "tokens": {"usage": {"input_tokens": 1000, "output_tokens": 50}},
    "gemini": {"usageMetadata": {"promptTokenCount": 1000, "candidatesTokenCount": 50}},
    "ollama": {"prompt_eval_count": 1000, "eval_count": 50},
}


@pytest.mark.parametrize("provider", SHAPES)
@pytest.mark.parametrize("kind", ["empty", "null", "tool"])
def test_what_an_answer_used_counts_also_where_the_answer_is_of_no_use(
    server: LoopbackServer, provider: str, kind: str
) -> None:
    counted = {"responses": "tokens", "anthropic": "tokens", "gemini": "gemini", "ollama": "ollama"}
    answer = {**getattr(SHAPES[provider], kind), **COUNTED[counted.get(provider, "chat")]}
    server.always(json_answer(answer))
    reply = ask_once(adapter_for(provider, server.url))
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (1000, 50)
    price = Price(input=2.0, output=10.0)
    assert reply_cost_usd(reply, price) == pytest.approx(0.0025)


def test_what_openrouter_charged_counts_also_where_the_choice_failed(server: LoopbackServer) -> None:
    choice = {"error": {"code": 400, "message": "it broke"}, "message": {"content": None}}
    server.always(json_answer({"choices": [choice], "usage": {"cost": 0.5, "prompt_tokens": 7}}))
    reply = ask_once(adapter_for("openrouter", server.url))
    assert (reply.status, reply.usage.cost_usd, reply.usage.input_tokens) == ("failed", 0.5, 7)


@pytest.mark.parametrize("usage", [None, [], "many", {"prompt_tokens": -1}, {"prompt_tokens": "7"}, 3])
def test_a_senseless_count_is_none(server: LoopbackServer, usage: object) -> None:
    server.always(json_answer({"choices": [], "usage": usage}))
    reply = ask_once(adapter_for("http", server.url))
    assert (reply.failure, reply.usage) == ("protocol", Usage())
