"""OpenAI chat completions, and the many servers that speak it (vLLM, llama.cpp, LM Studio, transformers)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from bench.errors import UserError
from bench.models.json_values import JsonObject, JsonValue, at, count, encode_json, objects, text_of
from bench.models.keys import bearer_headers
from bench.models.providers.base import Adaptation, Unreadable, adaptation_for, data_url
from bench.models.request_errors import RequestError, classify, read_error
from bench.models.types import Message, Request, Response, Status, Usage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.keys import Key
    from bench.models.types import SamplingParams

__all__ = [
    "ADAPTABLE",
    "EFFORTS",
    "OpenAIAdapter",
    "OpenAIChat",
    "chat_text",
    "check_openai_effort",
    "judge_openai",
    "needs_responses",
    "schema_format",
]


EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")
RESPONSES_ONLY = re.compile(
    r"^(o1-pro|o3-pro|gpt-[\d.]+-(?:\w+-)?(?:pro|codex)|codex-|computer-use|.*deep-research)"
)
NO_EFFORT = re.compile(r"^(gpt-4|gpt-3\.5|chatgpt-4o)")


def needs_responses(name: str) -> bool:
    """Return whether the model is served by `/responses` alone."""
    return RESPONSES_ONLY.match(name) is not None


def check_openai_effort(name: str, effort: str | None) -> None:
    """Refuse an effort that no model knows, or any for a model that does not reason.

    Raises:
        UserError: The message names the option and the choices.
    """
    if effort is None:
        return
    if effort not in EFFORTS:
        raise UserError(f"--reasoning-effort must be one of {', '.join(EFFORTS)}, got {effort!r}")
    if NO_EFFORT.match(name):
        raise UserError(f"{name} does not reason and takes no --reasoning-effort: leave the option out")


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAIAdapter:
    """The common part of a wire; `base` is the server's address up to and without the interface's own path."""

    provider: str
    name: str
    base: str

    def headers(self, key: Key | None) -> dict[str, str]:
        """Return the bearer header, or none without a key."""
        return bearer_headers(key)

    def check(self, sampling: SamplingParams, *, structured: bool) -> None:  # noqa: ARG002 - schemas are passed on
        """Refuse an effort that this model cannot take."""
        check_openai_effort(self.name, sampling.reasoning_effort)

    def encode(self, body: JsonObject) -> tuple[bytes, str]:
        """Return the body as JSON."""
        return encode_json(body)


ROLE = Adaptation(action="fold", path="system role", to="the first user turn")
DETAIL = Adaptation(action="drop", path="messages[].content[].image_url.detail")
ADAPTABLE: dict[str, Adaptation] = {
    "temperature": Adaptation(action="drop", path="temperature"),
    "max_tokens": Adaptation(action="rename", path="max_tokens", to="max_completion_tokens"),
    "max_completion_tokens": Adaptation(action="rename", path="max_completion_tokens", to="max_tokens"),
    "messages[].role": ROLE,
    "system": ROLE,
    "detail": DETAIL,
    "image_url.detail": DETAIL,
    "messages[].content[].image_url.detail": DETAIL,
}
REFUSALS = (
    "content_filter",
    "moderation_blocked",
    "ResponsibleAIPolicyViolation",
    "content_policy_violation",
)
LASTING = ("exceed_context_size_error", "mmproj", "does not support image", "image input is not supported")


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAIChat(OpenAIAdapter):
    """Chat completions; `base` is the server's address up to and without `/chat/completions`."""

    server: str = "the server"
    token_limit_field: str = "max_tokens"  # noqa: S105 - a field name, not a password

    version: ClassVar[str] = "openai-chat/1"

    @property
    def url(self) -> str:
        """Where requests are posted."""
        return f"{self.base}/chat/completions"

    def body(self, request: Request) -> JsonObject:
        """Return the request body; pictures follow their turn's text."""
        sampling = request.sampling
        messages = [_message(message, sampling.image_detail) for message in request.messages]
        body: JsonObject = {"model": self.name, "messages": messages}
        if sampling.temperature is not None:
            body["temperature"] = sampling.temperature
        if sampling.max_tokens is not None:
            body[self.token_limit_field] = sampling.max_tokens
        if sampling.reasoning_effort is not None:
            body["reasoning_effort"] = sampling.reasoning_effort
        if request.schema is not None:
            body["response_format"] = {"type": "json_schema", "json_schema": schema_format(request.schema)}
        return body

    def reply(self, answer: JsonObject) -> Response:
        """Read a chat completion."""
        choice = at(answer, "choices", 0)
        if not isinstance(choice, dict):
            raise Unreadable("the answer has no choices")
        message = choice.get("message")
        if not isinstance(message, dict):
            raise Unreadable("the answer's first choice has no message")
        return Response(
            status=_status(choice, message),
            text=chat_text(message) or text_of(message.get("refusal")) or "",
            served_model=text_of(answer.get("model")),
            finish_reason=text_of(choice.get("finish_reason")),
            usage=self.usage(answer),
        )

    def usage(self, answer: JsonObject) -> Usage:
        """Read token counts; what is missing or no count is None."""
        usage = answer.get("usage")
        return Usage(
            input_tokens=count(usage, "prompt_tokens"),
            output_tokens=count(usage, "completion_tokens"),
            reasoning_tokens=count(usage, "completion_tokens_details", "reasoning_tokens"),
            cached_tokens=count(usage, "prompt_tokens_details", "cached_tokens"),
        )

    def fault(self, status: int, headers: Mapping[str, str], answer: JsonValue) -> RequestError:
        """Judge an error answer by status, then by the codes that override it."""
        return judge_openai(status, headers, answer, server=self.server)

    def adaptation(self, fault: RequestError) -> Adaptation | None:
        """Return what to change when the server refuses a field that the question can do without."""
        return adaptation_for(fault, ADAPTABLE)


