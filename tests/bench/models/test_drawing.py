from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from bench.errors import UserError
from bench.models.providers.azure import AzureImageEdits
from bench.models.providers.gemini import GeminiDrawing
from bench.models.providers.images import OpenAIImageEdits
from bench.models.providers.openrouter import OpenRouterDrawing
from bench.models.resolve import resolve_drawing
from bench.models.types import Message, Request, SamplingParams
from tests.bench.models.asking import PICTURE, ask_once, picture_ask
from tests.loopback.answers import json_answer
from tests.loopback.formats import PIXEL, chat_answer, gemini_answer

if TYPE_CHECKING:
    from bench.models.providers.base import ProviderAdapter
    from tests.loopback.server import LoopbackServer

PROVIDERS = ("openai", "azure", "gemini", "openrouter")
DRAW = picture_ask("Draw the auxiliary line.", temperature=None)


def drawing_wire(provider: str, url: str) -> ProviderAdapter:
    adapters: dict[str, ProviderAdapter] = {
        "openai": OpenAIImageEdits(name="gpt-image-2", base=f"{url}/v1"),
        "azure": AzureImageEdits(name="my-image", base=url),
        "gemini": GeminiDrawing(name="gemini-3-pro-image", base=url),
        "openrouter": OpenRouterDrawing(name="v/m", base=f"{url}/api/v1"),
    }
    return adapters[provider]


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_drawing_comes_back_as_its_bytes(server: LoopbackServer, provider: str) -> None:
    reply = ask_once(drawing_wire(provider, server.url), DRAW)
    assert (reply.status, reply.pictures) == ("answered", (PIXEL,))
    assert reply.usage.output_tokens


def test_edits_send_a_form_with_typed_files(server: LoopbackServer) -> None:
    ask_once(drawing_wire("openai", server.url), DRAW)
    request = server.requests[0]
    assert request.headers["content-type"].startswith("multipart/form-data; boundary=")
    assert b'name="image"; filename="0.png"\r\nContent-Type: image/png\r\n\r\n' + PICTURE in request.body
    assert b'name="prompt"\r\n\r\nDraw the auxiliary line.\r\n' in request.body
    assert b'name="model"\r\n\r\ngpt-image-2\r\n' in request.body


def test_edits_of_several_pictures_use_the_repeated_field(server: LoopbackServer) -> None:
    ask = Request(
        messages=(Message(role="user", text="x", pictures=(PICTURE, PICTURE)),), sampling=SamplingParams()
    )
    ask_once(drawing_wire("openai", server.url), ask)
    assert server.requests[0].body.count(b'name="image[]"') == 2


def test_edits_without_a_picture_are_refused() -> None:
    ask = Request(messages=(Message(role="user", text="x"),), sampling=SamplingParams())
    with pytest.raises(UserError, match="edits 1 to 16 pictures, got 0"):
        drawing_wire("openai", "http://127.0.0.1:1").body(ask)


def test_edit_tokens_are_told_apart(server: LoopbackServer) -> None:
    usage = ask_once(drawing_wire("openai", server.url), DRAW).usage
    assert (usage.input_tokens, usage.image_input_tokens, usage.image_output_tokens) == (300, 250, 1500)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_blocked_drawing_is_a_refusal(server: LoopbackServer, provider: str) -> None:
    blocked: dict[str, Any] = {
        "gemini": json_answer({"candidates": [{"finishReason": "IMAGE_SAFETY"}]}),
        "openrouter": json_answer({"error": {"code": 403, "message": "Your input was flagged"}}, status=403),
    }
    edits = json_answer(
        {"error": {"message": "rejected", "type": "image_generation_user_error", "code": "moderation_blocked"}},
        status=400,
    )
    server.always(blocked.get(provider, edits))
    reply = ask_once(drawing_wire(provider, server.url), DRAW)
    assert (reply.status, reply.attempts) == ("refused", 1)


@pytest.mark.parametrize(
    ("provider", "answer"),
    [("gemini", gemini_answer({"text": "words"})), ("openrouter", chat_answer("words"))],
)
def test_words_alone_are_an_answer_without_a_picture(server: LoopbackServer, provider: str, answer: Any) -> None:
    server.always(json_answer(answer))
    reply = ask_once(drawing_wire(provider, server.url), DRAW)
    assert (reply.status, reply.text, reply.pictures) == ("answered", "words", ())


@pytest.mark.parametrize("data", [None, "x", {"b64_json": ""}, [{"b64_json": "!!!"}], [{"url": "https://x/y"}]])
def test_a_damaged_drawing_is_a_protocol_failure(server: LoopbackServer, data: Any) -> None:
    server.always(json_answer({"data": data}))
    assert ask_once(drawing_wire("openai", server.url), DRAW).failure == "protocol"


@pytest.mark.parametrize(
    ("data", "pictures"),
    [
        ([], ()),
        ([{"b64_json": None}], ()),
        ([{"b64_json": ""}], (b"",)),
        ([{"b64_json": "aGVsbG8="}], (b"hello",)),
    ],
)
def test_what_was_paid_for_is_an_answer_also_where_it_is_no_picture(
    server: LoopbackServer, data: Any, pictures: tuple[bytes, ...]
) -> None:
    server.always(json_answer({"data": data}))
    reply = ask_once(drawing_wire("openai", server.url), DRAW)
    assert (reply.status, reply.pictures) == ("answered", pictures)


def test_an_address_instead_of_a_drawing_is_a_protocol_failure(server: LoopbackServer) -> None:
    images = [{"image_url": {"url": "https://elsewhere/x.png"}}]
    server.always(json_answer(chat_answer("", images=images)))
    reply = ask_once(drawing_wire("openrouter", server.url), DRAW)
    assert "an address, not the picture" in str(reply.error)


@pytest.mark.parametrize("provider", ["anthropic", "ollama"])
def test_a_provider_whose_models_do_not_draw_is_refused(provider: str) -> None:
    with pytest.raises(UserError, match="models that draw are at azure, gemini, openai, openrouter"):
        resolve_drawing(f"{provider}:m", environ={"ANTHROPIC_API_KEY": "k123456"})


def test_a_drawing_may_be_larger_than_a_text() -> None:
    factory = resolve_drawing("openai:gpt-image-2", environ={"OPENAI_API_KEY": "k123456"})
    assert factory.client_limits.reply_limit_bytes == 64 * 1024 * 1024
    assert factory.adapter.url.endswith("/images/edits")
