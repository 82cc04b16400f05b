"""The reader as a model: asked like any other, with prompt and picture bytes and nothing else."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from bench.models.reader.processes import ReadingFault, ReadingProcess
from bench.models.types import Response

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.types import Request

__all__ = ["Reader", "ReaderFactory"]

PROVIDER = "offline"
NAME = "reader"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderFactory:
    """Makes the reader; `processes` read side by side, each a process of its own."""

    processes: int = 1
    provider: ClassVar[str] = PROVIDER
    name: ClassVar[str] = NAME
    about: ClassVar[str] = "embedded, no AI: measures the pixels; the baseline that needs no key"
    remote: ClassVar[bool] = False
    price: ClassVar[None] = None
    declines: ClassVar[Mapping[str, str]] = {
        "auxsolidmath": "the reader measures pictures and does not reason: it answers no solid-geometry problem",
    }

    def __post_init__(self) -> None:
        if self.processes < 1:
            raise ValueError(f"processes: expected at least 1, got {self.processes}")

    def __call__(self) -> Reader:
        """Return a reader; no process is started before it is asked."""
        return Reader(self.processes)

    @property
    def identity(self) -> dict[str, Any]:
        """What besides the Ask decides a reply; its replies are not stored, for its code may change."""
        return {"provider": self.provider, "name": self.name}


@dataclass(slots=True)
class Reader:
    """A model whose asks are read in processes of its own; they start when the first ones are needed.

    Only the last turn's text and picture reach a process: no id, no truth, no path.
    """

    processes: int
    provider: ClassVar[str] = PROVIDER
    name: ClassVar[str] = NAME
    _idle: list[ReadingProcess] = field(default_factory=list)
    _started: int = 0
    _free: asyncio.Condition = field(default_factory=asyncio.Condition)

    @property
    def identity(self) -> dict[str, Any]:
        """The same as the factory's."""
        return ReaderFactory().identity

    @property
    def adaptations(self) -> list[dict[str, str]]:
        """Nothing is ever refused by a server."""
        return []

    async def ask(self, ask: Request) -> Response:
        """Read the last turn's picture; a fault of the reader itself is a failed reply, never an answer."""
        question = ask.turns[-1]
        if not question.pictures:
            return Response(status="refused", text="There is no picture to read.", finish_reason="no picture")
        process = await self._take()
        try:
            reading = await process.read(question.pictures[-1], question.text)
        except ReadingFault as fault:
            return Response(status="failed", failure="data", error=f"reader: {fault}")
        finally:
            await self._give_back(process)
        return Response(
            status="answered" if reading.answered else "refused",
            text=reading.text,
            served_model=NAME,
            finish_reason="stop" if reading.answered else "refusal",
            latency_s=reading.seconds,
        )

    def send_no_more(self) -> None:
        """Nothing is sent anywhere; what is being read is soon done."""

    async def close(self) -> None:
        """End the processes."""
        while self._idle:
            await self._idle.pop().close()

    async def _take(self) -> ReadingProcess:
        async with self._free:
            await self._free.wait_for(lambda: self._idle or self._started < self.processes)
            if self._idle:
                return self._idle.pop()
            self._started += 1
            return ReadingProcess()

    async def _give_back(self, process: ReadingProcess) -> None:
        async with self._free:
            self._idle.append(process)
            self._free.notify()
