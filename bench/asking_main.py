"""The process that asks one model for its parent: asks come in on standard input, replies go out as JSON.

Started by `asking_process` with the name of the key's environment variable; and, by `asking_shared`, with the
descriptor of a listening socket, over which several processes ask. It ends when its input does, so that it never
outlives its parent.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import os
import pickle
import shutil
import signal
import socket
import sys
import traceback
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from bench.asking_elsewhere import filed_to_json
from bench.errors import UserError
from bench.frames import BEGINNING, PENDING_BYTES, framed, read_frame
from bench.garbage import search_less
from bench.models.gateway_local import AskingHere
from bench.models.keys import read_key
from bench.models.request_errors import one_line
from bench.results.store import ReplyStore

if TYPE_CHECKING:
    from asyncio import StreamReader, StreamWriter, WriteTransport
    from collections.abc import Callable

    from bench.models.store_key import StoreKey
    from bench.models.types import Request

    Replies = StreamWriter | WriteTransport

__all__ = ["Conversation", "main", "serve"]

NEEDED_BY_HTTPX = ("httpcore", "anyio._backends._asyncio")
"""What httpx imports with its first client and its first request."""
LINGER_S = 30.0
"""How long requests that are under way are waited for when who asked is gone, and nobody waits for the end."""


async def serve(
    requests: StreamReader, replies: WriteTransport, key_variable: str, listening: socket.socket | None = None
) -> None:
    """Ask whatever comes in, all of it at once, until the input ends; or what comes over a socket, until then.

    Raises:
        asyncio.IncompleteReadError: the input ended.
    """
    factory, store = pickle.loads(await read_frame(requests))  # noqa: S301 - written by the parent
    key = read_key(key_variable, os.environ, needed_by=None) if key_variable else None
    with ExitStack() as opened:
        model = AskingHere(
            replace(factory, key=key)(), cache(lambda: opened.enter_context(closing(ReplyStore(store))))
        )
        try:
            if listening is None:
                await Conversation(model, replies).hold(requests)
            else:
                await _converse_with_all(model, listening, until=requests)
        finally:
            await model.close()


async def _converse_with_all(model: AskingHere, listening: socket.socket, *, until: StreamReader) -> None:
    """Ask what comes in over any connection, one request of each at a time, until the parent's input ends."""
    open_ones: dict[asyncio.Task[None], Conversation] = {}

    async def converse(requests: StreamReader, replies: StreamWriter) -> None:
        conversation = Conversation(model, replies, turn=asyncio.Lock())
        task = asyncio.current_task()
        if task is not None:
            open_ones[task] = conversation
            task.add_done_callback(open_ones.pop)
        replies.write(BEGINNING)
        try:
            with suppress(asyncio.IncompleteReadError, ConnectionError):
                await conversation.hold(requests)
        finally:
            replies.close()

    server = await asyncio.start_unix_server(converse, sock=listening, limit=PENDING_BYTES)
    with suppress(asyncio.IncompleteReadError):
        while True:
            await read_frame(until)  # whatever it says: the run ends
            for conversation in open_ones.values():
                conversation.send_no_more()
            model.send_no_more()
    server.close()
    left = dict(open_ones)
    await asyncio.gather(*(conversation.finish() for conversation in left.values()))
    for conversation in left.values():
        conversation.replies.close()
    await asyncio.gather(*left, return_exceptions=True)


class Conversation:
    """What one process asks; with a `turn`, its asks are prepared at once and sent one after the other."""

    def __init__(self, model: AskingHere, replies: Replies, *, turn: asyncio.Lock | None = None) -> None:
        self.replies = replies
        self._model = model
        self._turn = turn
        self._asking: dict[int, asyncio.Task[None]] = {}
        self._ending = model.ending

    async def hold(self, requests: StreamReader) -> None:
        """Ask what comes in; when no more can come, finish.

        Raises:
            asyncio.IncompleteReadError: the input ended.
        """
        try:
            while True:
                number, ask, filing = pickle.loads(await read_frame(requests))  # noqa: S301 - written by our own kind
                if number is None:
                    self.send_no_more()
                elif ask is not None:
                    self._asking[number] = asyncio.create_task(self._answer(number, ask, filing))
                    self._asking[number].add_done_callback(self._forgetting(number))
                elif number in self._asking:
                    self._asking[number].cancel()
        finally:
            await self.finish()

    async def finish(self) -> None:
        """Wait for replies to requests that are under way, which are paid for; send no others."""
        self.send_no_more()
        if self._asking:
            await asyncio.wait(self._asking.values(), timeout=LINGER_S)
        left = list(self._asking.values())
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    def send_no_more(self) -> None:
        """Cancel asks that have no request under way, and those that still come."""
        self._ending = True
        self._model.send_no_more(list(self._asking.values()))

    def _forgetting(self, number: int) -> Callable[[object], object]:
        return lambda _: self._asking.pop(number, None)

    async def _answer(self, number: int, ask: Request, filing: StoreKey | None) -> None:
        """Send what came of an ask; whatever ends it without a reply, who asked is told."""

        def message(**said: object) -> bytes:
            about = {"number": number, "adaptations": self._model.adaptations}
            return framed(json.dumps({**about, **said}).encode())

        try:
            if self._ending:
                raise asyncio.CancelledError  # noqa: TRY301 - told like one that was asked already
            reply = message(filed=filed_to_json(await self._model.ask(ask, filing, turn=self._turn)))
        except BaseException as error:
            of_user = isinstance(error, UserError)
            line = str(error) if of_user else one_line("".join(traceback.format_exception_only(error)))
            if self._ending and isinstance(error, asyncio.CancelledError):
                self.replies.write(message(cancelled=True))
            else:
                self.replies.write(message(fault=line, of_user=of_user, traceback=traceback.format_exc()))
            if not isinstance(error, Exception):
                raise
        else:
            self.replies.write(reply)


def _import_what_asking_needs() -> None:
    """Import it while the parent is not ready yet, not when the first asks come."""
    importlib.import_module("bench.models.client")
    for module in NEEDED_BY_HTTPX:
        with suppress(ImportError):  # a later httpx may have no use for it
            importlib.import_module(module)


async def _on_standard_streams(key_variable: str, listening: socket.socket | None) -> None:
    loop = asyncio.get_running_loop()
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever prints must not come between messages
    requests = asyncio.StreamReader(limit=PENDING_BYTES)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(requests), sys.stdin)
    replies, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, output)
    _import_what_asking_needs()
    search_less()
    replies.write(BEGINNING)
    with suppress(asyncio.IncompleteReadError):
        await serve(requests, replies, key_variable, listening)


def main() -> None:
    """Serve the parent on standard input and output, or others on the socket that it hands over."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    key_variable, *descriptors = sys.argv[1:]
    listening = socket.socket(fileno=int(descriptors[0])) if descriptors else None
    folder = None if listening is None else Path(listening.getsockname()).parent
    try:
        asyncio.run(_on_standard_streams(key_variable, listening))
    finally:
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)  # its parent may have been killed
