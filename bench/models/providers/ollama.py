"""Ollama's own chat interface, which lets the context overflow be refused instead of cut silently.

Follows ollama at commit fb307609 (2026-08-21), `POST /api/chat`. The OpenAI-compatible path of the same server
splits a message into one per part, forces the temperature to 1 and cannot refuse an overflow.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from bench.errors import UserError
from bench.models.json_values import JsonObject, JsonValue, count, encode_json, text_of
from bench.models.keys import bearer_headers
from bench.models.providers.base import Unreadable, base64_text
from bench.models.request_errors import RequestError, classify, read_error
from bench.models.types import Message, Request, Response, SamplingParams, Status, Usage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.keys import Key
    from bench.models.providers.base import Adaptation

__all__ = ["Ollama"]

THINKING: dict[str, bool | str] = {
    "none": False, "low": "low", "medium": "medium", "high": "high", "max": "max",
}  # fmt: skip
WHOLE = ("high", "auto", "original")
LASTING = ("does not support", "not found", "missing data required for image", "exceeds the available context")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ollama:
    """The native chat interface; `base` is the server's address without `/api`."""

    name: str
    base: str

    provider: ClassVar[str] = "ollama"
    version: ClassVar[str] = "ollama-chat/1"

    @property
    def url(self) -> str:
        """Where requests are posted."""
        return f"{self.base.removesuffix('/v1').removesuffix('/api')}/api/chat"

    def headers(self, key: Key | None) -> dict[str, str]:
        """Return a bearer header where a proxy wants one; Ollama itself wants none."""
        return bearer_headers(key)

    def check(self, sampling: SamplingParams, *, structured: bool) -> None:  # noqa: ARG002 - schemas are passed on
        """Refuse an effort or a picture detail that there is no word for."""
        effort, detail = sampling.reasoning_effort, sampling.image_detail
        if effort is not None and effort not in THINKING:
            raise UserError(f"ollama takes --reasoning-effort {', '.join(THINKING)}, got {effort!r}")
        if detail is not None and detail not in WHOLE:
            raise UserError(f"ollama has no picture detail: --image-detail={detail} cannot be had")

    def body(self, request: Request) -> JsonObject:
        """Return the request body: one piece, and refused where it does not fit the context."""
        sampling = request.sampling
        body: JsonObject = {
            "model": self.name,
            "messages": [_message(message) for message in request.messages],
            "stream": False,
            "truncate": False,
            "shift": False,
        }
        options: JsonObject = {}
        if sampling.temperature is not None:
            options["temperature"] = sampling.temperature
        if sampling.max_tokens is not None:
            options["num_predict"] = sampling.max_tokens
        if options:
            body["options"] = options
        if sampling.reasoning_effort is not None:
            body["think"] = THINKING.get(sampling.reasoning_effort, sampling.reasoning_effort)
        if request.schema is not None:
            body["format"] = request.schema
        return body

    def encode(self, body: JsonObject) -> tuple[bytes, str]:
        """Return the body as JSON."""
        return encode_json(body)

    def reply(self, answer: JsonObject) -> Response:
        """Read a finished message."""
        message = answer.get("message")
        if not isinstance(message, dict):
            raise Unreadable("the answer has no message")
        text, reason = message.get("content"), text_of(answer.get("done_reason"))
        return Response(
            status=_status(message, reason),
            text=text if isinstance(text, str) else "",
            served_model=text_of(answer.get("model")),
            finish_reason=reason,
            usage=self.usage(answer),
        )

    def usage(self, answer: JsonObject) -> Usage:
        """Read token counts."""
        return Usage(input_tokens=count(answer, "prompt_eval_count"), output_tokens=count(answer, "eval_count"))

    def fault(self, status: int, headers: Mapping[str, str], answer: JsonValue) -> RequestError:
        """Judge an error answer; what the model cannot do stays so."""
        error = read_error(answer)
        fault = classify(status, headers, error, server="Ollama")
        return replace(fault, kind="protocol", retryable=False) if error.says(*LASTING) else fault

    def adaptation(self, fault: RequestError) -> Adaptation | None:  # noqa: ARG002 - it ignores what it does not know
        """Return None: this server refuses no field that could be left out."""
        return None


def _message(message: Message) -> JsonObject:
    content: JsonObject = {"role": message.role, "content": message.text}
    if message.pictures:
        content["images"] = [base64_text(picture) for picture in message.pictures]
    return content


def _status(message: JsonObject, reason: str | None) -> Status:
    if reason == "length":
        return "truncated"
    if not isinstance(message.get("content"), str):
        raise Unreadable("the message has no content")
    if not message["content"] and message.get("tool_calls"):
        raise Unreadable("the model called a tool instead of answering")
    return "answered"
