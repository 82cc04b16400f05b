"""What the client tests share: asking a loopback server once, without waiting between attempts."""

from __future__ import annotations

import asyncio
import random
import struct
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bench.models.client import HttpModel
from bench.models.limits import ClientLimits
from bench.models.providers.openai import OpenAIChat
from bench.models.retry import Clock
from bench.models.types import Message, Request, Response, SamplingParams

if TYPE_CHECKING:
    from bench.models.keys import Key
    from bench.models.providers.base import ProviderAdapter

__all__ = ["Naps", "ask_chat", "ask_once", "picture_ask", "png"]

PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(range(256))


@dataclass(slots=True)
class Naps:
    """A sleep that passes at once and remembers how long it would have been, in seconds."""

    lengths_s: list[float] = field(default_factory=list)
    now_s: float = 0.0

    async def sleep(self, seconds: float) -> None:
        self.lengths_s.append(seconds)
        self.now_s += seconds
        await asyncio.sleep(0)

    def clock(self) -> Clock:
        return Clock(now=lambda: self.now_s, sleep=self.sleep, dice=random.Random(0))


def png(width: int, height: int) -> bytes:
    """The beginning of a PNG of this size: signature and header."""
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", width, height) + bytes(9)


def picture_ask(text: str = "How many?", **sampling: object) -> Request:
    """One user turn with one picture."""
    message = Message(role="user", text=text, pictures=(PICTURE,))
    return Request(messages=(message,), sampling=SamplingParams(**sampling))  # type: ignore[arg-type]


def ask_once(
    adapter: ProviderAdapter,
    ask: Request | None = None,
    *,
    key: Key | None = None,
    client_limits: ClientLimits | None = None,
    naps: Naps | None = None,
) -> Response:
    """Ask through a fresh model and close it."""

    async def run() -> Response:
        clock = (naps or Naps()).clock()
        model = HttpModel(adapter, key=key, client_limits=client_limits or ClientLimits(), clock=clock)
        try:
            return await model.ask(ask or picture_ask())
        finally:
            await model.close()

    return asyncio.run(run())


def ask_chat(base: str, ask: Request | None = None, **options: object) -> Response:
    """Ask an OpenAI-compatible server once."""
    adapter = OpenAIChat(provider="http", name="m", base=base)
    return ask_once(adapter, ask, **options)  # type: ignore[arg-type]
