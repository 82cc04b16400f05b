"""OpenAI chat completions, and the many servers that speak it.

Follows the typed shapes of the openai package 3.57.0 (2026-11) for `POST /chat/completions`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bench.models.faults import ErrorBody, Fault, classify, read_error
from bench.models.json_values import JsonObject, JsonValue, count, encode_json, text_of
from bench.models.protocol import Ask, Reply, Status, Turn, Usage
from bench.models.wire import Unreadable, png_data_url

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.keys import Key

__all__ = ["OpenAIChat", "read_usage"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAIChat:
    """Chat completions; `base` is the server's address up to and without `/chat/completions`."""

    provider: str
    name: str
    base: str
    server: str = "the server"
    version: str = "openai-chat/1"
    token_limit_field: str = "max_tokens"  # noqa: S105 - a field name, not a password

    @property
    def url(self) -> str:
        """Where requests are posted."""
        return f"{self.base}/chat/completions"

    def headers(self, key: Key | None) -> dict[str, str]:
        """Return the bearer header, or none without a key."""
        return {"authorization": f"Bearer {key.reveal()}"} if key else {}

    def body(self, ask: Ask) -> JsonObject:
        """Return the request body; pictures follow their turn's text."""
        sampling = ask.sampling
        body: JsonObject = {
            "model": self.name,
            "messages": [_message(turn, sampling.image_detail) for turn in ask.turns],
        }
        if sampling.temperature is not None:
            body["temperature"] = sampling.temperature
        if sampling.max_tokens is not None:
            body[self.token_limit_field] = sampling.max_tokens
        if sampling.reasoning_effort is not None:
            body["reasoning_effort"] = sampling.reasoning_effort
        if ask.schema is not None:
            body["response_format"] = _schema_format(ask.schema)
        return body

    def encode(self, body: JsonObject) -> tuple[bytes, str]:
        """Return the body as JSON."""
        return encode_json(body)

    def reply(self, answer: JsonObject) -> Reply:
        """Read a chat completion."""
        choices = answer.get("choices")
        if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
            raise Unreadable("the answer has no choices")
        message = choices[0].get("message")
        if not isinstance(message, dict):
            raise Unreadable("the answer's first choice has no message")
        return Reply(
            status=_status(choices[0], message),
            text=_text(message) or text_of(message.get("refusal")) or "",
            served_model=text_of(answer.get("model")),
            finish_reason=text_of(choices[0].get("finish_reason")),
            usage=read_usage(answer.get("usage")),
        )

    def fault(self, status: int, headers: Mapping[str, str], answer: JsonValue) -> Fault:
        """Judge an error answer by status, then by the codes that override it."""
        error = read_error(answer)
        return _override(classify(status, headers, error, server=self.server), error)


def read_usage(usage: JsonValue) -> Usage:
    """Read token counts; what is missing or no count is None."""
    return Usage(
        input_tokens=count(usage, "prompt_tokens"),
        output_tokens=count(usage, "completion_tokens"),
        reasoning_tokens=count(usage, "completion_tokens_details", "reasoning_tokens"),
        cached_tokens=count(usage, "prompt_tokens_details", "cached_tokens"),
    )


def _message(turn: Turn, detail: str | None) -> JsonObject:
    if not turn.pictures:
        return {"role": turn.role, "content": turn.text}
    parts: list[JsonObject] = [{"type": "text", "text": turn.text}] if turn.text else []
    for picture in turn.pictures:
        image = {"url": png_data_url(picture)}
        if detail is not None:
            image["detail"] = detail
        parts.append({"type": "image_url", "image_url": image})
    return {"role": turn.role, "content": parts}


def _schema_format(schema: JsonObject) -> JsonObject:
    return {
        "type": "json_schema",
        "json_schema": {"name": "answer", "schema": schema, "strict": True},
    }


def _text(message: JsonObject) -> str | None:
    content = message.get("content")
    if isinstance(content, list):
        texts = (text_of(part.get("text")) for part in content if isinstance(part, dict))
        return "".join(text for text in texts if text)
    return content if isinstance(content, str) else None


def _status(choice: JsonObject, message: JsonObject) -> Status:
    reason = choice.get("finish_reason")
    if text_of(message.get("refusal")) or reason == "content_filter":
        return "refused"
    if reason in {"length", "max_tokens"}:
        return "truncated"
    if not _text(message) and (message.get("tool_calls") or message.get("function_call")):
        raise Unreadable("the model called a tool instead of answering")
    if _text(message) is None:
        raise Unreadable("the message has no content")
    return "answered"


def _override(fault: Fault, error: ErrorBody) -> Fault:
    if "insufficient_quota" in {error.code, error.type}:
        return replace(fault, kind="quota", retryable=False)
    if error.code in {"content_filter", "moderation_blocked"}:
        return replace(fault, kind="refused", retryable=False)
    return fault
