"""Two things done at once where there are two cores: one of them by a copy of this process."""

from __future__ import annotations

import os
import signal
import sys
import warnings
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["meanwhile"]

INTERRUPTS = frozenset({signal.SIGINT, signal.SIGTERM})


@contextmanager
def meanwhile(work: Callable[[], object], *, apart: bool) -> Iterator[None]:
    """Have `work` done by a copy of this process while the body runs, and wait for it.

    Where it is not wanted `apart`, where no copy can be made, or where the copy failed, it is done here after the
    body, so that what it raises is raised here. Where the body raises, or the wait is interrupted, the copy is
    killed. What `work` changes in memory is lost where a copy does it: only files are kept.
    """
    copy = _start(work) if apart else None
    try:
        yield
        done = copy is not None and _is_done(copy)
    except BaseException:
        if copy is not None:
            with suppress(ProcessLookupError):
                os.kill(copy, signal.SIGKILL)
            _is_done(copy)
        raise
    if not done:
        work()


def _start(work: Callable[[], object]) -> int | None:
    """Return the id of a copy of this process that does the work; None where copies are not safe, or cannot be."""
    threads = len(sys._current_frames())  # noqa: SLF001 - `threading` does not count those that execnet starts
    if sys.platform != "linux" or (os.cpu_count() or 1) < 2 or threads > 1:  # noqa: PLR2004
        return None  # a lock that another thread holds would stay locked in the copy
    before = signal.pthread_sigmask(signal.SIG_BLOCK, INTERRUPTS)  # no copy may go on as if it were this process
    try:
        copy = _copied()
        if copy == 0:
            _do_and_end(work)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    return copy


def _copied() -> int | None:
    try:
        with warnings.catch_warnings():
            # Python 3.12 and later warn of any thread, also of those that libraries start without Python.
            warnings.simplefilter("ignore", DeprecationWarning)
            return os.fork()
    except OSError:
        return None


def _do_and_end(work: Callable[[], object]) -> None:
    failed = 1
    try:
        for interrupt in INTERRUPTS:
            signal.signal(interrupt, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, INTERRUPTS)
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
