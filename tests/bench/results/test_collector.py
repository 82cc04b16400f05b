"""What the controller keeps of the reports that reach it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from bench.results.collector import ATTRIBUTE, ResultCollector
from tests.bench.tables.records import answer, make_record

if TYPE_CHECKING:
    from bench.results.record import Record


def report(kept: dict[str, Any] | None = None) -> Any:
    attached = {} if kept is None else {ATTRIBUTE: kept}
    return SimpleNamespace(failed=False, when="call", nodeid="bench/test_plotchain.py::test_plotchain", **attached)


def kept(record: Record) -> dict[str, Any]:
    return {
        "lines": [record.line()],
        "from_store": [False],
        "pictures_px": [None],
        "model": "m",
        "adaptations": {},
        "process": 1,
        "spending": {},
    }


def test_a_report_gives_its_cases_records_and_a_phase_that_kept_none_is_no_case() -> None:
    collector, record = ResultCollector(), make_record()

    assert collector.see(report()) is None
    assert collector.see(report({"skipped": "a"})) == []
    assert collector.see(report({"declined": "b", "reason": "no drawings"})) == []
    assert collector.see(report(kept(record))) == [record]
    assert (collector.cases, collector.skipped, dict(collector.declined)) == (3, 1, {"no drawings": 1})


def test_records_are_sorted_and_the_last_of_a_case_counts_also_after_they_were_looked_at() -> None:
    collector = ResultCollector()
    first, second = make_record(item_id="x_2", case_id="2"), make_record(item_id="x_10", case_id="10")
    collector.see(report(kept(second)))
    assert collector.records == [second]
    assert collector.lines == [second.line()]

    collector.see(report(kept(first)))
    assert collector.records == [first, second]

    again = make_record(answer(cutoff_hz=0), item_id="x_2", case_id="2")
    collector.see(report(kept(again)))
    assert collector.records == [again, second]
    assert collector.lines == [again.line(), second.line()]
