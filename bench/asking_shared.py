"""One process that asks a model for all of xdist's workers of this machine.

Each worker would otherwise import the HTTP client for itself, and keep limits and adaptations to itself: eight of
them cost two cores seconds and a hundred megabytes. The controller starts the process before the workers; a worker
that cannot reach it asks by itself.
"""

from __future__ import annotations

import asyncio
import pickle
import shutil
import socket
import subprocess
import tempfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from bench.asking_elsewhere import NO_MORE, AskingElsewhere, last_words
from bench.asking_process import helps, spawn, wait_or_kill, what_it_serves
from bench.frames import PENDING_BYTES, framed
from bench.models.resolve import ModelFactory

if TYPE_CHECKING:
    from bench.models.keys import Key
    from bench.models.types import ModelMaker

__all__ = ["AskingShared", "SharedProcess", "reach", "share_asking"]

WAITING_CONNECTIONS = 128
PATIENCE_S = 5.0


def share_asking(factory: ModelMaker, store: Path, *, workers: int) -> SharedProcess | None:
    """Start a process that asks for so many workers, each with one ask in flight, where that helps and can be."""
    if not (isinstance(factory, ModelFactory) and helps() and workers > 1):
        return None
    try:
        return SharedProcess(replace(factory, traffic=replace(factory.traffic, concurrency=workers)), store)
    except OSError:
        return None


def reach(factory: ModelMaker, address: Path) -> AskingShared | None:
    """Return who asks through the process at `address`; None on another machine than its parent's."""
    return AskingShared(address, factory.key) if isinstance(factory, ModelFactory) and address.exists() else None


class SharedProcess:
    """The process, as its parent holds it. Nobody but this user can reach its socket: the folder is private.

    Raises:
        OSError: no process can be started, or the path of the folder for passing files is too long for a socket.
    """

    def __init__(self, factory: ModelFactory, store: Path) -> None:
        folder = Path(tempfile.mkdtemp(prefix="eyechart-"))
        self.address = folder / "asking"
        try:
            with socket.socket(socket.AF_UNIX) as listening, _complaints(self.address).open("wb") as complaints:
                listening.bind(str(self.address))
                listening.listen(WAITING_CONNECTIONS)  # who connects before the process is ready waits for it
                self._process = spawn(
                    factory,
                    output=subprocess.DEVNULL,
                    complaints=complaints,
                    listening=listening.fileno(),
                )
            self._say(what_it_serves(factory, store))
        except OSError:
            shutil.rmtree(folder, ignore_errors=True)
            raise

    def send_no_more(self) -> None:
        """Have asks cancelled that have no request under way, now and from now on. Repeatable."""
        self._say(framed(pickle.dumps(NO_MORE)))

    def close(self) -> None:
        """Let the process end when it has the replies that are under way. Repeatable."""
        if self._process.stdin is not None:
            with suppress(BrokenPipeError):
                self._process.stdin.close()

    def end(self) -> None:
        """Wait a while for the process to end. Repeatable."""
        self.close()
        wait_or_kill(self._process, PATIENCE_S)
        shutil.rmtree(self.address.parent, ignore_errors=True)

    def _say(self, message: bytes) -> None:
        if self._process.stdin is not None:
            with suppress(BrokenPipeError, ValueError):  # it is gone or was ended: workers find nobody there
                self._process.stdin.write(message)
                self._process.stdin.flush()


class AskingShared(AskingElsewhere):
    """Asks through the process at `address`, as a worker does."""

    def __init__(self, address: Path, key: Key | None) -> None:
        super().__init__(key)
        self._address = address

    def end(self) -> None:
        """Nothing was started here."""

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.WriteTransport]:
        replies = asyncio.StreamReader(limit=PENDING_BYTES)
        requests, _ = await asyncio.get_running_loop().create_unix_connection(
            lambda: asyncio.StreamReaderProtocol(replies), str(self._address)
        )
        self._transports.append(requests)
        return replies, requests

    async def _ending(self, error: Exception) -> str:
        if not isinstance(error, EOFError | OSError):
            return f"wrote what cannot be read: {type(error).__name__}: {error}"
        said = ""
        with suppress(OSError), _complaints(self._address).open("rb") as complaints:
            said = last_words(complaints)
        return f"for all workers is gone: {said or 'out of memory?'}"


def _complaints(address: Path) -> Path:
    return address.with_name("complaints")
