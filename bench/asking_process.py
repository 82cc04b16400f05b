"""A model that is asked by a process of its own: requests do not wait for pytest's work, nor that for them.

One interpreter runs one thread at a time: of 64 requests in flight most wait for it while tests are scored.
The process (`asking_main`) holds the HTTP client with its retries and limits, and stores what it receives before
it hands it on. It ends with its parent, however that ends.
"""

from __future__ import annotations

import asyncio
import json
import os
import pickle
import subprocess
import sys
import tempfile
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.frames import BEGINNING, framed, read_frame
from bench.models.faults import one_line
from bench.models.protocol import Reply
from bench.models.registry import ModelFactory
from bench.results.store import Filed, filed_from_json

if TYPE_CHECKING:
    from bench.models.protocol import Ask, ModelMaker
    from bench.results.store import Filing

__all__ = ["AskingError", "AskingProcess", "start_asking"]

ROOT = Path(__file__).resolve().parents[1]
ENDING_S = 2.0


class AskingError(RuntimeError):
    """The client itself failed on an ask, which is an error of ours; the message is one line."""


def can_have_a_process() -> bool:
    """Whether a second process helps: not with one core; Windows' event loop does not read pipes."""
    return os.name == "posix" and (os.cpu_count() or 1) > 1


def start_asking(factory: ModelMaker, store: Path) -> AskingProcess | None:
    """Start a process where a second one helps and can be started.

    None with one core, on Windows, whose event loop does not read pipes, and for a model that asks no server.
    """
    if os.name != "posix" or os.cpu_count() == 1 or not isinstance(factory, ModelFactory):
        return None
    try:
        return AskingProcess(factory, store)
    except OSError:
        return None


class AskingProcess:
    """Asks one model on one server, and stores the replies in one file. The process starts at once.

    Raises:
        OSError: no process can be started.
    """

    def __init__(self, factory: ModelFactory, store: Path) -> None:
        self._factory = factory
        self._store = store
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the process runs
        try:
            self._process = self._start()
        except OSError:
            self._complaints.close()
            raise
        self._connecting: asyncio.Task[asyncio.WriteTransport] | None = None
        self._listening: asyncio.Task[None] | None = None
        self._transports: list[asyncio.BaseTransport] = []
        self._numbers = count()
        self._waiting: dict[int, asyncio.Future[Filed]] = {}
        self._lost: Filed | None = None
        self.adaptations: list[dict[str, str]] = []

    async def ask(self, ask: Ask, filing: Filing | None) -> Filed:
        """Ask, store and return what came of it; where the process is gone, that is a failed reply.

        Raises:
            AskingError: the client failed on this ask.
        """
        if self._connecting is None:
            self._connecting = asyncio.create_task(self._connect())
        requests = await asyncio.shield(self._connecting)
        if self._lost is not None:
            return self._lost
        number = next(self._numbers)
        reply: asyncio.Future[Filed] = asyncio.get_running_loop().create_future()
        self._waiting[number] = reply
        requests.write(framed(pickle.dumps((number, ask, filing))))
        try:
            return await reply
        except asyncio.CancelledError:
            requests.write(framed(pickle.dumps((number, None, None))))
            raise
        finally:
            del self._waiting[number]

    async def close(self) -> None:
        """End the process; what is still under way there is cancelled."""
        tasks = [task for task in (self._connecting, self._listening) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for transport in self._transports:
            transport.close()
        await asyncio.to_thread(self.end)

    def end(self) -> None:
        """End the process where nobody asked; repeatable."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None and not self._transports:
                pipe.close()
        self._ended()
        self._complaints.close()

    def _ended(self) -> int:
        """Wait a little for the process to end, and end it; returns its exit code."""
        try:
            return self._process.wait(ENDING_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()

    def _start(self) -> subprocess.Popen[bytes]:
        key = self._factory.key
        given = {} if key is None else {key.variable: key.reveal()}
        importable = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
        return subprocess.Popen(
            [sys.executable, "-P", "-m", "bench.asking_main", "" if key is None else key.variable],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._complaints,
            env={**os.environ, **given, "PYTHONPATH": importable},
            start_new_session=True,  # Ctrl-C is the parent's business, which then ends this process
        )

    async def _connect(self) -> asyncio.WriteTransport:
        loop, replies = asyncio.get_running_loop(), asyncio.StreamReader()
        requests, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, self._process.stdin)
        reading, _ = await loop.connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(replies), self._process.stdout
        )
        self._transports = [requests, reading]
        requests.write(framed(pickle.dumps((replace(self._factory, key=None), self._store))))
        self._listening = asyncio.create_task(self._listen(replies))
        return requests

    async def _listen(self, replies: asyncio.StreamReader) -> None:
        """Hand replies to who waits for them until the process ends, and then say so to all who still wait."""
        try:
            await replies.readuntil(BEGINNING)
            while True:
                self._receive(json.loads(await read_frame(replies)))
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, OSError, ValueError):
            self._lost = self._loss(await asyncio.to_thread(self._ended))
        for reply in self._waiting.values():
            if not reply.done():
                reply.set_result(self._lost)

    def _receive(self, message: dict[str, Any]) -> None:
        self.adaptations = message["adaptations"]
        reply = self._waiting.get(message["number"])
        if reply is None or reply.done():
            return
        if "fault" in message:
            reply.set_exception(AskingError(message["fault"]))
        else:
            reply.set_result(filed_from_json(message["filed"]))

    def _loss(self, exit_code: int) -> Filed:
        self._complaints.seek(0)
        said = self._complaints.read().decode(errors="replace").split("\n")
        last = next((line for line in reversed(said) if line.strip()), "out of memory?")
        how = f"by signal {-exit_code}" if exit_code < 0 else f"with exit code {exit_code}"
        line = one_line(f"the process that sends requests ended {how}: {last}")
        key = self._factory.key
        error = line if key is None else key.redact(line)
        return Filed(reply=Reply(status="failed", failure="network", error=error))
