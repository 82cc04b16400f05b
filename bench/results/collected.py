"""What the controller has received: records by case, and tests that ended without one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.recording import attached
from bench.results.record import Record, record_order

if TYPE_CHECKING:
    import pytest

__all__ = ["Collected"]


class Collected:
    """Records as reports bring them. A case that runs again (a rerun plugin) replaces its records.

    `from_store` counts replies that were not asked for again; `unmeasured` counts failed tests that are
    no wrong answer: trouble with a server, a picture or the benchmark itself.
    """

    def __init__(self) -> None:
        self._records: dict[str, list[Record]] = {}
        self._from_store: dict[str, int] = {}
        self._unmeasured: set[str] = set()
        self._skipped: set[str] = set()

    def see(self, report: pytest.TestReport) -> None:
        """Take the records from a report, if it has some."""
        kept = attached(report)
        if kept is not None:
            self._records[report.nodeid] = [Record.from_json(data) for data in kept["records"]]
            self._from_store[report.nodeid] = kept["from_store"]
        if report.failed and (report.when != "call" or kept is None):
            self._unmeasured.add(report.nodeid)
        elif report.when == "call":
            self._unmeasured.discard(report.nodeid)
        if report.skipped and report.when == "setup":
            self._skipped.add(report.nodeid)

    @property
    def records(self) -> list[Record]:
        """All records, sorted by item, task, model and repeat."""
        return sorted((record for group in self._records.values() for record in group), key=record_order)

    @property
    def cases(self) -> int:
        """How many cases have records or were skipped for want of a stored output."""
        return len(self._records.keys() | self._skipped)

    @property
    def skipped(self) -> int:
        """How many cases were skipped."""
        return len(self._skipped)

    @property
    def from_store(self) -> int:
        """How many replies came from the store."""
        return sum(self._from_store.values())

    @property
    def unmeasured(self) -> int:
        """How many failed tests are no wrong answer."""
        return len(self._unmeasured)
