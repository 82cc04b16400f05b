"""What the controller has received: records by case, and tests that ended without one."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from bench.models.budget import SpentOn, total
from bench.results.record import Record, record_order

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pytest

__all__ = ["ATTRIBUTE", "ReportPayload", "ResultCollector"]


ATTRIBUTE = "eyechart"


class ReportPayload(dict[str, Any]):
    """What a report carries of its test: plain values, as they cross to xdist's controller, and records as lines.

    Within one process the records themselves come along: reading them again would cost more than scoring.
    """

    records: Sequence[Record] = ()


class ResultCollector:
    """Records as reports bring them. A case that is recorded again (a rerun, a second test) keeps the last."""

    def __init__(self) -> None:
        self._cases: dict[str, tuple[list[Record], Mapping[str, Any]]] = {}
        self._sorted: list[tuple[Record, str]] | None = None
        self._skipped: set[str] = set()
        self._declined: dict[str, str] = {}
        self._unmeasured: set[str] = set()
        self._adaptations: dict[str, dict[tuple[str, ...], dict[str, str]]] = {}
        self._largest_px: dict[str, tuple[int, int]] = {}
        self._spending: dict[object, Mapping[str, Mapping[str, Any]]] = {}

    def see(self, report: pytest.TestReport) -> list[Record] | None:
        """Take from a report what its test kept, and return its case's records; None where it kept nothing."""
        kept: Mapping[str, Any] | None = getattr(report, ATTRIBUTE, None)
        records = None if kept is None else self._take(kept)
        if report.failed and (report.when != "call" or kept is None):
            self._unmeasured.add(report.nodeid)
        elif report.when == "call":
            self._unmeasured.discard(report.nodeid)
        return records

    def see_spending(self, process: object, snapshot: Mapping[str, Mapping[str, Any]]) -> None:
        """Take a process's account of what it asked for; the latest counts."""
        self._spending[process] = snapshot

    def _take(self, kept: Mapping[str, Any]) -> list[Record]:
        if "skipped" in kept:
            self._skipped.add(kept["skipped"])
            return []
        if "declined" in kept:
            self._declined[kept["declined"]] = kept["reason"]
            return []
        here = kept.records if isinstance(kept, ReportPayload) else ()
        records = list(here) or [Record.from_json(json.loads(line)) for line in kept["lines"]]
        self._cases[records[0].case_id] = (records, kept)
        self._sorted = None
        self.see_spending(kept["process"], kept["spending"])
        for label, adaptations in kept["adaptations"].items():
            known = self._adaptations.setdefault(label, {})
            for adaptation in adaptations:
                known.setdefault(tuple(adaptation.get(part, "") for part in ("action", "field", "to")), adaptation)
        for size in (size for size in kept["pictures_px"] if size is not None):
            largest = self._largest_px.get(kept["model"], (0, 0))
            self._largest_px[kept["model"]] = max(largest, (size[0], size[1]), key=lambda px: px[0] * px[1])
        return records

    @property
    def records(self) -> Sequence[Record]:
        """All records, sorted by item, task, model and repeat."""
        return [record for record, _ in self._in_order]

    @property
    def lines(self) -> Sequence[str]:
        """The lines of `records`, as they are written, without their ends."""
        return [line for _, line in self._in_order]

    @property
    def _in_order(self) -> Sequence[tuple[Record, str]]:
        if self._sorted is None:
            cases = self._cases.values()
            pairs = [pair for records, kept in cases for pair in zip(records, kept["lines"], strict=True)]
            self._sorted = sorted(pairs, key=lambda pair: record_order(pair[0]))
        return self._sorted

    @property
    def cases(self) -> int:
        """How many cases have records, or were skipped: no stored output, or none of the model's business."""
        return len(self._cases.keys() | self._skipped | self._declined.keys())

    @property
    def skipped(self) -> int:
        """How many cases were skipped for want of a stored output."""
        return len(self._skipped)

    @property
    def declined(self) -> Mapping[str, int]:
        """How many cases were skipped because their model declines the suite, by its reason."""
        return Counter(self._declined.values())

    @property
    def from_store(self) -> int:
        """How many replies came from the store."""
        return sum(sum(kept["from_store"]) for _, kept in self._cases.values())

    @property
    def unmeasured(self) -> int:
        """How many failed tests are no wrong answer: a server, a picture, the benchmark itself."""
        return len(self._unmeasured)

    @property
    def spent(self) -> Mapping[str, SpentOn]:
        """What was asked for by all processes, by model label: also replies that no test came to use."""
        return total(self._spending.values())

    def adaptations(self, label: str) -> list[dict[str, str]]:
        """What was changed in requests to a model because its server refused it; each once."""
        return list(self._adaptations.get(label, {}).values())

    def largest_picture_px(self, label: str) -> tuple[int, int] | None:
        """Width and height of the largest picture that a model was shown."""
        return self._largest_px.get(label)
