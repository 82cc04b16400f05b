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

    `unmeasured` counts failed tests that are no wrong answer: trouble with a server, a picture or the
    benchmark itself.
    """

    def __init__(self) -> None:
        self._records: dict[str, list[Record]] = {}
        self._stored: dict[str, list[bool]] = {}
        self._unmeasured: set[str] = set()
        self._skipped: set[str] = set()
        self._adaptations: dict[str, dict[tuple[str, ...], dict[str, str]]] = {}
        self._largest_px: dict[str, tuple[int, int]] = {}

    def see(self, report: pytest.TestReport) -> None:
        """Take the records from a report, if it has some."""
        kept = attached(report)
        if kept is not None:
            self._records[report.nodeid] = [Record.from_json(data) for data in kept["records"]]
            self._stored[report.nodeid] = kept["from_store"]
            self._see_asking(kept["model"], kept["adaptations"], kept["pictures_px"])
        if report.failed and (report.when != "call" or kept is None):
            self._unmeasured.add(report.nodeid)
        elif report.when == "call":
            self._unmeasured.discard(report.nodeid)
        if report.skipped and report.when == "setup":
            self._skipped.add(report.nodeid)

    def _see_asking(
        self, label: str, adaptations: list[dict[str, str]], pictures_px: list[tuple[int, int] | None]
    ) -> None:
        known = self._adaptations.setdefault(label, {})
        for adaptation in adaptations:
            key = tuple(adaptation.get(part, "") for part in ("action", "field", "to"))
            known.setdefault(key, adaptation)
        sizes = [(size[0], size[1]) for size in pictures_px if size is not None]
        for size in sizes:
            self._largest_px[label] = max(self._largest_px.get(label, (0, 0)), size, key=lambda px: px[0] * px[1])

    @property
    def records(self) -> list[Record]:
        """All records, sorted by item, task, model and repeat."""
        return sorted((record for group in self._records.values() for record in group), key=record_order)

    @property
    def asked_records(self) -> list[Record]:
        """Records whose reply was asked for in this run, not taken from the store."""
        return [
            record
            for case, group in self._records.items()
            for record, stored in zip(group, self._stored[case], strict=True)
            if not stored
        ]

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
        return sum(sum(stored) for stored in self._stored.values())

    @property
    def unmeasured(self) -> int:
        """How many failed tests are no wrong answer."""
        return len(self._unmeasured)

    def adaptations(self, label: str) -> list[dict[str, str]]:
        """What was changed in requests to a model because its server refused it; each once."""
        return list(self._adaptations.get(label, {}).values())

    def largest_picture_px(self, label: str) -> tuple[int, int] | None:
        """Width and height of the largest picture that a model was shown."""
        return self._largest_px.get(label)
