"""PlotChain's four tables, from records: one row per field, per reply, per field name, per model.

`per_item.csv` and `item_level.csv` have a row for each repeat. Means leave out what has no number;
rates do not: a field without one is wrong. Latency is averaged over field rows, as published, so that
an item with more fields weighs more. Published columns come first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from bench.results.aggregate import FieldRow, Replies, field_rows, grouped, mean, percentile, rate
from bench.results.record import Record, record_order
from bench.tables.csv_files import Table, write_csv

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from bench.tables.csv_files import Cell
    from scorers.score import FieldScore

__all__ = [
    "ITEM_LEVEL",
    "OVERALL",
    "PER_ITEM",
    "SUMMARY",
    "item_level_rows",
    "overall_rows",
    "per_item_rows",
    "summary_rows",
    "write_plotchain_tables",
]

Scope = Literal["final", "checkpoint"]

PER_ITEM: Table[FieldRow] = Table(
    ("provider", lambda row: row.record.provider),
    ("model", lambda row: row.record.model),
    ("id", lambda row: row.record.item_id),
    ("type", lambda row: row.record.family),
    ("field", lambda row: row.score.field),
    ("is_checkpoint", lambda row: row.score.scope == "checkpoint"),
    ("pred", lambda row: row.score.prediction),
    ("gold", lambda row: row.score.truth),
    ("abs_err", lambda row: row.score.abs_err),
    ("rel_err", lambda row: row.score.rel_err),
    ("abs_tol", lambda row: row.score.abs_tol),
    ("rel_tol", lambda row: row.score.rel_tol),
    ("pass", lambda row: row.score.passed),
    ("latency_s", lambda row: row.record.reply.latency_s),
    ("error", lambda row: row.record.reply.error),
    ("difficulty", lambda row: row.record.difficulty),  # clean, moderate, edge
    ("status", lambda row: row.record.status),  # answered, refused, truncated, unparsed, failed
    ("repeat", lambda row: row.record.repeat),
    ("policy", lambda row: row.record.policy),
    ("parse_rule", lambda row: row.record.score.rule),  # how the answer was found in the text
    ("why", lambda row: row.score.why),  # the comparison, or why there is no number
)


def _of_scope(record: Record, scope: Scope) -> list[FieldScore]:
    return [field for field in record.score.fields if field.scope == scope]


def _nulls(record: Record, scope: Scope) -> int:
    return sum(field.prediction is None for field in _of_scope(record, scope))


def _is_finals_only(record: Record) -> bool:
    return record.score.passed and not record.score.checkpoints_passed


ITEM_LEVEL: Table[Record] = Table(
    ("provider", lambda record: record.provider),
    ("model", lambda record: record.model),
    ("id", lambda record: record.item_id),
    ("type", lambda record: record.family),
    ("n_fields", lambda record: len(record.score.fields)),
    ("final_n", lambda record: len(_of_scope(record, "final"))),
    ("checkpoint_n", lambda record: len(_of_scope(record, "checkpoint"))),
    ("all_final_pass", lambda record: record.score.passed),
    ("all_checkpoint_pass", lambda record: record.score.checkpoints_passed),  # True without any, as published
    ("difficulty", lambda record: record.difficulty),
    ("status", lambda record: record.status),
    ("repeat", lambda record: record.repeat),
    ("final_null_n", lambda record: _nulls(record, "final")),  # final fields without a usable number
    ("checkpoint_null_n", lambda record: _nulls(record, "checkpoint")),
    ("finals_pass_checkpoints_fail", _is_finals_only),
)


def _pass_rate(rows: Iterable[FieldRow]) -> float | None:
    return rate(row.score.passed for row in rows)


def _null_rate(rows: Iterable[FieldRow]) -> float | None:
    return rate(row.is_null for row in rows)


def _answered(rows: Iterable[FieldRow]) -> list[FieldRow]:
    return [row for row in rows if row.record.status == "answered"]


def _pass_rate_of(difficulty: str) -> Callable[[Sequence[FieldRow]], Cell]:
    return lambda rows: _pass_rate(row for row in rows if row.record.difficulty == difficulty)


# The rows of one field of one family, as one model answered it.
SUMMARY: Table[Sequence[FieldRow]] = Table(
    ("provider", lambda rows: rows[0].record.provider),
    ("model", lambda rows: rows[0].record.model),
    ("type", lambda rows: rows[0].record.family),
    ("scope", lambda rows: rows[0].score.scope),
    ("field", lambda rows: rows[0].score.field),
    ("n", len),
    ("pass_rate", _pass_rate),
    ("mean_abs_err", lambda rows: mean(row.score.abs_err for row in rows)),
    ("median_abs_err", lambda rows: percentile((row.score.abs_err for row in rows), 50.0)),
    ("mean_rel_err", lambda rows: mean(row.score.rel_err for row in rows)),
    ("p95_abs_err", lambda rows: percentile((row.score.abs_err for row in rows), 95.0)),
    ("mean_latency_s", lambda rows: mean(row.record.reply.latency_s for row in rows)),
    ("null_rate", _null_rate),
    ("answered_n", lambda rows: len(_answered(rows))),
    ("answered_pass_rate", lambda rows: _pass_rate(_answered(rows))),  # over replies with status answered
    (
        "mean_signed_err",
        lambda rows: mean(row.signed_err for row in rows),
    ),  # prediction - truth: a bias has a sign
    ("clean_pass_rate", _pass_rate_of("clean")),
    ("moderate_pass_rate", _pass_rate_of("moderate")),
    ("edge_pass_rate", _pass_rate_of("edge")),
)


def _checked(run: Replies) -> list[Record]:
    """Return the replies to items that have checkpoints."""
    return [record for record in run.records if _of_scope(record, "checkpoint")]


OVERALL: Table[Replies] = Table(
    ("provider", lambda run: run.first.provider),
    ("model", lambda run: run.first.model),
    ("n", lambda run: len(run.rows)),
    ("overall_pass_rate", lambda run: _pass_rate(run.rows)),
    ("mean_abs_err", lambda run: mean(row.score.abs_err for row in run.rows)),
    ("mean_rel_err", lambda run: mean(row.score.rel_err for row in run.rows)),
    ("mean_latency_s", lambda run: mean(row.record.reply.latency_s for row in run.rows)),
    ("final_n", lambda run: len(run.finals)),
    ("final_pass_rate", lambda run: _pass_rate(run.finals)),
    ("checkpoint_n", lambda run: len(run.checkpoints)),
    ("checkpoint_pass_rate", lambda run: _pass_rate(run.checkpoints)),
    ("policy", lambda run: run.policy),
    ("replies_n", lambda run: len(run.records)),
    ("answered_n", lambda run: run.ended("answered")),
    ("refused_n", lambda run: run.ended("refused")),
    ("truncated_n", lambda run: run.ended("truncated")),
    ("unparsed_n", lambda run: run.ended("unparsed")),
    ("failed_n", lambda run: run.ended("failed")),
    ("answered_pass_rate", lambda run: _pass_rate(_answered(run.rows))),
    (
        "item_final_pass_rate",
        lambda run: rate(one.score.passed for one in run.records),
    ),  # every final field passed
    ("item_checkpoint_n", lambda run: len(_checked(run))),  # replies to items that have checkpoints
    ("item_checkpoint_pass_rate", lambda run: rate(one.score.checkpoints_passed for one in _checked(run))),
    ("finals_pass_checkpoints_fail_n", lambda run: sum(map(_is_finals_only, run.records))),
    ("null_rate", lambda run: _null_rate(run.rows)),
    ("final_null_rate", lambda run: _null_rate(run.finals)),
    ("checkpoint_null_rate", lambda run: _null_rate(run.checkpoints)),
)


def per_item_rows(records: Iterable[Record]) -> list[dict[str, Cell]]:
    """One row per reply and field, sorted by item, model and repeat."""
    return PER_ITEM.rows(field_rows(sorted(records, key=record_order)))


def item_level_rows(records: Iterable[Record]) -> list[dict[str, Cell]]:
    """One row per reply, sorted by item, model and repeat."""
    return ITEM_LEVEL.rows(sorted(records, key=record_order))


def summary_rows(records: Iterable[Record]) -> list[dict[str, Cell]]:
    """One row per provider, model, family, scope and field, sorted by these."""
    groups = grouped(
        field_rows(records),
        lambda row: (row.record.provider, row.record.model, row.record.family, row.score.scope, row.score.field),
    )
    return SUMMARY.rows(groups[key] for key in sorted(groups))


def overall_rows(records: Iterable[Record]) -> list[dict[str, Cell]]:
    """One row per provider and model, sorted by these."""
    groups = grouped(records, lambda record: (record.provider, record.model))
    return OVERALL.rows(Replies(groups[key]) for key in sorted(groups))


def write_plotchain_tables(records: Iterable[Record], folder: Path) -> list[Path]:
    """Write the four tables of the PlotChain records among these; return their paths.

    Raises:
        OSError: the folder cannot be written.
    """
    kept = sorted((record for record in records if record.suite == "plotchain"), key=record_order)
    tables = {
        "per_item.csv": (PER_ITEM.columns, per_item_rows(kept)),
        "item_level.csv": (ITEM_LEVEL.columns, item_level_rows(kept)),
        "summary.csv": (SUMMARY.columns, summary_rows(kept)),
        "overall.csv": (OVERALL.columns, overall_rows(kept)),
    }
    for name, (columns, rows) in tables.items():
        write_csv(folder / name, columns, rows)
    return [folder / name for name in tables]
