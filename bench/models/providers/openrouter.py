"""OpenRouter chat completions: OpenAI's shape with routing, costs, and errors inside successful answers.

Follows the openrouter package 1.3.84 (2026-10) and the errors page of its documentation (2026).
`provider.require_parameters` is always sent: without it, parameters that an endpoint lacks are dropped silently.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from bench.models.json_values import JsonObject, JsonValue, at, decode_json, number_of, objects, text_of
from bench.models.providers.base import Unreadable, decode_picture
from bench.models.providers.openai import OpenAIChat, judge_openai
from bench.models.request_errors import RequestError, RequestFailed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.types import Request, Response, Usage

__all__ = ["OpenRouter", "OpenRouterDrawing", "judge_openrouter"]

FORBIDDEN = 403
FLAGGED = ("flagged", "moderation", "content filter", "content_filter", "content policy", "inappropriate")


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenRouter(OpenAIChat):
    """Chat completions through OpenRouter; `name` is `vendor/model`."""

    provider: str = "openrouter"
    server: str = "OpenRouter"

    version: ClassVar[str] = "openrouter-chat/1"

    def body(self, request: Request) -> JsonObject:
        """Return the request body, with the order to use only endpoints that honour all of it."""
        body = OpenAIChat.body(self, request)
        effort = body.pop("reasoning_effort", None)
        if effort is not None:
            body["reasoning"] = {"effort": effort}
        body["provider"] = {"require_parameters": True}
        return body

    def reply(self, answer: JsonObject) -> Response:
        """Read a completion; a choice may carry an error of its own."""
        first = at(answer, "choices", 0)
        if isinstance(first, dict) and first.get("error"):
            raise RequestFailed(judge_openrouter(_code(first), {}, first))
        return OpenAIChat.reply(self, answer)

    def usage(self, answer: JsonObject) -> Usage:
        """Read token counts and what the completion cost."""
        return replace(OpenAIChat.usage(self, answer), cost_usd=number_of(at(answer, "usage", "cost")))

    def fault(self, status: int, headers: Mapping[str, str], answer: JsonValue) -> RequestError:
        """Judge an error answer, by its own status and by what the provider behind it said."""
        return judge_openrouter(status, headers, answer)


def judge_openrouter(status: int, headers: Mapping[str, str], answer: JsonValue) -> RequestError:
    """Judge an error: content that was flagged is a refusal, whatever its status."""
    metadata = _metadata(answer)
    inner = metadata.get("headers")
    known = {str(k).lower(): str(v) for k, v in inner.items()} if isinstance(inner, dict) else {}
    fault = judge_openai(status, {**known, **headers}, answer, server="OpenRouter")
    said = f"{fault.message} {metadata.get('reasons', '')}".lower()
    if any(word in said for word in FLAGGED) or (status == FORBIDDEN and metadata.get("flagged_input")):
        return replace(fault, kind="refused", retryable=False)
    upstream = _upstream(metadata)
    return replace(fault, message=f"{fault.message} ({upstream})") if upstream else fault


def _metadata(answer: JsonValue) -> JsonObject:
    metadata = at(answer, "error", "metadata")
    return metadata if isinstance(metadata, dict) else {}


def _upstream(metadata: JsonObject) -> str:
    """Return the sentence of the provider behind OpenRouter, which comes as a string of JSON."""
    raw = metadata.get("raw")
    try:
        inner = decode_json(raw.encode()) if isinstance(raw, str) else None
    except ValueError:
        return " ".join(str(raw).split())[:150]
    message = text_of(at(inner, "error", "message")) or text_of(at(inner, "message")) or ""
    return " ".join(message.split())[:150]


def _code(choice: JsonObject) -> int:
    code = at(choice, "error", "code")
    return code if isinstance(code, int) else 502


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenRouterDrawing(OpenRouter):
    """A model behind OpenRouter that may answer with pictures."""

    version: ClassVar[str] = "openrouter-drawing/1"

    def body(self, request: Request) -> JsonObject:
        """Return the request body, with pictures allowed in the answer."""
        return {**OpenRouter.body(self, request), "modalities": ["image", "text"]}

    def reply(self, answer: JsonObject) -> Response:
        """Read the message's text and pictures."""
        pictures = tuple(_from_data_url(url) for url in _image_urls(answer))
        if pictures:
            choice = answer["choices"][0]
            message = {**choice["message"], "content": text_of(choice["message"].get("content")) or ""}
            answer = {**answer, "choices": [{**choice, "message": message}]}
        return replace(OpenRouter.reply(self, answer), pictures=pictures)


def _image_urls(answer: JsonObject) -> list[str]:
    images = objects(at(answer, "choices", 0, "message", "images"))
    urls = (at(image, "image_url", "url") for image in images)
    return [url for url in urls if isinstance(url, str)]


def _from_data_url(url: str) -> bytes:
    head, comma, data = url.partition(",")
    if not (head.startswith("data:image/") and head.endswith(";base64") and comma):
        raise Unreadable("the answer's picture is an address, not the picture itself")
    return decode_picture(data)
