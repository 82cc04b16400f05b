"""Work done by a copy of the process while this one does something else, or by this one afterwards."""

from __future__ import annotations

import _thread
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from bench.meanwhile import meanwhile
from tests.bench.asking_apart import is_running, until
from tests.conftest import ROOT

copies = pytest.mark.skipif(sys.platform != "linux", reason="copies of a process are made on Linux only")


def doers(path: Path) -> list[int]:
    """Return the processes that did the work, each of which wrote its number."""
    return [int(line) for line in path.read_text().splitlines()] if path.exists() else []


@pytest.fixture
def done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    frames = sys._current_frames()
    monkeypatch.setattr(sys, "_current_frames", lambda: dict(list(frames.items())[:1]))
    return tmp_path / "done"


def write(path: Path) -> None:
    with path.open("a") as file:
        file.write(f"{os.getpid()}\n")


@copies
def test_a_copy_does_the_work_and_it_is_done_when_the_body_is(done: Path) -> None:
    with meanwhile(lambda: write(done), apart=True):
        pass
    assert len(doers(done)) == 1
    assert doers(done) != [os.getpid()]


@pytest.mark.parametrize("why", ["not wanted", "one core", "another system", "no process"])
def test_this_process_does_it_after_the_body_where_no_copy_is_made(
    done: Path, monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    def refuse() -> int:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    if why == "one core":
        monkeypatch.setattr(os, "cpu_count", lambda: 1)
    elif why == "another system":
        monkeypatch.setattr(sys, "platform", "darwin")
    elif why == "no process":
        monkeypatch.setattr(os, "fork", refuse, raising=False)
    with meanwhile(lambda: write(done), apart=why != "not wanted"):
        assert doers(done) == []
    assert doers(done) == [os.getpid()]


def test_no_copy_is_made_of_a_process_with_threads_also_such_as_threading_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """execnet, which connects xdist's processes, starts its threads so."""
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    running, ending = threading.Event(), threading.Event()

    def wait() -> None:
        running.set()
        ending.wait()

    _thread.start_new_thread(wait, ())
    assert running.wait(60)
    with meanwhile(lambda: write(tmp_path / "done"), apart=True):
        pass
    ending.set()
    assert doers(tmp_path / "done") == [os.getpid()]


@copies
def test_work_that_fails_in_the_copy_fails_here_with_its_own_error(done: Path) -> None:
    def fail() -> None:
        write(done)
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space left"), meanwhile(fail, apart=True):
        pass
    assert len(doers(done)) == 2
    assert doers(done)[1] == os.getpid()


@copies
def test_a_copy_that_dies_is_made_up_for(done: Path) -> None:
    here = os.getpid()

    def die_in_the_copy() -> None:
        if os.getpid() != here:
            os.kill(os.getpid(), signal.SIGKILL)
        write(done)

    with meanwhile(die_in_the_copy, apart=True):
        pass
    assert doers(done) == [here]


@copies
def test_a_copy_whose_end_is_not_told_is_made_up_for(done: Path) -> None:
    """Where the ends of processes are ignored, as some supervisors have it, nobody learns how the copy fared."""
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        with meanwhile(lambda: write(done), apart=True):
            pass
    finally:
        signal.signal(signal.SIGCHLD, before)
    assert doers(done)[-1] == os.getpid()
    assert len(doers(done)) == 2


@copies
def test_a_body_that_fails_after_its_copy_is_gone_fails_with_its_own_error(done: Path) -> None:
    """Where the ends of processes are ignored, a copy that has ended is no process any more."""

    def fail_when_it_is_gone() -> None:
        until(lambda: bool(doers(done)) and not Path(f"/proc/{doers(done)[0]}").exists())
        raise ValueError("body")

    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        with pytest.raises(ValueError, match="body"), meanwhile(lambda: write(done), apart=True):
            fail_when_it_is_gone()
    finally:
        signal.signal(signal.SIGCHLD, before)
    assert len(doers(done)) == 1


@copies
def test_an_interrupt_ends_a_copy_without_a_word(done: Path) -> None:
    here = os.getpid()

    def interrupted_in_the_copy() -> None:
        try:
            if os.getpid() != here:
                os.kill(os.getpid(), signal.SIGINT)
        finally:
            write(done)

    with meanwhile(interrupted_in_the_copy, apart=True):
        pass
    assert doers(done) == [here]


SLOW = """
import os, signal, sys, time
from pathlib import Path
from bench.meanwhile import meanwhile

copy, when = Path(sys.argv[1]), sys.argv[2]

def work():
    copy.write_text(str(os.getpid()))
    time.sleep(60)

def interrupt(*_):
    raise KeyboardInterrupt

signal.signal(signal.SIGALRM, interrupt)
os.cpu_count = lambda: 2
with meanwhile(work, apart=True):
    while not (copy.exists() and copy.read_text()):
        time.sleep(0.01)
    if when == "in the body":
        interrupt()
    signal.setitimer(signal.ITIMER_REAL, 0.5)
"""


@copies
@pytest.mark.parametrize("when", ["in the body", "in the wait"])
def test_an_interrupt_of_this_process_alone_leaves_no_copy(tmp_path: Path, when: str) -> None:
    command = [sys.executable, "-c", SLOW, str(tmp_path / "copy"), when]
    started = time.monotonic()
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, check=False, timeout=50)
    assert time.monotonic() - started < 40
    assert b"KeyboardInterrupt" in ended.stderr
    assert not is_running(int((tmp_path / "copy").read_text()))


def test_a_body_that_fails_leaves_this_process_nothing_to_do(done: Path) -> None:
    with pytest.raises(ValueError, match="body"), meanwhile(lambda: write(done), apart=False):
        raise ValueError("body")
    assert doers(done) == []


@copies
def test_a_body_that_fails_leaves_no_copy_behind(done: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copied, fork = [], os.fork

    def watched() -> int:
        copied.append(fork())
        return copied[0]

    monkeypatch.setattr(os, "fork", watched)
    with pytest.raises(ValueError, match="body"), meanwhile(lambda: write(done), apart=True):
        raise ValueError("body")
    with pytest.raises(ChildProcessError):
        os.waitpid(copied[0], os.WNOHANG)
