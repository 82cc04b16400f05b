"""The wire formats the loopback server speaks: from a request to an ordinary answer carrying a given text."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from typing import Any

from tests.loopback.answers import Answer, ReceivedRequest, json_answer

__all__ = [
    "PIXEL",
    "TextFor",
    "anthropic_answer",
    "chat_answer",
    "gemini_answer",
    "ollama_answer",
    "ordinary_answer",
    "responses_answer",
]

TextFor = Callable[[str], str]

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg=="
)
"""A PNG of one pixel: what the drawing models draw."""


def ordinary_answer(request: ReceivedRequest, text_for: TextFor) -> Answer:
    """Answer the last user text of `request` in the format its path asks for."""
    path = request.path.partition("?")[0]
    for pattern, speak in FORMATS:
        if re.search(pattern, path):
            return json_answer(speak(request, text_for), headers={"x-request-id": "req_loopback"})
    return json_answer({"error": {"message": f"no such path: {path}", "code": None}}, status=404)


def chat_answer(text: str | None, *, finish: str = "stop", model: str = "m", **message: Any) -> Any:
    """Return a chat completion; `message` adds fields to the message."""
    said = {"role": "assistant", "content": text, "refusal": None, **message}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_790_000_000,
        "model": f"{model}-2026-01-01",
        "choices": [{"index": 0, "message": said, "finish_reason": finish}],
        "usage": {
            "prompt_tokens": 1000,
            "completion_tokens": 50,
            "total_tokens": 1050,
            "prompt_tokens_details": {"cached_tokens": 100},
            "completion_tokens_details": {"reasoning_tokens": 10},
        },
    }


def responses_answer(text: str, *, status: str = "completed", reason: str | None = None) -> Any:
    """Return a response with a reasoning item before its message."""
    content = [{"type": "output_text", "text": text, "annotations": []}]
    return {
        "id": "resp_1",
        "object": "response",
        "status": status,
        "error": None,
        "incomplete_details": {"reason": reason} if reason else None,
        "model": "m-2026-01-01",
        "output": [
            {"type": "reasoning", "id": "rs_1", "summary": []},
            {"type": "message", "id": "msg_1", "role": "assistant", "status": status, "content": content},
        ],
        "usage": {
            "input_tokens": 1000,
            "output_tokens": 50,
            "total_tokens": 1050,
            "input_tokens_details": {"cached_tokens": 100},
            "output_tokens_details": {"reasoning_tokens": 10},
        },
    }


def anthropic_answer(text: str, *, stop: str = "end_turn", **more: Any) -> Any:
    """Return a message with a thinking block before its text."""
    blocks = [{"type": "thinking", "thinking": "hm", "signature": "s"}]
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "m-20260101",
        "content": [*blocks, {"type": "text", "text": text}] if text else [],
        "stop_reason": stop,
        "usage": {
            "input_tokens": 900,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 100,
            "output_tokens": 50,
            "output_tokens_details": {"thinking_tokens": 10},
        },
        **more,
    }


def gemini_answer(*parts: Any, finish: str = "STOP") -> Any:
    """Return a candidate with a thought before its parts."""
    thought = {"text": "hm", "thought": True}
    return {
        "candidates": [
            {"content": {"role": "model", "parts": [thought, *parts]}, "finishReason": finish, "index": 0}
        ],
        "usageMetadata": {
            "promptTokenCount": 1000,
            "candidatesTokenCount": 40,
            "thoughtsTokenCount": 10,
            "cachedContentTokenCount": 100,
            "totalTokenCount": 1050,
        },
        "modelVersion": "m-001",
    }


def ollama_answer(text: str, *, done: str = "stop") -> Any:
    """Return a finished native chat answer."""
    return {
        "model": "m",
        "created_at": "2026-01-01T00:00:00Z",
        "message": {"role": "assistant", "content": text},
        "done": True,
        "done_reason": done,
        "prompt_eval_count": 1000,
        "eval_count": 50,
    }


def _chat(request: ReceivedRequest, text_for: TextFor) -> Any:
    body = request.json
    drawn = "image" in body.get("modalities", ())
    url = "data:image/png;base64," + base64.b64encode(PIXEL).decode()
    more: dict[str, Any] = {"images": [{"type": "image_url", "image_url": {"url": url}}]} if drawn else {}
    return chat_answer(text_for(_texts(_last_user(body["messages"])["content"])), model=body["model"], **more)


def _responses(request: ReceivedRequest, text_for: TextFor) -> Any:
    return responses_answer(text_for(_texts(_last_user(request.json["input"])["content"])))


def _anthropic(request: ReceivedRequest, text_for: TextFor) -> Any:
    return anthropic_answer(text_for(_texts(_last_user(request.json["messages"])["content"])))


def _gemini(request: ReceivedRequest, text_for: TextFor) -> Any:
    body = request.json
    parts: list[Any] = [{"text": text_for(_texts(_last_user(body["contents"])["parts"]))}]
    if "IMAGE" in body.get("generationConfig", {}).get("responseModalities", ()):
        parts.append({"inlineData": {"mimeType": "image/png", "data": base64.b64encode(PIXEL).decode()}})
    return gemini_answer(*parts)


def _ollama(request: ReceivedRequest, text_for: TextFor) -> Any:
    return ollama_answer(text_for(_last_user(request.json["messages"])["content"]))


def _edits(request: ReceivedRequest, _: TextFor) -> Any:
    return {
        "created": 1_790_000_000,
        "data": [{"b64_json": base64.b64encode(PIXEL).decode()}],
        "usage": {
            "input_tokens": 300,
            "input_tokens_details": {"image_tokens": 250, "text_tokens": 50},
            "output_tokens": 1500,
            "total_tokens": 1800,
        },
    }


def _last_user(messages: list[Any]) -> Any:
    return next(message for message in reversed(messages) if message["role"] == "user")


def _texts(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content)


FORMATS: tuple[tuple[str, Callable[[ReceivedRequest, TextFor], Any]], ...] = (
    (r"/chat/completions$", _chat),
    (r"/responses$", _responses),
    (r"/v1/messages$", _anthropic),
    (r"/v1beta/models/[^/]+:generateContent$", _gemini),
    (r"/api/chat$", _ollama),
    (r"/images/edits$", _edits),
)
