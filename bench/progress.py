"""How a long run is getting on, in one line: cases done, pass rate, time left, trouble by kind, cost."""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING

from bench.forecast import is_paid
from bench.leaderboard.averages import known_total
from bench.results.record import passes_by_majority

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bench.contestants import Contestant
    from bench.results.collected import Collected
    from bench.results.record import Record

__all__ = ["Progress", "paid", "progress_line"]

_TROUBLE = ("refused", "truncated", "unparsed", "undrawn", "unscored")
_MINUTE_S, _HOUR_S = 60, 3600


class Progress:
    """Counts cases as they end; `clock` is in seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._started_s = clock()
        self.done = 0
        self.scored = 0
        self.passed = 0
        self.trouble: Counter[str] = Counter()

    def see(self, records: Sequence[Record]) -> None:
        """Count a case by its records; one that was skipped has none."""
        self.done += 1
        if any(record.scored for record in records):
            self.scored += 1
            self.passed += passes_by_majority(records)
        for record in records:
            if record.status == "failed":
                self.trouble[f"failed ({record.reply.failure})"] += 1
            elif record.status in _TROUBLE:
                self.trouble[record.status] += 1

    @property
    def elapsed_s(self) -> float:
        """How long it has been going on."""
        return self._clock() - self._started_s

    def left_s(self, total: int) -> float | None:
        """How long it will go on at the pace so far; None before there is one."""
        if not 0 < self.done <= total:
            return None
        return self.elapsed_s / self.done * (total - self.done)


def progress_line(progress: Progress, *, total: int, cost_usd: float | None, width: int) -> str:
    """Return the line, cut to `width` columns; `cost_usd` None leaves the cost out.

    The parts that matter most stand first.
    """
    parts = [f"{progress.done}/{total} cases"]
    if progress.scored:
        parts.append(f"{100 * progress.passed / progress.scored:.1f} % passed")
    if (left_s := progress.left_s(total)) is not None:
        parts.append(f"{_span(left_s)} left")
    parts += [f"{n} {kind}" for kind, n in sorted(progress.trouble.items())]
    if cost_usd is not None:
        parts.append(f"{cost_usd:.4f} USD")
    line = "eyechart: " + ", ".join(parts)
    return line if len(line) <= width else f"{line[: max(0, width - 3)]}..."


def _span(seconds: float) -> str:
    if seconds < _MINUTE_S:
        return f"{seconds:.0f} s"
    if seconds < _HOUR_S:
        return f"{seconds // _MINUTE_S:.0f} min {seconds % _MINUTE_S:.0f} s"
    return f"{seconds // _HOUR_S:.0f} h {seconds % _HOUR_S // _MINUTE_S:.0f} min"


def paid(collected: Collected, models: Sequence[Contestant]) -> float | None:
    """Return what has been paid so far, in US dollars; None where nothing is paid for or a price is unknown."""
    paying = {model.label for model in models if is_paid(model)}
    amounts = [spent.known_usd for label, spent in collected.spent.items() if label in paying]
    return known_total(amounts)
