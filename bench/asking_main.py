"""The process that asks one model for its parent: asks come in on standard input, replies go out as JSON.

Started by `asking_process` with the name of the key's environment variable; and, by `asking_shared`, with the
descriptor of a listening socket, over which several processes ask. It ends when its input does, so that it never
outlives its parent.
"""

from __future__ import annotations

import asyncio
import gc
import importlib
import json
import os
import pickle
import signal
import socket
import sys
import traceback
from contextlib import suppress
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from bench.asking_here import AskingHere
from bench.errors import UserError
from bench.frames import BEGINNING, PENDING_BYTES, framed, read_frame
from bench.models.faults import one_line
from bench.models.keys import read_key
from bench.results.store import ReplyStore, filed_to_json

if TYPE_CHECKING:
    from asyncio import StreamReader, StreamWriter, WriteTransport
    from collections.abc import Callable

    from bench.models.protocol import Ask
    from bench.results.store import Filing

    Replies = StreamWriter | WriteTransport

__all__ = ["main", "serve"]


async def serve(
    requests: StreamReader, replies: WriteTransport, key_variable: str, listening: socket.socket | None = None
) -> None:
    """Ask whatever comes in, all of it at once, until the input ends; or what comes over a socket, until then.

    Raises:
        asyncio.IncompleteReadError: the input ended.
    """
    factory, store = pickle.loads(await read_frame(requests))  # noqa: S301 - written by the parent
    key = read_key(key_variable, os.environ, needed_by=None) if key_variable else None
    model = AskingHere(replace(factory, key=key)(), cache(lambda: ReplyStore(store)))
    try:
        if listening is None:
            await _converse(model, requests, replies)
        else:
            await _converse_with_all(model, listening, until=requests)
    finally:
        await model.close()


async def _converse_with_all(model: AskingHere, listening: socket.socket, *, until: StreamReader) -> None:
    """Ask what comes in over any connection, until the parent's input ends."""
    conversations: dict[asyncio.Task[None], StreamWriter] = {}

    async def converse(requests: StreamReader, replies: StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            conversations[task] = replies
            task.add_done_callback(conversations.pop)
        replies.write(BEGINNING)
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            await _converse(model, requests, replies)
        replies.close()

    server = await asyncio.start_unix_server(converse, sock=listening, limit=PENDING_BYTES)
    await until.read()
    server.close()
    under_way = dict(conversations)
    for replies in under_way.values():
        replies.close()
    await asyncio.gather(*under_way, return_exceptions=True)


async def _converse(model: AskingHere, requests: StreamReader, replies: Replies) -> None:
    """Ask what comes in, all of it at once; when no more can come, cancel what is still under way.

    Raises:
        asyncio.IncompleteReadError: the input ended.
    """
    asking: dict[int, asyncio.Task[None]] = {}
    try:
        while True:
            number, ask, filing = pickle.loads(await read_frame(requests))  # noqa: S301 - written by our own kind
            if ask is not None:
                asking[number] = asyncio.create_task(_answer(model, number, ask, filing, replies))
                asking[number].add_done_callback(_forgetting(asking, number))
            elif number in asking:
                asking[number].cancel()
    finally:
        left = list(asking.values())
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)


def _forgetting(asking: dict[int, asyncio.Task[None]], number: int) -> Callable[[object], object]:
    return lambda _: asking.pop(number, None)


async def _answer(model: AskingHere, number: int, ask: Ask, filing: Filing | None, replies: Replies) -> None:
    """Send what came of an ask; whatever ends it without a reply, who asked is told."""

    def message(**said: object) -> bytes:
        return framed(json.dumps({"number": number, "adaptations": model.adaptations, **said}).encode())

    try:
        reply = message(filed=filed_to_json(await model.ask(ask, filing)))
    except BaseException as error:
        of_user = isinstance(error, UserError)
        line = str(error) if of_user else one_line("".join(traceback.format_exception_only(error)))
        replies.write(message(fault=line, of_user=of_user, traceback=traceback.format_exc()))
        if not isinstance(error, Exception):
            raise
    else:
        replies.write(reply)


async def _on_standard_streams(key_variable: str, listening: socket.socket | None) -> None:
    loop = asyncio.get_running_loop()
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever prints must not come between messages
    requests = asyncio.StreamReader(limit=PENDING_BYTES)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(requests), sys.stdin)
    replies, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, output)
    importlib.import_module("bench.models.http_model")  # while the parent is not ready yet
    gc.freeze()
    replies.write(BEGINNING)
    with suppress(asyncio.IncompleteReadError):
        await serve(requests, replies, key_variable, listening)


def main() -> None:
    """Serve the parent on standard input and output, or others on the socket that it hands over."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    key_variable, *descriptors = sys.argv[1:]
    listening = socket.socket(fileno=int(descriptors[0])) if descriptors else None
    asyncio.run(_on_standard_streams(key_variable, listening))
