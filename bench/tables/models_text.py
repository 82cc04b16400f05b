"""Several models side by side for a terminal: pass rates with 95 % limits, and every two models compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.gate.wording import points
from bench.statistics.intervals import Cluster, clustered_interval, wilson_interval
from bench.tables.field_rows import field_rows, grouped
from bench.tables.leaderboard import item_passes
from bench.tables.text import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bench.results.record import Record
    from bench.statistics.intervals import Interval
    from bench.tables.model_pairs import ModelPair

__all__ = ["format_models"]

_NAME = 40
_RATES = (7, 8, 15, 9)
_CHANGES = (7, 8, 15, 5, 5)


def format_models(records: Sequence[Record], pairs: Sequence[ModelPair]) -> list[str]:
    """Return the lines, at most 80 columns wide; rates in percent, changes in percentage points.

    A suite's cases pass by a majority of their repeats; several cases about one item are a cluster.
    """
    lines = [_row("", ("cases", "passed", "95 % limits", "fields"), _RATES), *_rates(records)]
    if pairs:
        lines += ["", _row("", ("cases", "change", "95 % limits", "lost", "won"), _CHANGES), *_changes(pairs)]
    return lines


def _rates(records: Iterable[Record]) -> Iterator[str]:
    by_model = grouped(records, lambda record: (record.provider, record.model))
    for provider, model in sorted(by_model):
        yield printable(f"{provider}:{model}")
        by_suite = grouped(by_model[provider, model], lambda record: record.suite)
        for suite in sorted(by_suite):
            yield _row(f"  {suite}", _suite(by_suite[suite]), _RATES)


def _suite(records: Sequence[Record]) -> tuple[str, ...]:
    by_task = grouped(records, lambda record: record.task)
    verdicts = [(item, passed) for own in by_task.values() for item, passed in item_passes(own).items()]
    rows = field_rows(records)
    found = _interval(verdicts)
    return (
        str(len(verdicts)),
        _percent(found.rate),
        f"{_percent(found.low)} … {_percent(found.high)}",
        _percent(sum(row.score.passed for row in rows) / len(rows) if rows else None),
    )


def _interval(verdicts: Sequence[tuple[str, bool]]) -> Interval:
    by_item = grouped(verdicts, lambda one: one[0])
    if len(by_item) == len(verdicts):
        return wilson_interval(sum(passed for _, passed in verdicts), len(verdicts))
    clusters = [Cluster(passed=sum(passed for _, passed in own), n=len(own)) for own in by_item.values()]
    return clustered_interval(clusters)


def _changes(pairs: Iterable[ModelPair]) -> Iterator[str]:
    for (first, second), own in grouped(pairs, lambda pair: (pair.first, pair.second)).items():
        yield printable(f"{':'.join(first)} -> {':'.join(second)}")
        for pair in own:
            found = pair.figures
            cells = (
                str(found.n),
                points(found.delta),
                f"{points(found.limits.low)} … {points(found.limits.high)}",
                f"{found.losses:.4g}",
                f"{found.gains:.4g}",
            )
            yield _row(f"  {pair.suite}", cells, _CHANGES)


def _percent(rate: float | None) -> str:
    return "-" if rate is None else f"{100 * rate:.1f}"


def _row(name: str, cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = (cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
    return f"{name.ljust(_NAME)}{''.join(padded)}"
