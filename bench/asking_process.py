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
from typing import IO, TYPE_CHECKING

from bench.asking_elsewhere import AskingElsewhere, last_words
from bench.frames import framed
from bench.models.resolve import ModelFactory

if TYPE_CHECKING:
    from pathlib import Path

    from bench.models.types import ModelMaker

__all__ = ["AskingProcess", "helps", "spawn", "start_asking", "wait_or_kill", "what_it_serves"]

ENDING_S = 2.0
PIPE_BYTES = 1_048_576
START = (
    "import json, os, sys; sys.path[:] = json.loads(sys.argv.pop(1)); "
    # Taking the interpreter apart takes 30 ms, which the run would wait for.
    "from bench.asking_main import main; main(); sys.stdout.flush(); sys.stderr.flush(); os._exit(0)"
)


def start_asking(factory: ModelMaker, store: Path) -> AskingProcess | None:
    """Start a process where a second one helps and can be started."""
    if not (isinstance(factory, ModelFactory) and helps()):
        return None
    try:
        return AskingProcess(factory, store)
    except OSError:
        return None


def helps() -> bool:
    """Whether a process that asks helps: not with one core, nor on Windows, whose event loop reads no pipes."""
    return os.name == "posix" and _cores() > 1


def _cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def spawn(
    factory: ModelFactory, *, output: int, complaints: IO[bytes], listening: int | None = None
) -> subprocess.Popen[bytes]:
    """Start the process; `listening` is the descriptor of a socket that it serves besides its standard input.

    Raises:
        OSError: no process can be started.
    """
    key = factory.key
    given = {} if key is None else {key.variable: key.reveal()}
    passed = [] if listening is None else [listening]
    arguments = [json.dumps(sys.path), "" if key is None else key.variable, *map(str, passed)]
    return subprocess.Popen(
        [sys.executable, "-P", "-c", START, *arguments],
        stdin=subprocess.PIPE,
        stdout=output,
        stderr=complaints,
        env={**os.environ, **given},
        pass_fds=passed,
        start_new_session=True,  # Ctrl-C is the parent's business, which then ends this process
    )


def what_it_serves(factory: ModelFactory, store: Path) -> bytes:
    """Return the first message to the process; the key travels in its environment."""
    return framed(pickle.dumps((replace(factory, key=None), store)))


def wait_or_kill(process: subprocess.Popen[bytes], patience_s: float) -> tuple[int, bool]:
    """Wait for the process to end, and end it; returns its exit code and whether we ended it."""
    try:
        return process.wait(patience_s), False
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait(), True


class AskingProcess(AskingElsewhere):
    """Asks one model on one server, and stores the replies in one file. The process starts at once.

    Raises:
        OSError: no process can be started.
    """

    def __init__(self, factory: ModelFactory, store: Path) -> None:
        super().__init__(factory.key)
        serves = what_it_serves(factory, store)
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the process runs
        try:
            self._process = spawn(factory, output=subprocess.PIPE, complaints=self._complaints)
        except OSError:
            self._complaints.close()
            raise
        self._tell(serves)  # it gets ready while nobody asks yet

    async def close(self) -> None:
        """End the process; what is still under way there is cancelled."""
        await super().close()
        await asyncio.to_thread(self.end)

    def end(self) -> None:
        """End the process; alone where nobody came to ask, else by `close`. Repeatable."""
        pipes = (self._process.stdin, self._process.stdout)
        for pipe in pipes[len(self._transports) :]:
            if pipe is not None:
                pipe.close()
        wait_or_kill(self._process, ENDING_S)
        self._complaints.close()

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.WriteTransport]:
        loop, replies = asyncio.get_running_loop(), asyncio.StreamReader()
        _widen(self._process.stdin)
        requests, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, self._process.stdin)
        self._transports.append(requests)
        reading, _ = await loop.connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(replies), self._process.stdout
        )
        self._transports.append(reading)
        return replies, requests

    def _tell(self, message: bytes) -> None:
        """Write to the process; one that has ended already is met by who asks.

        Not through the pipe's buffer, which would try what it could not write again when it is closed.
        """
        with suppress(OSError):
            if self._process.stdin is not None:
                os.write(self._process.stdin.fileno(), message)

    async def _ending(self, error: Exception) -> str:
        exit_code, ended_by_us = await asyncio.to_thread(wait_or_kill, self._process, ENDING_S)
        if ended_by_us:
            return f"was ended, for what it wrote cannot be read: {type(error).__name__}: {error}"
        if exit_code < 0:
            return f"ended by signal {-exit_code}" + (" (out of memory?)" if exit_code == -signal.SIGKILL else "")
        return f"ended with exit code {exit_code}: {last_words(self._complaints)}"


def _widen(pipe: IO[bytes] | None) -> None:
    """Let a pipe hold many asks where the system can: an ordinary one holds less than one picture."""
    import fcntl  # noqa: PLC0415 - not on Windows

    if pipe is not None and hasattr(fcntl, "F_SETPIPE_SZ"):
        with suppress(OSError):
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
