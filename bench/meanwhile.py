"""Two things done at once where there are two cores: one of them by a copy of this process."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["meanwhile"]


@contextmanager
def meanwhile(work: Callable[[], object], *, apart: bool) -> Iterator[None]:
    """Have `work` done by a copy of this process while the body runs, and wait for it.

    Where it is not wanted `apart`, where no copy can be made, or where the copy failed, it is done here after the
    body, so that what it raises is raised here; not where the body raises. What `work` changes in memory is lost
    where a copy does it: only files are kept.
    """
    copy = _start(work) if apart else None
    done = False
    try:
        yield
    finally:
        if copy is not None:
            done = _is_done(copy)
    if not done:
        work()


def _start(work: Callable[[], object]) -> int | None:
    """Return the id of a copy of this process that does the work; None where copies are not safe, or cannot be."""
    if sys.platform != "linux" or (os.cpu_count() or 1) < 2 or threading.active_count() > 1:  # noqa: PLR2004
        return None  # a lock that another thread holds would stay locked in the copy
    try:
        copy = os.fork()
    except OSError:
        return None
    if copy:
        return copy
    failed = 1
    try:
        work()
        failed = 0
    finally:
        os._exit(failed)  # without a word: whoever waits does it again, and says what is wrong


def _is_done(copy: int) -> bool:
    """Wait for the copy to end; whether it did its work. Nobody knows where the ends of processes are ignored."""
    try:
        _, status = os.waitpid(copy, 0)
    except ChildProcessError:
        return False
    return os.waitstatus_to_exitcode(status) == 0
