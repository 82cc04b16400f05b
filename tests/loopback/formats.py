"""The wire formats the loopback server speaks: from a request to an ordinary answer carrying a given text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.loopback.answers import Answer, Request, json_answer

__all__ = ["ordinary_answer"]

TextFor = Callable[[str], str]


def ordinary_answer(request: Request, text_for: TextFor) -> Answer:
    """Answer the last user text of `request` in the format its path asks for."""
    for ending, speak in FORMATS.items():
        if request.path.partition("?")[0].endswith(ending):
            return json_answer(speak(request.json, text_for))
    return json_answer({"error": {"message": f"no such path: {request.path}", "code": None}}, status=404)


def _chat(body: Any, text_for: TextFor) -> Any:
    text = text_for(_last_user_text(body["messages"]))
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_790_000_000,
        "model": f"{body['model']}-2026-01-01",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text, "refusal": None},
                "finish_reason": "stop",
            }
        ],
        "usage": {
            "prompt_tokens": 1000,
            "completion_tokens": 50,
            "total_tokens": 1050,
            "prompt_tokens_details": {"cached_tokens": 100},
            "completion_tokens_details": {"reasoning_tokens": 10},
        },
    }


def _last_user_text(messages: list[Any]) -> str:
    content = next(m["content"] for m in reversed(messages) if m["role"] == "user")
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content)


FORMATS: dict[str, Callable[[Any, TextFor], Any]] = {"/chat/completions": _chat}
