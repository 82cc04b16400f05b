"""Pictures against the providers' limits and rules; figures are worked out from their documentation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.models.images import image_tokens, limits_for, picture_problem, picture_size
from bench.models.types import Message, Request, SamplingParams
from tests.bench.models.adapters import adapter_for
from tests.bench.models.asking import ask_once, png

if TYPE_CHECKING:
    from tests.loopback.server import LoopbackServer


def ask_with(*pictures: bytes) -> Request:
    return Request(messages=(Message(role="user", text="x", pictures=pictures),), sampling=SamplingParams())


@pytest.mark.parametrize(
    ("provider", "name", "size", "detail", "expected"),
    [
        # OpenAI's vision guide works these out itself.
        ("openai", "gpt-4o", (1024, 1024), "high", (768, 768, 765)),
        ("openai", "gpt-4o", (2048, 4096), "high", (768, 1536, 1105)),
        ("openai", "gpt-4o", (4096, 8192), "low", (256, 512, 85)),
        ("openai", "gpt-4o-mini", (1024, 1024), "high", (768, 768, 2833 + 4 * 5667)),
        ("openai", "gpt-4.1", (640, 480), "high", (640, 480, 85 + 2 * 170)),
        ("openai", "gpt-5", (640, 480), "high", (640, 480, 70 + 2 * 140)),
        ("openai", "o3", (640, 480), "high", (640, 480, 75 + 2 * 150)),
        ("openai", "gpt-5-mini", (1024, 1024), "high", (1024, 1024, 1659)),
        ("openai", "o4-mini", (1024, 1024), "high", (1024, 1024, 1762)),
        ("openai", "gpt-5.4", (1024, 1024), "high", (1024, 1024, 1229)),
        ("openai", "gpt-5.4-mini", (1024, 1024), "high", (1024, 1024, None)),
        ("openai", "gpt-4.1-nano", (1024, 1024), "high", (None, None, None)),
        ("openai", "gpt-5.5", (3000, 2000), None, (3000, 2000, 7107)),
        ("azure", "gpt-4o", (1024, 1024), "high", (None, None, None)),
        ("anthropic", "claude-haiku-4-5", (1000, 1000), None, (1000, 1000, 36 * 36 + 77)),
        ("anthropic", "claude-opus-4-7", (2576, 1000), None, (2576, 1000, 92 * 36 + 77)),
        ("anthropic", "claude-opus-5-5", (1000, 1000), None, (None, None, None)),
        ("gemini", "gemini-3.8-flash", (5000, 300), "high", (None, None, 1120)),
        ("gemini", "gemini-4-argon", (500, 300), "low", (None, None, 280)),
        ("gemini", "gemini-2.5-pro", (384, 384), "high", (384, 384, 258)),
        ("gemini", "gemini-2.5-pro", (960, 540), "high", (960, 540, 6 * 258)),
        ("ollama", "llava", (960, 540), "high", (None, None, None)),
    ],
)
def test_sight_follows_the_providers_rule(
    provider: str, name: str, size: tuple[int, int], detail: str | None, expected: tuple[int | None, ...]
) -> None:
    seen = image_tokens(provider, name, *size, detail=detail)
    assert (seen.width_px, seen.height_px, seen.tokens) == expected


@given(width=st.integers(1, 20_000), height=st.integers(1, 20_000))
def test_patches_never_exceed_their_bound(width: int, height: int) -> None:
    seen = image_tokens("openai", "gpt-5-mini", width, height, detail="high")
    assert seen.width_px is not None
    assert seen.height_px is not None
    assert -(-seen.width_px // 32) * -(-seen.height_px // 32) <= 1536
    assert seen.width_px <= width
    assert seen.height_px <= height


@given(width=st.integers(1, 20_000), height=st.integers(1, 20_000))
def test_claude_tokens_never_exceed_their_bound(width: int, height: int) -> None:
    tokens = image_tokens("anthropic", "claude-haiku-4-5", width, height, detail=None).tokens
    assert tokens is not None
    assert 0 < tokens <= 1568 + 77


@pytest.mark.parametrize(
    ("provider", "pictures", "said"),
    [
        ("anthropic", [png(8001, 10)], "8001 by 10 pixels; Anthropic's vision page allows 8000"),
        ("anthropic", [png(2001, 10)] * 21, "2001 by 10 pixels; Anthropic's vision page allows 2000"),
        ("anthropic", [png(10, 10)] * 101, "101 pictures in one ask; Anthropic's vision page allows 100"),
        ("anthropic", [png(10, 10) + bytes(4_000_000)], "bytes in base64; Anthropic's vision page allows 5242880"),
        ("gemini", [png(10, 10) + bytes(16_000_000)], "the Gemini API's request limit allows 20971520"),
        ("http", [b"not a picture"], "must be PNG, JPEG, WebP or GIF"),
        ("http", [b""], "must be PNG, JPEG, WebP or GIF"),
    ],
)
def test_a_picture_beyond_a_limit_names_the_limit(provider: str, pictures: list[bytes], said: str) -> None:
    assert said in str(picture_problem(ask_with(*pictures), limits_for(provider)))


@pytest.mark.parametrize("provider", ["openai", "azure", "anthropic", "gemini", "openrouter", "ollama", "http"])
def test_an_ordinary_picture_fits_everywhere(provider: str) -> None:
    assert picture_problem(ask_with(*[png(1200, 900)] * 6), limits_for(provider)) is None


def test_what_does_not_fit_is_not_sent(server: LoopbackServer) -> None:
    reply = ask_once(adapter_for("anthropic", server.url), ask_with(png(9000, 10)))
    assert (reply.failure, reply.attempts) == ("protocol", 0)
    assert str(reply.error).startswith("not sent: a picture of 9000 by 10 pixels")
    assert server.requests == []


def test_picture_size_is_read_from_the_header() -> None:
    assert picture_size(png(640, 480)) == (640, 480)
    assert picture_size(b"\xff\xd8\xff") is None
    assert picture_size(png(640, 480)[:20]) is None
