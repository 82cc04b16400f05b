"""What tests of processes that ask need: a factory, filings, waiting for something, processes found by a mark."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from bench.models.limits import ClientLimits
from bench.models.resolve import resolve
from bench.models.store_key import StoreKey
from tests.loopback.answers import Answer

if TYPE_CHECKING:
    from collections.abc import Callable

    from bench.models.resolve import ModelFactory
    from tests.loopback.answers import ReceivedRequest
    from tests.loopback.server import LoopbackServer

KEY = "sk-test-1234567890abcdef"
QUICK = ClientLimits(retries=0, request_timeout_s=30)


def factory_for(server: LoopbackServer, *, key: str | None = None, traffic: ClientLimits = QUICK) -> ModelFactory:
    environ = {} if key is None else {"EYECHART_API_KEY": key}
    return resolve("http:m", api_base=server.base, traffic=traffic, environ=environ)


def filing(key: str = "k", *, replace: bool = False) -> StoreKey:
    return StoreKey(key=key, identity={"provider": "http", "name": "m"}, case_id="c", repeat=0, replace=replace)


async def soon(holds: Callable[[], bool]) -> None:
    await asyncio.to_thread(until, holds)


def until(holds: Callable[[], bool], *, patience_s: float = 20.0) -> None:
    deadline = time.monotonic() + patience_s
    while not holds():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text("utf-8").rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def deadly_to_askers(mark: str) -> Callable[[ReceivedRequest], Answer]:
    """An answer that kills every process with the mark that asks."""

    def answer(_: ReceivedRequest) -> Answer:
        for pid in marked(mark):
            if b"bench.asking_main" in Path(f"/proc/{pid}/cmdline").read_bytes():
                os.kill(pid, signal.SIGKILL)
        return Answer(body=b"")

    return answer


def marked(mark: str) -> list[int]:
    """The processes whose environment holds EYECHART_MARK=mark."""
    found = []
    for environ in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if f"EYECHART_MARK={mark}\0".encode() in environ.read_bytes():
                found.append(int(environ.parent.name))
    return found
