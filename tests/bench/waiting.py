"""Waiting for something to hold, and processes found by a mark in their environment."""

from __future__ import annotations

import asyncio
import os
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


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


def marked(mark: str) -> list[int]:
    """The processes whose environment holds EYECHART_MARK=mark."""
    found = []
    for environ in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if f"EYECHART_MARK={mark}\0".encode() in environ.read_bytes():
                found.append(int(environ.parent.name))
    return found
