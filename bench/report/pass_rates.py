"""How often cases pass, with 95 % intervals: of any group of one model's records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.statistics.intervals import Cluster, Interval, clustered_interval, wilson_interval
from bench.tables.field_rows import grouped, passes_by

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.results.record import Record

__all__ = ["PassRate", "pass_rate"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PassRate:
    """`passed` of `n` cases, and the rate's interval."""

    passed: int
    n: int
    interval: Interval


def pass_rate(records: Sequence[Record]) -> PassRate:
    """Return the pass rate of one model's records: a case is an item and a task, and passes by majority.

    Records that are not scored are left out. The interval is Wilson's; where items were asked several tasks, it is
    the one for cases that cluster by item.
    """
    verdicts = passes_by(records, lambda record: (record.item_id, record.task))
    passed, n = sum(verdicts.values()), len(verdicts)
    if len({item for item, _ in verdicts}) == n:
        return PassRate(passed=passed, n=n, interval=wilson_interval(passed, n))
    items = grouped(verdicts, lambda case: case[0])
    clusters = [Cluster(passed=sum(verdicts[case] for case in own), n=len(own)) for own in items.values()]
    return PassRate(passed=passed, n=n, interval=clustered_interval(clusters))
