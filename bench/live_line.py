"""A line that stays below pytest's own output while a run goes on, on terminals that people look at."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from bench.progress import Progress, progress_line

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import TextIO

    import pytest

    from bench.results.record import Record

__all__ = ["Below", "LiveLine", "is_watched"]

FIRST_S = 2.0
EVERY_S = 0.5
_SAVE, _RESTORE, _DOWN, _UP, _ERASE = "\x1b7", "\x1b8", "\x1bD", "\x1b[A", "\x1b[K"


def is_watched(config: pytest.Config, stream: Any, environ: Mapping[str, str]) -> bool:  # noqa: ANN401
    """Whether a person looks at a terminal that can move its cursor, and wants more than pytest's own line.

    Not where tests write to the terminal themselves or a debugger may (-s, --pdb): their output would be mixed
    with the line.
    """
    option = config.option
    mixed = option.capture == "no" or option.usepdb or option.trace
    quiet = option.verbose < 0 or option.no_header
    in_ci = any(environ.get(name) for name in ("CI", "BUILD_NUMBER"))
    capable = environ.get("TERM", "dumb") not in {"", "dumb"}
    return stream.isatty() and capable and not (mixed or quiet or in_ci)


class Below:
    """A terminal's stream that keeps one line below whatever is written; `line` None keeps none.

    The line is erased before a write and drawn again after it, in one write, so that nothing flickers and no text
    is ever mixed with it. Everything else is the stream's own.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._line: str | None = None

    def write(self, text: str) -> int:
        """Write text where the cursor is; returns its length, as files do."""
        self._stream.write(f"{self._erased()}{text}{self._drawn()}")
        return len(text)

    def show(self, line: str | None) -> None:
        """Draw another line, or none."""
        before = self._erased()
        self._line = line
        self._stream.write(f"{before}{self._drawn()}")
        self._stream.flush()

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        return getattr(self._stream, name)

    def _erased(self) -> str:
        return "" if self._line is None else f"{_SAVE}{_DOWN}\r{_ERASE}{_RESTORE}"

    def _drawn(self) -> str:
        """Make sure that there is a line below, which may scroll, and only then remember the cursor's place."""
        if self._line is None:
            return ""
        return f"{_DOWN}{_UP}{_SAVE}{_DOWN}\r{self._line}{_ERASE}{_RESTORE}"


class LiveLine:
    """Shows a run's progress from its third second on, twice a second at most.

    `total` and `cost_usd` are asked whenever the line is drawn.
    """

    def __init__(
        self,
        reporter: pytest.TerminalReporter,
        *,
        total: Callable[[], int],
        cost_usd: Callable[[], float | None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._writer = reporter._tw  # noqa: SLF001 - the one stream that all of pytest's output goes through
        self._stream = self._writer._file  # noqa: SLF001
        self._below = Below(self._stream)
        self._writer._file = self._below  # noqa: SLF001
        self._total = total
        self._cost_usd = cost_usd
        self._clock = clock
        self._next_s = clock() + FIRST_S
        self._progress = Progress(clock)

    @classmethod
    def start(
        cls,
        config: pytest.Config,
        environ: Mapping[str, str],
        *,
        total: Callable[[], int],
        cost_usd: Callable[[], float | None],
    ) -> LiveLine | None:
        """Start showing where somebody looks; None elsewhere."""
        reporter: pytest.TerminalReporter | None = config.pluginmanager.getplugin("terminalreporter")
        if reporter is None or not is_watched(config, reporter._tw._file, environ):  # noqa: SLF001
            return None
        return cls(reporter, total=total, cost_usd=cost_usd)

    def see(self, records: Sequence[Record]) -> None:
        """Count a case and draw the line when it is time."""
        self._progress.see(records)
        if self._clock() >= self._next_s:
            self._next_s = self._clock() + EVERY_S
            width = self._writer.fullwidth - 1
            self._below.show(
                progress_line(self._progress, total=self._total(), cost_usd=self._cost_usd(), width=width)
            )

    def close(self) -> None:
        """Erase the line and give the stream back; repeatable."""
        if self._writer._file is self._below:  # noqa: SLF001
            self._below.show(None)
            self._writer._file = self._stream  # noqa: SLF001
