"""A model that another process asks: asks go there over a stream, and each reply to who waits for it."""

from __future__ import annotations

import asyncio
import json
import os
import pickle
from abc import ABC, abstractmethod
from dataclasses import replace
from itertools import count
from typing import IO, TYPE_CHECKING, Any

import msgspec

from bench.errors import UserError
from bench.frames import BEGINNING, framed, read_frame
from bench.models.request_errors import one_line
from bench.models.store_key import StoreResult
from bench.models.types import Response
from bench.results.record import reply_from_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.keys import Key
    from bench.models.store_key import StoreKey
    from bench.models.types import Request

__all__ = ["AskingElsewhere", "AskingError", "NotBegun", "filed_from_json", "filed_to_json", "last_words"]


COMPLAINTS_BYTES = 65_536
NO_MORE = (None, None, None)
"""The message that asks for `send_no_more`."""


class AskingError(RuntimeError):
    """The client itself failed on an ask, which is an error of ours; its traceback is a note."""


class NotBegun(Exception):  # noqa: N818 - an occasion to ask another way, never shown
    """The process ended before it was ready: it sent nothing."""


class AskingElsewhere(ABC):
    """What is said to the process that asks one model, from one event loop; whatever it says hides `key`."""

    def __init__(self, key: Key | None) -> None:
        self._key = key
        self._connecting: asyncio.Task[asyncio.WriteTransport] | None = None
        self._listening: asyncio.Task[None] | None = None
        self._transports: list[asyncio.BaseTransport] = []
        self._numbers = count()
        self._waiting: dict[int, asyncio.Future[StoreResult]] = {}
        self._begun = False
        self._lost: StoreResult | None = None
        self._sends_no_more = False
        self.adaptations: list[dict[str, str]] = []

    async def ask(self, ask: Request, filing: StoreKey | None) -> StoreResult:
        """Ask, store and return what came of it; where the process is gone, that is a failed reply.

        Raises:
            NotBegun: the process ended before it was ready.
            UserError: the client cannot work as it is set up.
            AskingError: the client failed on this ask.
        """
        if self._connecting is None:
            self._connecting = asyncio.create_task(self._begin())
        try:
            requests = await asyncio.shield(self._connecting)
        except OSError:
            raise NotBegun from None
        if self._lost is not None and self._begun:
            return replace(self._lost, reply=self._lost.reply.after(0))
        if self._lost is not None:
            raise NotBegun
        if self._sends_no_more:
            raise asyncio.CancelledError
        number = next(self._numbers)
        message = framed(pickle.dumps((number, ask, filing)))
        reply: asyncio.Future[StoreResult] = asyncio.get_running_loop().create_future()
        self._waiting[number] = reply
        requests.write(message)
        try:
            return await reply
        except asyncio.CancelledError:
            self._say((number, None, None))
            raise
        finally:
            del self._waiting[number]

    async def close(self) -> None:
        """Say no more; what is still under way there is cancelled."""
        for number in self._waiting:
            self._say((number, None, None))
        tasks = [task for task in (self._connecting, self._listening) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for transport in self._transports:
            transport.close()

    def send_no_more(self) -> None:
        """Have asks cancelled that have no request under way, now and later."""
        self._sends_no_more = True
        self._say(NO_MORE)

    @abstractmethod
    def end(self) -> None:
        """Release what was started; alone where nobody came to ask, else by `close`. Repeatable."""

    @abstractmethod
    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.WriteTransport]:
        """Return where replies come from and where asks go.

        Raises:
            OSError: nobody is there.
        """

    @abstractmethod
    async def _ending(self, error: Exception) -> str:
        """Say how the process ended, after `error` was met in reading its replies."""

    async def _begin(self) -> asyncio.WriteTransport:
        replies, requests = await self._connect()
        self._listening = asyncio.create_task(self._listen(replies))
        return requests

    async def _listen(self, replies: asyncio.StreamReader) -> None:
        """Hand replies to who waits for them until the process ends, and then say so to all who still wait."""
        try:
            await replies.readuntil(BEGINNING)
            self._begun = True
            while True:
                self._receive(json.loads(await read_frame(replies)))
        except Exception as error:  # noqa: BLE001 - whatever it is: who waits must not wait for ever
            line = self._redacted(one_line(f"the process that sends requests {await self._ending(error)}"))
            self._lost = StoreResult(reply=Response(status="failed", failure="network", error=line))
        for reply in self._waiting.values():
            if not reply.done():
                if self._begun:
                    reply.set_result(self._lost)
                else:
                    reply.set_exception(NotBegun())

    def _say(self, message: tuple[int | None, None, None]) -> None:
        for transport in self._transports:
            if isinstance(transport, asyncio.WriteTransport) and not transport.is_closing():
                transport.write(framed(pickle.dumps(message)))

    def _receive(self, message: dict[str, Any]) -> None:
        self.adaptations = message["adaptations"]
        reply = self._waiting.get(message["number"])
        if reply is None or reply.done():
            return
        if "cancelled" in message:
            reply.cancel()
        elif "fault" in message:
            reply.set_exception(self._fault(message))
        else:
            reply.set_result(filed_from_json(message["filed"]))

    def _fault(self, message: dict[str, Any]) -> Exception:
        if message["of_user"]:
            return UserError(self._redacted(message["fault"]))
        error = AskingError(self._redacted(message["fault"]))
        error.add_note(self._redacted(message["traceback"]))
        return error

    def _redacted(self, text: str) -> str:
        return text if self._key is None else self._key.redact(text)


def last_words(complaints: IO[bytes]) -> str:
    """Return the last line that says something in what a process wrote to its standard error."""
    size = complaints.seek(0, os.SEEK_END)
    complaints.seek(max(0, size - COMPLAINTS_BYTES))
    lines = complaints.read().decode(errors="replace").splitlines()
    return next((line for line in reversed(lines) if line.strip()), "")


def filed_to_json(filed: StoreResult) -> dict[str, Any]:
    """Return a JSON-safe copy, fit to travel between processes."""
    received = None if filed.received is None else msgspec.to_builtins(filed.received)
    return {"reply": msgspec.to_builtins(filed.reply), "received": received, "trouble": filed.trouble}


def filed_from_json(content: Mapping[str, Any]) -> StoreResult:
    """Rebuild what `filed_to_json` wrote."""
    received = None if content["received"] is None else reply_from_json(content["received"])
    return StoreResult(reply=reply_from_json(content["reply"]), received=received, trouble=content["trouble"])
