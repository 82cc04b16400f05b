"""`leaderboard.csv`: one row per provider, model, suite and task, with 95 % intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.models.prices import reply_cost_usd
from bench.results.record import STATUSES, known_total, total
from bench.statistics.intervals import Cluster, clustered_interval, wilson_interval
from bench.tables.averages import mean, rate
from bench.tables.columns import LEADERBOARD
from bench.tables.csv_files import write_csv
from bench.tables.field_rows import field_rows, grouped, passes_by

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from bench.results.record import Record
    from bench.statistics.intervals import Interval
    from bench.tables.csv_files import Cell
    from bench.tables.field_rows import FieldRow

__all__ = ["item_passes", "leaderboard_rows", "reported_cost", "write_leaderboard"]


def reported_cost(record: Record) -> float | None:
    """Return what the server itself said it charged for the reply, in US dollars."""
    return reply_cost_usd(record.reply, None)


def write_leaderboard(
    path: Path,
    records: Iterable[Record],
    *,
    edition: str,
    cost_usd: Callable[[Record], float | None] = reported_cost,
) -> None:
    """Write `leaderboard_rows` to a file, whole or not at all.

    Raises:
        OSError: it cannot be written.
    """
    rows = leaderboard_rows(records, edition=edition, cost_usd=cost_usd)
    write_csv(path, LEADERBOARD, rows)


def leaderboard_rows(
    records: Iterable[Record],
    *,
    edition: str,
    cost_usd: Callable[[Record], float | None] = reported_cost,
) -> list[dict[str, Cell]]:
    """One row per provider, model, suite and task, sorted by these.

    Items pass by a majority of their repeats (Wilson's interval over items). Field rates cluster by
    item. `cost_usd` prices one record in US dollars; an unknown price leaves the row's cost empty, but
    for failed replies, which then count as free.
    `edition` is PlotChain's; other suites have none.
    """
    groups = grouped(records, lambda record: (record.provider, record.model, record.suite, record.task or ""))
    return [
        {
            "provider": key[0],
            "model": key[1],
            "suite": key[2],
            "task": key[3] or None,
            "edition": edition if key[2] == "plotchain" else None,
            **_replies(groups[key]),
            **_items(groups[key]),
            **_fields(field_rows(groups[key])),
            "cost_usd": known_total(cost_usd(record) for record in groups[key]),
        }
        for key in sorted(groups)
    ]


def item_passes(records: Iterable[Record]) -> dict[str, bool]:
    """Say for each item id whether more than half of its scored records passed; half is not enough.

    Items of which no record is scored are left out.
    """
    return passes_by(records, lambda record: record.item_id)


def _replies(records: Sequence[Record]) -> dict[str, Cell]:
    usages = [record.reply.usage for record in records]
    return {
        "policy": ", ".join(sorted({record.policy for record in records})),
        "asked_n": len(records),
        **{f"{status}_n": sum(record.status == status for record in records) for status in STATUSES},
        "mean_latency_s": mean(record.reply.latency_s for record in records),
        "input_tokens": total(usage.input_tokens for usage in usages),
        "output_tokens": total(usage.output_tokens for usage in usages),
        "reasoning_tokens": total(usage.reasoning_tokens for usage in usages),
    }


def _items(records: Sequence[Record]) -> dict[str, Cell]:
    verdicts = item_passes(records)
    answered = item_passes(record for record in records if record.status == "answered")
    interval = wilson_interval(sum(verdicts.values()), len(verdicts))
    return {
        "items_n": len(verdicts),
        **_interval("item_pass", interval),
        "item_pass_rate_answered_only": rate(answered.values()),
    }


def _fields(rows: Sequence[FieldRow]) -> dict[str, Cell]:
    finals = [row for row in rows if row.score.scope == "final"]
    checkpoints = [row for row in rows if row.score.scope == "checkpoint"]
    answered = [row.score.passed for row in rows if row.record.status == "answered"]
    return {
        "field_n": len(rows),
        **_interval("field_pass", _by_item(rows)),
        "field_pass_rate_answered_only": rate(answered),
        "final_n": len(finals),
        **_interval("final_pass", _by_item(finals)),
        "checkpoint_n": len(checkpoints),
        **_interval("checkpoint_pass", _by_item(checkpoints)),
    }


def _by_item(rows: Iterable[FieldRow]) -> Interval:
    by_item = grouped(rows, lambda row: row.record.item_id)
    clusters = [
        Cluster(passed=sum(row.score.passed for row in fields), n=len(fields)) for fields in by_item.values()
    ]
    return clustered_interval(clusters)


def _interval(prefix: str, interval: Interval) -> Mapping[str, Cell]:
    return {f"{prefix}_rate": interval.rate, f"{prefix}_low": interval.low, f"{prefix}_high": interval.high}
