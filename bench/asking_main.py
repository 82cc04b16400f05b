"""The process that asks one model for its parent: asks come in on standard input, replies go out as JSON.

Started by `asking_process` with the name of the key's environment variable as its only argument. It ends when its
input does, so that it never outlives its parent.
"""

from __future__ import annotations

import asyncio
import gc
import importlib
import json
import os
import pickle
import signal
import sys
import traceback
from contextlib import suppress
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from bench.asking_here import AskingHere
from bench.errors import UserError
from bench.frames import BEGINNING, framed, read_frame
from bench.models.faults import one_line
from bench.models.keys import read_key
from bench.results.store import ReplyStore, filed_to_json

if TYPE_CHECKING:
    from asyncio import StreamReader, WriteTransport
    from collections.abc import Callable

    from bench.models.protocol import Ask
    from bench.results.store import Filing

__all__ = ["main", "serve"]

LIMIT_BYTES = 1_048_576  # asks that wait here need not wait in their parent


async def serve(requests: StreamReader, replies: WriteTransport, key_variable: str) -> None:
    """Ask whatever comes in, all of it at once, until the input ends.

    Raises:
        asyncio.IncompleteReadError: the input ended.
    """
    factory, store = pickle.loads(await read_frame(requests))  # noqa: S301 - written by the parent
    key = read_key(key_variable, os.environ, needed_by=None) if key_variable else None
    model = AskingHere(replace(factory, key=key)(), cache(lambda: ReplyStore(store)))
    asking: dict[int, asyncio.Task[None]] = {}
    try:
        while True:
            number, ask, filing = pickle.loads(await read_frame(requests))  # noqa: S301 - written by the parent
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
        await model.close()


def _forgetting(asking: dict[int, asyncio.Task[None]], number: int) -> Callable[[object], object]:
    return lambda _: asking.pop(number, None)


async def _answer(
    model: AskingHere, number: int, ask: Ask, filing: Filing | None, replies: WriteTransport
) -> None:
    """Send what came of an ask; whatever ends it without a reply, the parent is told."""

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


async def _on_standard_streams(key_variable: str) -> None:
    loop = asyncio.get_running_loop()
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever prints must not come between messages
    requests = asyncio.StreamReader(limit=LIMIT_BYTES)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(requests), sys.stdin)
    replies, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, output)
    importlib.import_module("bench.models.http_model")  # while the parent is not ready yet
    gc.freeze()
    replies.write(BEGINNING)
    with suppress(asyncio.IncompleteReadError):
        await serve(requests, replies, key_variable)


def main() -> None:
    """Serve the parent on standard input and output."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    asyncio.run(_on_standard_streams(sys.argv[1]))