def judge_openai(status: int, headers: Mapping[str, str], answer: JsonValue, *, server: str) -> RequestError:
    """Judge an error of the OpenAI shape: status first, then the codes and sentences that override it."""
    error = read_error(answer)
    fault = classify(status, headers, error, server=server)
    if error.says("insufficient_quota", "billing_hard_limit_reached"):
        return replace(fault, kind="quota", retryable=False)
    if error.says(*REFUSALS):
        return replace(fault, kind="refused", retryable=False)
    if error.says(*LASTING):
        return replace(fault, kind="protocol", retryable=False)
    return fault


def schema_format(schema: JsonObject) -> JsonObject:
    """Return a named, strict schema as both OpenAI interfaces want it."""
    return {"name": "answer", "schema": schema, "strict": True}


def chat_text(message: JsonObject) -> str | None:
    """Return a message's text, also when it comes in parts; None where there is none at all."""
    content = message.get("content")
    if isinstance(content, list):
        texts = (text_of(part.get("text")) for part in objects(content))
        return "".join(text for text in texts if text)
    return content if isinstance(content, str) else None


def _message(message: Message, detail: str | None) -> JsonObject:
    if not message.pictures:
        return {"role": message.role, "content": message.text}
    parts: list[JsonObject] = [{"type": "text", "text": message.text}] if message.text else []
    for picture in message.pictures:
        image: JsonObject = {"url": data_url(picture)}
        if detail is not None:
            image["detail"] = detail
        parts.append({"type": "image_url", "image_url": image})
    return {"role": message.role, "content": parts}


def _status(choice: JsonObject, message: JsonObject) -> Status:
    reason = text_of(choice.get("finish_reason"))
    if text_of(message.get("refusal")) or reason == "content_filter":
        return "refused"
    if reason in {"length", "max_tokens"}:
        return "truncated"
    if not chat_text(message) and (message.get("tool_calls") or message.get("function_call")):
        raise Unreadable("the model called a tool instead of answering")
    if chat_text(message) is None:
        raise Unreadable("the message has no content")
    return "answered"
