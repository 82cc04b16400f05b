"""The live line: what it says, that it never touches pytest's own output, and where it stays away."""

from __future__ import annotations

import fcntl
import io
import os
import pty
import struct
import subprocess
import termios
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.models.types import Response
from bench.terminal import Below, LiveLine, Progress, is_watched, progress_line
from scorers.score import Score, Unscored
from tests.bench.conftest import environment
from tests.bench.tables.records import answer, failed, make_record
from tests.conftest import ROOT, sampled

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.bench.conftest import Bench

ROWS, COLUMNS = 24, 80
pyte = pytest.importorskip("pyte", reason="no pyte: pip install -e '.[test]'")


class Clock:
    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def test_the_line_says_how_far_a_run_is() -> None:
    clock = Clock()
    progress = Progress(clock)
    unscored = Score(fields=(), parsed=True, answer=None, rule="", unscored=Unscored(cause="judge", why="none"))
    for record in (
        make_record(), make_record(answer(cutoff_hz=0)), make_record(failed()), make_record(failed()),
        make_record(Response(status="refused")), make_record(score=unscored),
    ):  # fmt: skip
        progress.see([record])
    progress.see([])  # a case that was skipped
    clock.now_s += 14
    assert progress_line(progress, total=14, cost_usd=0.5, width=200) == (
        "eyechart: 7/14 cases, 20.0 % passed, 14 s left, 2 failed (network), 1 refused, 1 unscored, 0.5000 USD"
    )
    assert progress_line(progress, total=14, cost_usd=None, width=30) == "eyechart: 7/14 cases, 20.0 ..."


@pytest.mark.parametrize(("seconds", "said"), [(7, "42 s"), (20, "2 min 0 s"), (700, "1 h 10 min")])
def test_the_time_left_is_at_the_pace_so_far(seconds: float, said: str) -> None:
    clock = Clock()
    progress = Progress(clock)
    assert progress_line(progress, total=7, cost_usd=None, width=80) == "eyechart: 0/7 cases"
    progress.see([make_record()])
    clock.now_s += seconds
    assert f", {said} left" in progress_line(progress, total=7, cost_usd=None, width=80)
    assert "left" not in progress_line(progress, total=0, cost_usd=None, width=80)


@given(
    st.lists(st.text(st.sampled_from("abc .\n\r[]%"), max_size=60), max_size=40),
    st.lists(st.none() | st.text(st.sampled_from("xyz "), max_size=70), max_size=40),
)
def test_whatever_is_written_stands_as_it_would_without_the_line(
    texts: list[str], lines: list[str | None]
) -> None:
    plain, stream = io.StringIO(), io.StringIO()
    below = Below(stream)
    for place, text in enumerate(texts):
        if place < len(lines):
            below.show(lines[place])
        assert below.write(text) == len(text)
        plain.write(text)
    below.show(None)
    assert screen(stream.getvalue()) == screen(plain.getvalue())


def test_while_it_is_shown_the_line_stands_below() -> None:
    stream = io.StringIO()
    below = Below(stream)
    below.write("one\n" * 30 + "two")
    below.show("the line")
    assert screen(stream.getvalue())[-2:] == ["two", "the line"]
    below.write(" three")
    assert screen(stream.getvalue())[-2:] == ["two three", "the line"]
    assert below.getvalue() == stream.getvalue()


def screen(written: str) -> list[str]:
    """What a person sees in the end, with what has scrolled away, without empty lines at the end."""
    shown = pyte.HistoryScreen(COLUMNS, ROWS, history=10_000, ratio=0.5)
    pyte.Stream(shown).feed(written.replace("\n", "\r\n"))
    gone = ["".join(line[column].data for column in range(COLUMNS)) for line in shown.history.top]
    lines = [line.rstrip() for line in [*gone, *shown.display]]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def a_config(**changes: Any) -> Any:
    option = {"capture": "fd", "usepdb": False, "trace": False, "verbose": 0, "no_header": False, **changes}
    return SimpleNamespace(option=SimpleNamespace(**option))


