"""Work item by item on all cores, with progress; what pictures show; shares."""

from __future__ import annotations

import hashlib
import io
import multiprocessing
import os
import signal
import time
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from PIL import Image

from bench.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

__all__ = ["PictureEvidence", "gather", "pixels_sha256", "rate"]

_SAY_EVERY_S = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureEvidence:
    """A picture's pixels, and whether the reader's answer passes, by field or task."""

    pixels_sha256: str
    reader: Mapping[str, bool] = field(default_factory=dict)


def gather(
    work: Callable[[Any], Any], orders: Sequence[Any], *, say: Callable[[str], None], what: str
) -> list[Any]:
    """Do the work for every order in as many processes as there are cores; results in the orders' order.

    Args:
        work: a function of a module, which a fresh process can import.
        orders: its arguments.
        say: gets a line of progress every few seconds.
        what: what is being done, for that line.

    Raises:
        UserError: a process ended before its work was done.
    """
    pool = ProcessPoolExecutor(
        max_workers=min(os.cpu_count() or 1, len(orders) or 1),
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_leave_interrupts,
    )
    try:
        return list(_with_progress(pool.map(work, orders, chunksize=4), len(orders), say=say, what=what))
    except BrokenProcessPool:
        raise UserError(f"{what}: a process ended before its work was done; is there memory enough?") from None
    finally:
        pool.shutdown(cancel_futures=True)


def _leave_interrupts() -> None:
    """Let the parent alone react to Ctrl-C: it ends the pool."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _with_progress(results: Iterable[Any], count: int, *, say: Callable[[str], None], what: str) -> Iterator[Any]:
    began = said = time.monotonic()
    for number, result in enumerate(results, start=1):
        now = time.monotonic()
        if number == count or now - said >= _SAY_EVERY_S:
            said = now
            say(f"{what}: {number} of {count}, {now - began:.0f} s")
        yield result


def pixels_sha256(picture: bytes) -> str:
    """Return the SHA-256 of a picture's size and decoded pixels."""
    with Image.open(io.BytesIO(picture)) as opened:
        rgb = opened.convert("RGB")
    return hashlib.sha256(f"{rgb.size}".encode() + rgb.tobytes()).hexdigest()


def rate(passed: Iterable[bool]) -> float:
    """Return the share that passed, 0 of nothing."""
    verdicts = list(passed)
    return sum(verdicts) / len(verdicts) if verdicts else 0.0
