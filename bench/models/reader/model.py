"""The reader as a model: asked like any other, with prompt and picture bytes and nothing else."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from bench.models.reader.reading import ReadingFailedError, ReadingProcess
from bench.models.types import Response

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.types import Request

__all__ = ["Reader", "ReaderFactory"]

PROVIDER = "offline"
NAME = "reader"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderFactory:
    """Makes the reader; `processes` read side by side."""

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
        """Return a reader; a process is started when the first picture comes to it."""
        return Reader(self.processes)

    @property
    def identity(self) -> dict[str, Any]:
        """What besides the request decides a response; its responses are not stored, for its code may change."""
        return {"provider": self.provider, "name": self.name}


class Reader:
    """A model that reads in processes of its own; only the last turn's text and picture reach a process."""

    provider: ClassVar[str] = PROVIDER
    name: ClassVar[str] = NAME

    def __init__(self, processes: int) -> None:
        self._processes = [ReadingProcess() for _ in range(processes)]
        self._free: asyncio.LifoQueue[ReadingProcess] = asyncio.LifoQueue()  # one that runs is taken first
        for process in self._processes:
            self._free.put_nowait(process)

    @property
    def identity(self) -> dict[str, Any]:
        """The same as the factory's."""
        return ReaderFactory().identity

    @property
    def adaptations(self) -> list[dict[str, str]]:
        """Nothing is ever refused by a server."""
        return []

    async def ask(self, request: Request) -> Response:
        """Read the last turn's picture; a fault of the reader itself is a failed reply, never an answer."""
        question = request.messages[-1]
        if not question.pictures:
            return Response(status="refused", text="There is no picture to read.", finish_reason="no picture")
        process = await self._free.get()
        try:
            answer = await process.read(question.pictures[-1], question.text)
        except ReadingFailedError as error:
            return Response(status="failed", failure="data", error=f"reader: {error}")
        finally:
            self._free.put_nowait(process)
        return Response(
            status="answered" if answer.answered else "refused",
            text=answer.text,
            served_model=NAME,
            finish_reason="stop" if answer.answered else "refusal",
            latency_s=answer.cpu_s,
        )

    def send_no_more(self) -> None:
        """Nothing is sent anywhere; what is being read is soon done."""

    async def close(self) -> None:
        """End the processes."""
        for process in self._processes:
            await process.close()