@pytest.mark.parametrize(
    ("changes", "variables", "terminal", "watched"),
    [
        ({}, {"TERM": "xterm"}, True, True),
        ({"verbose": 2}, {"TERM": "xterm"}, True, True),
        ({}, {"TERM": "xterm"}, False, False),
        ({}, {"TERM": "xterm", "CI": "true"}, True, False),
        ({}, {"TERM": "xterm", "BUILD_NUMBER": "7"}, True, False),
        ({}, {"TERM": "dumb"}, True, False),
        ({}, {}, True, False),
        ({"verbose": -1}, {"TERM": "xterm"}, True, False),
        ({"no_header": True}, {"TERM": "xterm"}, True, False),
        ({"capture": "no"}, {"TERM": "xterm"}, True, False),
        ({"usepdb": True}, {"TERM": "xterm"}, True, False),
        ({"trace": True}, {"TERM": "xterm"}, True, False),
    ],
)
def test_it_stays_away_where_nobody_looks_or_it_would_be_mixed(
    changes: dict[str, Any], variables: dict[str, str], terminal: bool, watched: bool
) -> None:
    stream = SimpleNamespace(isatty=lambda: terminal)
    assert is_watched(a_config(**changes), stream, variables) == watched


def test_it_appears_after_two_seconds_and_gives_the_stream_back() -> None:
    clock, stream = Clock(), io.StringIO()
    writer = SimpleNamespace(_file=stream, fullwidth=80)
    live = LiveLine(SimpleNamespace(_tw=writer), total=lambda: 9, cost_usd=lambda: None, clock=clock)  # type: ignore[arg-type]
    live.see([make_record()])
    assert stream.getvalue() == ""
    clock.now_s += 2
    live.see([make_record()])
    assert screen(stream.getvalue()) == ["", "eyechart: 2/9 cases, 100.0 % passed, 7 s left"]
    live.see([make_record()])
    assert "3/9" not in stream.getvalue()
    live.close()
    live.close()
    assert writer._file is stream
    assert screen(stream.getvalue()) == []


def in_a_terminal(bench: Bench, *arguments: str, **variables: str) -> str:
    """Run the benchmark in a terminal of its own and return all that was written to it."""
    controller, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    process = subprocess.Popen(
        bench.command(*arguments, "--out", str(bench.folder / "out")),
        cwd=bench.folder,
        env={**environment(), "TERM": "xterm", **variables},
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        start_new_session=True,
    )
    os.close(terminal)
    written = b"".join(read_all(controller))
    process.wait()
    os.close(controller)
    return written.decode()


def read_all(terminal: int) -> Iterable[bytes]:
    while True:
        try:
            data = os.read(terminal, 65_536)
        except OSError:  # Linux's way to say that the other end was closed
            return
        if not data:
            return
        yield data


AT_ONCE = "import bench.terminal as live; live.FIRST_S = live.EVERY_S = 0.0"


@pytest.fixture
def impatient(bench: Bench) -> Bench:
    """Runs that show the line from the first case on."""
    (bench.folder / "impatient.py").write_text(AT_ONCE)
    return bench


@pytest.mark.parametrize(
    "how", [(), *(pytest.param(how, marks=pytest.mark.sweep) for how in (("-v",), ("-n", "2")))]
)
def test_in_a_terminal_it_is_shown_and_leaves_no_trace(impatient: Bench, how: tuple[str, ...]) -> None:
    command = ("--items-per-family", "2", "--model", "oracle", "-p", "impatient", *how)
    written = in_a_terminal(impatient, *command, PYTHONPATH=f"{impatient.folder}{os.pathsep}{ROOT}")
    assert "eyechart: 30/30 cases, 100.0 % passed" in written
    left = screen(written.replace("\r\n", "\n"))
    assert not any("cases, 100.0 %" in line for line in left)
    assert any("30 passed" in line for line in left)
    assert any(line.startswith("results:") for line in left)
    if not how:
        dots = "".join(left).partition("test_plotchain.py ")[2].partition("100%")[0]
        assert dots.count(".") == 30


@pytest.mark.parametrize(
    ("how", "variables"),
    sampled([(("-q",), {}), (("--no-header",), {}), ((), {"CI": "1"}), (("-s",), {})]),
)
def test_in_a_terminal_it_is_quiet_where_it_should_be(
    impatient: Bench, how: tuple[str, ...], variables: dict[str, str]
) -> None:
    command = ("--items-per-family", "1", "--model", "oracle", "-p", "impatient", *how)
    written = in_a_terminal(impatient, *command, PYTHONPATH=f"{impatient.folder}{os.pathsep}{ROOT}", **variables)
    assert "15 passed" in written
    assert "15/15 cases" not in written
    assert "\x1b7" not in written


def test_in_a_file_there_is_no_line(impatient: Bench) -> None:
    run = impatient(
        "--items-per-family",
        "1",
        "--model",
        "oracle",
        "-p",
        "impatient",
        PYTHONPATH=f"{impatient.folder}{os.pathsep}{ROOT}",
    )  # fmt: skip
    assert "15 passed" in run.counts
    assert "\x1b" not in run.out
