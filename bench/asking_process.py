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
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import replace
from itertools import count
from typing import IO, TYPE_CHECKING, Any

from bench.errors import UserError
from bench.frames import BEGINNING, framed, read_frame
from bench.models.faults import one_line
from bench.models.protocol import Reply
from bench.models.registry import ModelFactory
from bench.results.store import Filed, filed_from_json

if TYPE_CHECKING:
    from pathlib import Path

    from bench.models.protocol import Ask, ModelMaker
    from bench.results.store import Filing

__all__ = ["AskingError", "AskingProcess", "NotBegun", "start_asking"]

ENDING_S = 2.0
COMPLAINTS_BYTES = 65_536
PIPE_BYTES = 1_048_576
START = "import json, sys; sys.path[:] = json.loads(sys.argv.pop(1)); from bench.asking_main import main; main()"


class AskingError(RuntimeError):
    """The client itself failed on an ask, which is an error of ours; its traceback is a note."""


class NotBegun(Exception):  # noqa: N818 - an occasion to ask another way, never shown
    """The process ended before it was ready: it sent nothing."""


def start_asking(factory: ModelMaker, store: Path) -> AskingProcess | None:
    """Start a process where a second one helps and can be started.

    None with one core, on Windows, whose event loop does not read pipes, and for a model that asks no server.
    """
    if os.name != "posix" or _cores() == 1 or not isinstance(factory, ModelFactory):
        return None
    try:
        return AskingProcess(factory, store)
    except OSError:
        return None


def _cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


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
        self._begun = False
        self._lost: Filed | None = None
        self.adaptations: list[dict[str, str]] = []

    async def ask(self, ask: Ask, filing: Filing | None) -> Filed:
        """Ask, store and return what came of it; where the process is gone, that is a failed reply.

        Raises:
            NotBegun: the process ended before it was ready.
            UserError: the client cannot work as it is set up.
            AskingError: the client failed on this ask.
        """
        if self._connecting is None:
            self._connecting = asyncio.create_task(self._connect())
        requests = await asyncio.shield(self._connecting)
        if self._lost is not None and self._begun:
            return replace(self._lost, reply=self._lost.reply.after(0))
        if self._lost is not None:
            raise NotBegun
        number = next(self._numbers)
        message = framed(pickle.dumps((number, ask, filing)))
        reply: asyncio.Future[Filed] = asyncio.get_running_loop().create_future()
        self._waiting[number] = reply
        requests.write(message)
        try:
            return await reply
        except asyncio.CancelledError:
            if not requests.is_closing():
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
        """End the process; alone where nobody came to ask, else by `close`. Repeatable."""
        pipes = (self._process.stdin, self._process.stdout)
        for pipe in pipes[len(self._transports) :]:
            if pipe is not None:
                pipe.close()
        self._ended()
        self._complaints.close()

    def _ended(self) -> tuple[int, bool]:
        """Wait a little for the process to end, and end it; returns its exit code and whether we ended it."""
        try:
            return self._process.wait(ENDING_S), False
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait(), True

    def _start(self) -> subprocess.Popen[bytes]:
        key = self._factory.key
        given = {} if key is None else {key.variable: key.reveal()}
        return subprocess.Popen(
            [sys.executable, "-P", "-c", START, json.dumps(sys.path), "" if key is None else key.variable],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._complaints,
            env={**os.environ, **given},
            start_new_session=True,  # Ctrl-C is the parent's business, which then ends this process
        )

    async def _connect(self) -> asyncio.WriteTransport:
        loop, replies = asyncio.get_running_loop(), asyncio.StreamReader()
        _widen(self._process.stdin)
        requests, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, self._process.stdin)
        self._transports.append(requests)
        reading, _ = await loop.connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(replies), self._process.stdout
        )
        self._transports.append(reading)
        requests.write(framed(pickle.dumps((replace(self._factory, key=None), self._store))))
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
            self._lost = self._loss(error, *await asyncio.to_thread(self._ended))
        for reply in self._waiting.values():
            if not reply.done():
                if self._begun:
                    reply.set_result(self._lost)
                else:
                    reply.set_exception(NotBegun())

    def _receive(self, message: dict[str, Any]) -> None:
        self.adaptations = message["adaptations"]
        reply = self._waiting.get(message["number"])
        if reply is None or reply.done():
            return
        if "fault" in message:
            reply.set_exception(self._fault(message))
        else:
            reply.set_result(filed_from_json(message["filed"]))

    def _fault(self, message: dict[str, Any]) -> Exception:
        if message["of_user"]:
            return UserError(self._redacted(message["fault"]))
        error = AskingError(self._redacted(message["fault"]))
        error.add_note(self._redacted(message["traceback"]))
        return error

    def _loss(self, error: Exception, exit_code: int, ended_by_us: bool) -> Filed:
        if ended_by_us:
            how = f"was ended, for what it wrote cannot be read: {type(error).__name__}: {error}"
        elif exit_code < 0:
            how = f"ended by signal {-exit_code}" + (" (out of memory?)" if exit_code == -signal.SIGKILL else "")
        else:
            how = f"ended with exit code {exit_code}: {self._last_words()}"
        line = self._redacted(one_line(f"the process that sends requests {how}"))
        return Filed(reply=Reply(status="failed", failure="network", error=line))

    def _last_words(self) -> str:
        size = self._complaints.seek(0, os.SEEK_END)
        self._complaints.seek(max(0, size - COMPLAINTS_BYTES))
        lines = self._complaints.read().decode(errors="replace").splitlines()
        return next((line for line in reversed(lines) if line.strip()), "")

    def _redacted(self, text: str) -> str:
        key = self._factory.key
        return text if key is None else key.redact(text)


def _widen(pipe: IO[bytes] | None) -> None:
    """Let a pipe hold many asks where the system can: an ordinary one holds less than one picture."""
    import fcntl  # noqa: PLC0415 - not on Windows

    if pipe is not None and hasattr(fcntl, "F_SETPIPE_SZ"):
        with suppress(OSError):
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
