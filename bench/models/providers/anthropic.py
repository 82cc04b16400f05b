"""Anthropic messages.

Follows the anthropic package 2.14.0 (2026-11) and the versioning and vision pages of the platform's documentation;
`anthropic-version` 2023-06-01, because 2026-10-21 refuses every temperature. Pictures carry
`transformations.oversized_image: error`: the server must refuse what it would otherwise shrink unseen.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from bench.errors import UserError
from bench.models.json_values import JsonObject, JsonValue, at, count, encode_json, objects, text_of
from bench.models.providers.base import Adaptation, Unreadable, adaptation_for, base64_text, media_type
from bench.models.request_errors import RequestError, classify, read_error
from bench.models.types import Message, Request, Response, SamplingParams, Status, Usage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.keys import Key

__all__ = ["Anthropic"]

API_VERSION = "2023-06-01"
EFFORTS = ("low", "medium", "high", "xhigh", "max")
UNSHRUNK = ("high", "auto", "original")
MAX_TOKENS = 8192
OVERSIZED = Adaptation(action="drop", path="messages[].content[].transformations")
ADAPTABLE: dict[str, Adaptation] = {
    "temperature": Adaptation(action="drop", path="temperature"),
    "transformations": OVERSIZED,
    "messages[].content[].transformations": OVERSIZED,
    "messages[].content[].image.transformations": OVERSIZED,
}
STATUSES: dict[str, Status] = {
    "end_turn": "answered",
    "stop_sequence": "answered",
    "max_tokens": "truncated",
    "model_context_window_exceeded": "truncated",
    "pause_turn": "truncated",
    "refusal": "refused",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Anthropic:
    """The messages interface; `base` is the server's address without `/v1`."""

    name: str
    base: str

    provider: ClassVar[str] = "anthropic"
    version: ClassVar[str] = f"anthropic-messages/1 {API_VERSION}"

    @property
    def url(self) -> str:
        """Where requests are posted."""
        return f"{self.base.removesuffix('/v1')}/v1/messages"

    def headers(self, key: Key | None) -> dict[str, str]:
        """Return the key and the version of the interface."""
        headers = {"anthropic-version": API_VERSION}
        return {**headers, "x-api-key": key.reveal()} if key else headers

    def check(self, sampling: SamplingParams, *, structured: bool) -> None:  # noqa: ARG002 - schemas are passed on
        """Refuse an effort that is not one of Anthropic's, and a picture detail there is no word for."""
        effort, detail = sampling.reasoning_effort, sampling.image_detail
        if effort is not None and effort not in EFFORTS:
            raise UserError(f"{self.name} takes --reasoning-effort {', '.join(EFFORTS)}, got {effort!r}")
        if detail is not None and detail not in UNSHRUNK:
            raise UserError(f"anthropic shows every picture whole: --image-detail={detail} cannot be had")

    def body(self, request: Request) -> JsonObject:
        """Return the request body; pictures follow their turn's text."""
        sampling = request.sampling
        body: JsonObject = {
            "model": self.name,
            "max_tokens": MAX_TOKENS if sampling.max_tokens is None else sampling.max_tokens,
            "messages": [_message(message) for message in request.messages if message.role != "system"],
        }
        system = "\n\n".join(message.text for message in request.messages if message.role == "system")
        if system:
            body["system"] = system
        if sampling.temperature is not None:
            body["temperature"] = sampling.temperature
        if config := _output_config(request):
            body["output_config"] = config
        return body

    def encode(self, body: JsonObject) -> tuple[bytes, str]:
        """Return the body as JSON."""
        return encode_json(body)

    def reply(self, answer: JsonObject) -> Response:
        """Read a message: its text blocks, without the thinking."""
        content = answer.get("content")
        if not isinstance(content, list):
            raise Unreadable("the answer has no content")
        blocks = [block for block in objects(content) if block.get("type") == "text"]
        text = "".join(b["text"] for b in blocks if text_of(b.get("text")))
        reason = text_of(answer.get("stop_reason"))
        return Response(
            status=_status(reason, text),
            text=text or text_of(at(answer, "stop_details", "explanation")) or "",
            served_model=text_of(answer.get("model")),
            finish_reason=reason,
            usage=self.usage(answer),
        )

    def usage(self, answer: JsonObject) -> Usage:
        """Read token counts; input includes what was written to the cache and read from it."""
        usage = answer.get("usage")
        fresh = count(usage, "input_tokens")
        written = count(usage, "cache_creation_input_tokens") or 0
        cached = count(usage, "cache_read_input_tokens")
        return Usage(
            input_tokens=None if fresh is None else fresh + written + (cached or 0),
            output_tokens=count(usage, "output_tokens"),
            reasoning_tokens=count(usage, "output_tokens_details", "thinking_tokens"),
            cached_tokens=cached,
        )

    def fault(self, status: int, headers: Mapping[str, str], answer: JsonValue) -> RequestError:
        """Judge an error answer: a spent balance is quota, wherever it shows."""
        error = read_error(answer)
        fault = classify(status, headers, error, server="Anthropic")
        if error.says("credit balance is too low", "billing_error", "spend_limit") or _spent(answer):
            return replace(fault, kind="quota", retryable=False)
        return fault

    def adaptation(self, fault: RequestError) -> Adaptation | None:
        """Return what to change when the server refuses a field that the question can do without."""
        return adaptation_for(fault, ADAPTABLE)


def _message(message: Message) -> JsonObject:
    content: list[JsonObject] = [{"type": "text", "text": message.text}] if message.text else []
    content += [_picture(picture) for picture in message.pictures]
    return {"role": message.role, "content": content}


def _picture(picture: bytes) -> JsonObject:
    source = {"type": "base64", "media_type": media_type(picture), "data": base64_text(picture)}
    return {"type": "image", "source": source, "transformations": {"oversized_image": "error"}}


def _output_config(request: Request) -> JsonObject:
    config: JsonObject = {}
    if request.sampling.reasoning_effort is not None:
        config["effort"] = request.sampling.reasoning_effort
    if request.schema is not None:
        config["format"] = {"type": "json_schema", "schema": request.schema}
    return config


def _status(reason: str | None, text: str) -> Status:
    if reason == "tool_use" and not text:
        raise Unreadable("the model called a tool instead of answering")
    status = STATUSES.get(reason or "", "answered")
    if status == "answered" and not text and reason not in STATUSES:
        raise Unreadable(f"the answer has no text and ended as {reason!r}")
    return status


def _spent(answer: JsonValue) -> bool:
    return bool(at(answer, "error", "details", "error_code") == "enforced_spend_limit_reached")
