"""Every wire, pointed at one loopback server, with the ordinary and the refusing answers of its format."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bench.models.providers.anthropic import Anthropic
from bench.models.providers.azure import AzureChat
from bench.models.providers.gemini import Gemini
from bench.models.providers.ollama import Ollama
from bench.models.providers.openai import OpenAIChat
from bench.models.providers.openai_responses import OpenAIResponses
from bench.models.providers.openrouter import OpenRouter
from tests.loopback.formats import (
    anthropic_answer,
    chat_answer,
    gemini_answer,
    ollama_answer,
    responses_answer,
)

if TYPE_CHECKING:
    from bench.models.providers.base import ProviderAdapter

__all__ = ["SHAPES", "Shapes", "adapter_for"]

TOOL = [{"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shapes:
    """What a provider's server says in the situations that every provider knows; None where it has no word."""

    cut: Any
    empty: Any
    null: Any
    tool: Any
    refusal: Any
    filtered: Any


def _chat() -> Shapes:
    return Shapes(
        cut=chat_answer("the start", finish="length"),
        empty={"id": "1", "choices": []},
        null=chat_answer(None),
        tool=chat_answer(None, finish="tool_calls", tool_calls=TOOL),
        refusal=chat_answer(None, refusal="I will not."),
        filtered=chat_answer(None, finish="content_filter"),
    )


def _message(*content: Any, status: str = "completed") -> Any:
    return {**responses_answer(""), "status": status, "output": [{"type": "message", "content": list(content)}]}


SHAPES: dict[str, Shapes] = {
    "openai": _chat(),
    "azure": _chat(),
    "openrouter": _chat(),
    "http": _chat(),
    "responses": Shapes(
        cut=responses_answer("the start", status="incomplete", reason="max_output_tokens"),
        empty={"status": "completed", "output": []},
        null={"status": "completed", "output": None},
        tool={"status": "completed", "output": [{"type": "function_call", "name": "f"}]},
        refusal=_message({"type": "refusal", "refusal": "I will not."}),
        filtered=responses_answer("", status="incomplete", reason="content_filter"),
    ),
    "anthropic": Shapes(
        cut=anthropic_answer("the start", stop="max_tokens"),
        empty={"type": "message", "stop_reason": "end_turn"},
        null=anthropic_answer("", content=None),
        tool=anthropic_answer("", stop="tool_use", content=[{"type": "tool_use", "name": "f"}]),
        refusal=anthropic_answer("", stop="refusal", stop_details={"explanation": "I will not."}),
        filtered=None,
    ),
    "gemini": Shapes(
        cut=gemini_answer({"text": "the start"}, finish="MAX_TOKENS"),
        empty={"candidates": []},
        null={"candidates": [{"finishReason": "OTHER"}]},
        tool=gemini_answer({"functionCall": {"name": "f"}}, finish="UNEXPECTED_TOOL_CALL"),
        refusal=gemini_answer(finish="SAFETY"),
        filtered={"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}},
    ),
    "ollama": Shapes(
        cut=ollama_answer("the start", done="length"),
        empty={"model": "m", "done": True},
        null={"message": {"role": "assistant", "content": None}, "done": True, "done_reason": "stop"},
        tool={"message": {"role": "assistant", "content": "", "tool_calls": TOOL}, "done_reason": "stop"},
        refusal=None,
        filtered=None,
    ),
}


def adapter_for(provider: str, url: str) -> ProviderAdapter:
    """Return the wire of a provider for the server at `url`, an address without a path."""
    adapters: dict[str, ProviderAdapter] = {
        "openai": OpenAIChat(
            provider="openai", name="m", base=f"{url}/v1", token_limit_field="max_completion_tokens"
        ),
        "responses": OpenAIResponses(provider="openai", name="m", base=f"{url}/v1"),
        "http": OpenAIChat(provider="http", name="m", base=f"{url}/v1"),
        "azure": AzureChat(provider="azure", name="m", base=url),
        "openrouter": OpenRouter(name="m", base=f"{url}/api/v1"),
        "anthropic": Anthropic(name="m", base=url),
        "gemini": Gemini(name="gemini-3-m", base=url),
        "ollama": Ollama(name="m", base=url),
    }
    return adapters[provider]
