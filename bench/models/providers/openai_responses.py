"""OpenAI responses, for the models that chat completions do not serve.

Follows the typed shapes of the openai package 3.57.0 (2026-11) for `POST /responses`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from bench.models.json_values import JsonObject, JsonValue, at, count, objects, text_of
from bench.models.providers.base import Adaptation, Unreadable, adaptation_for, data_url
from bench.models.providers.openai import OpenAIAdapter, judge_openai, schema_format
from bench.models.request_errors import RequestError, RequestFailed
from bench.models.types import FailureClass, Message, Request, Response, Status, Usage

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["OpenAIResponses"]

DETAIL = Adaptation(action="drop", path="input[].content[].detail")
ADAPTABLE: dict[str, Adaptation] = {
    "temperature": Adaptation(action="drop", path="temperature"),
    "detail": DETAIL,
    "input[].content[].detail": DETAIL,
}
CUT = frozenset({"max_output_tokens", "max_messages", "steered"})
PASSING = frozenset({"server_error", "rate_limit_exceeded"})


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAIResponses(OpenAIAdapter):
    """The responses interface; nothing is stored at the server."""

    server: str = "OpenAI"

    version: ClassVar[str] = "openai-responses/1"

    @property
    def url(self) -> str:
        """Where requests are posted."""
        return f"{self.base}/responses"

    def body(self, request: Request) -> JsonObject:
        """Return the request body; pictures follow their turn's text."""
        sampling = request.sampling
        messages = [_item(message, sampling.image_detail) for message in request.messages]
        body: JsonObject = {"model": self.name, "input": messages, "store": False}
        if sampling.temperature is not None:
            body["temperature"] = sampling.temperature
        if sampling.max_tokens is not None:
            body["max_output_tokens"] = sampling.max_tokens
        if sampling.reasoning_effort is not None:
            body["reasoning"] = {"effort": sampling.reasoning_effort}
        if request.schema is not None:
            body["text"] = {"format": {"type": "json_schema", **schema_format(request.schema)}}
        return body

    def reply(self, answer: JsonObject) -> Response:
        """Read a response: the text of all messages, or the refusal in its place."""
        parts = _parts(answer)
        texts = [part["text"] for part in parts if text_of(part.get("text"))]
        refusals = [part["refusal"] for part in parts if text_of(part.get("refusal"))]
        reason = _reason(answer)
        return Response(
            status=_status(answer.get("status"), reason, refused=bool(refusals)),
            text="".join(texts) or "".join(refusals),
            served_model=text_of(answer.get("model")),
            finish_reason=reason or text_of(answer.get("status")),
            usage=self.usage(answer),
        )

    def usage(self, answer: JsonObject) -> Usage:
        """Read token counts."""
        usage = answer.get("usage")
        return Usage(
            input_tokens=count(usage, "input_tokens"),
            output_tokens=count(usage, "output_tokens"),
            reasoning_tokens=count(usage, "output_tokens_details", "reasoning_tokens"),
            cached_tokens=count(usage, "input_tokens_details", "cached_tokens"),
        )

    def fault(self, status: int, headers: Mapping[str, str], answer: JsonValue) -> RequestError:
        """Judge an error answer; a response that failed by itself carries its error in a 200."""
        fault = judge_openai(status, headers, answer, server=self.server)
        if isinstance(answer, dict) and answer.get("status") == "failed" and fault.kind == "protocol":
            passing = fault.finish_reason in PASSING
            kind: FailureClass = "server" if passing else "protocol"
            return replace(fault, kind=kind, retryable=passing)
        return fault

    def adaptation(self, fault: RequestError) -> Adaptation | None:
        """Return what to change when the server refuses a field that the question can do without."""
        return adaptation_for(fault, ADAPTABLE)


def _item(message: Message, detail: str | None) -> JsonObject:
    kind = "output_text" if message.role == "assistant" else "input_text"
    content: list[JsonObject] = [{"type": kind, "text": message.text}] if message.text else []
    for picture in message.pictures:
        image = {"type": "input_image", "image_url": data_url(picture)}
        content.append(image if detail is None else {**image, "detail": detail})
    return {"type": "message", "role": message.role, "content": content}


def _parts(answer: JsonObject) -> list[JsonObject]:
    output = answer.get("output")
    if not isinstance(output, list):
        raise Unreadable("the answer has no output")
    messages = [item for item in objects(output) if item.get("type") == "message"]
    parts = [part for message in messages for part in objects(message.get("content"))]
    if not parts and answer.get("status") == "completed":
        raise Unreadable("the answer holds no message")
    return parts


def _reason(answer: JsonObject) -> str | None:
    return text_of(at(answer, "incomplete_details", "reason"))


def _status(status: JsonValue, reason: str | None, *, refused: bool) -> Status:
    if refused or reason == "content_filter":
        return "refused"
    if status == "incomplete" and (reason in CUT or reason is None):
        return "truncated"
    if status == "completed":
        return "answered"
    fault = RequestError(kind="server", message=f"the response ended as {status!r} ({reason})", retryable=False)
    raise RequestFailed(fault)
