"""OpenAI chat completions, and the many servers that speak it (vLLM, llama.cpp, LM Studio, transformers).

Follows the typed shapes of the openai package 3.57.0 (2026-11) for `POST /chat/completions`; what other
servers do otherwise is from the llama.cpp server README, the vLLM server documentation and transformers 5.24.0.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from bench.models.adaptation import Adaptation, adaptation_for
from bench.models.faults import Fault, classify, read_error
from bench.models.json_values import JsonObject, JsonValue, at, count, objects, text_of
from bench.models.openai_wire import OpenAIWire
from bench.models.protocol import Ask, Reply, Status, Turn, Usage
from bench.models.wire import Unreadable, data_url

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["ADAPTABLE", "OpenAIChat", "chat_text", "judge_openai", "schema_format"]

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
class OpenAIChat(OpenAIWire):
    """Chat completions; `base` is the server's address up to and without `/chat/completions`."""

    server: str = "the server"
    token_limit_field: str = "max_tokens"  # noqa: S105 - a field name, not a password

    version: ClassVar[str] = "openai-chat/1"

    @property
    def url(self) -> str:
        """Where requests are posted."""
        return f"{self.base}/chat/completions"

    def body(self, ask: Ask) -> JsonObject:
        """Return the request body; pictures follow their turn's text."""
        sampling = ask.sampling
        messages = [_message(turn, sampling.image_detail) for turn in ask.turns]
        body: JsonObject = {"model": self.name, "messages": messages}
        if sampling.temperature is not None:
            body["temperature"] = sampling.temperature
        if sampling.max_tokens is not None:
            body[self.token_limit_field] = sampling.max_tokens
        if sampling.reasoning_effort is not None:
            body["reasoning_effort"] = sampling.reasoning_effort
        if ask.schema is not None:
            body["response_format"] = {"type": "json_schema", "json_schema": schema_format(ask.schema)}
        return body

    def reply(self, answer: JsonObject) -> Reply:
        """Read a chat completion."""
        choice = at(answer, "choices", 0)
        if not isinstance(choice, dict):
            raise Unreadable("the answer has no choices")
        message = choice.get("message")
        if not isinstance(message, dict):
            raise Unreadable("the answer's first choice has no message")
        return Reply(
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

    def fault(self, status: int, headers: Mapping[str, str], answer: JsonValue) -> Fault:
        """Judge an error answer by status, then by the codes that override it."""
        return judge_openai(status, headers, answer, server=self.server)

    def adaptation(self, fault: Fault) -> Adaptation | None:
        """Return what to change when the server refuses a field that the question can do without."""
        return adaptation_for(fault, ADAPTABLE)


def judge_openai(status: int, headers: Mapping[str, str], answer: JsonValue, *, server: str) -> Fault:
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


def _message(turn: Turn, detail: str | None) -> JsonObject:
    if not turn.pictures:
        return {"role": turn.role, "content": turn.text}
    parts: list[JsonObject] = [{"type": "text", "text": turn.text}] if turn.text else []
    for picture in turn.pictures:
        image: JsonObject = {"url": data_url(picture)}
        if detail is not None:
            image["detail"] = detail
        parts.append({"type": "image_url", "image_url": image})
    return {"role": turn.role, "content": parts}


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
