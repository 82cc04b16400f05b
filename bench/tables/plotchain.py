"""PlotChain's four tables, from records: one row per field, per reply, per field name, per model.

`per_item.csv` and `item_level.csv` have a row for each repeat. Means leave out what has no number;
rates do not: a field without one is wrong. Latency is averaged over field rows, as published, so that
an item with more fields weighs more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.results.files import write_atomically
from bench.results.record import record_order
from bench.tables.averages import mean, percentile, rate
from bench.tables.columns import ITEM_LEVEL, OVERALL, PER_ITEM, SUMMARY
from bench.tables.csv_files import csv_text
from bench.tables.field_rows import field_rows, grouped

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from bench.results.record import Record
    from bench.tables.csv_files import Cell
    from bench.tables.field_rows import FieldRow

__all__ = [
    "item_level_rows",
    "overall_rows",
    "per_item_rows",
    "summary_rows",
    "write_plotchain_tables",
]

_DIFFICULTIES = ("clean", "moderate", "edge")
_STATUSES = ("answered", "refused", "truncated", "unparsed", "failed")  # plots have one stage and no judge
_P95 = 95.0


def write_plotchain_tables(records: Iterable[Record], folder: Path) -> list[Path]:
    """Write the four tables of the PlotChain records among these; return their paths.

    Raises:
        OSError: the folder cannot be written.
    """
    kept = sorted((record for record in records if record.suite == "plotchain"), key=record_order)
    tables = {
        "per_item.csv": csv_text(PER_ITEM, per_item_rows(kept)),
        "item_level.csv": csv_text(ITEM_LEVEL, item_level_rows(kept)),
        "summary.csv": csv_text(SUMMARY, summary_rows(kept)),
        "overall.csv": csv_text(OVERALL, overall_rows(kept)),
    }
    for name, table in tables.items():
        write_atomically(folder / name, table)
    return [folder / name for name in tables]


def per_item_rows(records: Iterable[Record]) -> list[dict[str, Cell]]:
    """One row per reply and field, sorted by item, model and repeat."""
    return [_per_item_row(row) for row in field_rows(sorted(records, key=record_order))]


def _per_item_row(row: FieldRow) -> dict[str, Cell]:
    record, score = row.record, row.score
    return {
        "provider": record.provider,
        "model": record.model,
        "id": record.item_id,
        "type": record.family,
        "field": score.field,
        "is_checkpoint": score.scope == "checkpoint",
        "pred": score.prediction,
        "gold": score.truth,
        "abs_err": score.abs_err,
        "rel_err": score.rel_err,
        "abs_tol": score.abs_tol,
        "rel_tol": score.rel_tol,
        "pass": score.passed,
        "latency_s": record.reply.latency_s,
        "error": record.reply.error,
        "difficulty": record.difficulty,
        "status": record.status,
        "repeat": record.repeat,
        "policy": record.policy,
        "parse_rule": record.score.rule,
        "why": score.why,
    }


def item_level_rows(records: Iterable[Record]) -> list[dict[str, Cell]]:
    """One row per reply, sorted by item, model and repeat.

    `all_checkpoint_pass` is True for an item without checkpoints, as published.
    """
    return [_item_level_row(record) for record in sorted(records, key=record_order)]


def _item_level_row(record: Record) -> dict[str, Cell]:
    finals, checkpoints = _by_scope(field_rows([record]))
    return {
        "provider": record.provider,
        "model": record.model,
        "id": record.item_id,
        "type": record.family,
        "n_fields": len(finals) + len(checkpoints),
        "final_n": len(finals),
        "checkpoint_n": len(checkpoints),
        "all_final_pass": record.score.passed,
        "all_checkpoint_pass": record.score.checkpoints_passed,
        "difficulty": record.difficulty,
        "status": record.status,
        "repeat": record.repeat,
        "final_null_n": sum(row.is_null for row in finals),
        "checkpoint_null_n": sum(row.is_null for row in checkpoints),
        "finals_pass_checkpoints_fail": record.score.passed and not record.score.checkpoints_passed,
    }


def summary_rows(records: Iterable[Record]) -> list[dict[str, Cell]]:
    """One row per provider, model, family, scope and field, sorted by these."""
    groups = grouped(
        field_rows(records),
        lambda row: (
            row.record.provider,
            row.record.model,
            row.record.family,
            row.score.scope,
            row.score.field,
        ),
    )
    names = ("provider", "model", "type", "scope", "field")
    return [{**dict(zip(names, key, strict=True)), **_summary_values(groups[key])} for key in sorted(groups)]


def _summary_values(rows: Sequence[FieldRow]) -> dict[str, Cell]:
    answered = [row for row in rows if row.record.status == "answered"]
    return {
        "n": len(rows),
        "pass_rate": _pass_rate(rows),
        "mean_abs_err": mean(row.score.abs_err for row in rows),
        "median_abs_err": percentile((row.score.abs_err for row in rows), 50.0),
        "mean_rel_err": mean(row.score.rel_err for row in rows),
        "p95_abs_err": percentile((row.score.abs_err for row in rows), _P95),
        "mean_latency_s": mean(row.record.reply.latency_s for row in rows),
        "null_rate": rate(row.is_null for row in rows),
        "answered_n": len(answered),
        "answered_pass_rate": _pass_rate(answered),
        "mean_signed_err": mean(row.signed_err for row in rows),
        **{
            f"{difficulty}_pass_rate": _pass_rate([row for row in rows if row.record.difficulty == difficulty])
            for difficulty in _DIFFICULTIES
        },
    }


def overall_rows(records: Iterable[Record]) -> list[dict[str, Cell]]:
    """One row per provider and model, sorted by these."""
    groups = grouped(records, lambda record: (record.provider, record.model))
    return [
        {
            "provider": key[0],
            "model": key[1],
            **_field_averages(field_rows(groups[key])),
            **_reply_counts(groups[key]),
        }
        for key in sorted(groups)
    ]


def _field_averages(rows: Sequence[FieldRow]) -> dict[str, Cell]:
    finals, checkpoints = _by_scope(rows)
    return {
        "n": len(rows),
        "overall_pass_rate": _pass_rate(rows),
        "mean_abs_err": mean(row.score.abs_err for row in rows),
        "mean_rel_err": mean(row.score.rel_err for row in rows),
        "mean_latency_s": mean(row.record.reply.latency_s for row in rows),
        "final_n": len(finals),
        "final_pass_rate": _pass_rate(finals),
        "checkpoint_n": len(checkpoints),
        "checkpoint_pass_rate": _pass_rate(checkpoints),
        "answered_pass_rate": _pass_rate([row for row in rows if row.record.status == "answered"]),
        "null_rate": rate(row.is_null for row in rows),
        "final_null_rate": rate(row.is_null for row in finals),
        "checkpoint_null_rate": rate(row.is_null for row in checkpoints),
    }


def _reply_counts(records: Sequence[Record]) -> dict[str, Cell]:
    checked = [record for record in records if _by_scope(field_rows([record]))[1]]
    return {
        "policy": ", ".join(sorted({record.policy for record in records})),
        "replies_n": len(records),
        **{f"{status}_n": sum(record.status == status for record in records) for status in _STATUSES},
        "item_final_pass_rate": rate(record.score.passed for record in records),
        "item_checkpoint_n": len(checked),
        "item_checkpoint_pass_rate": rate(record.score.checkpoints_passed for record in checked),
        "finals_pass_checkpoints_fail_n": sum(
            record.score.passed and not record.score.checkpoints_passed for record in records
        ),
    }


def _by_scope(rows: Sequence[FieldRow]) -> tuple[list[FieldRow], list[FieldRow]]:
    finals = [row for row in rows if row.score.scope == "final"]
    return finals, [row for row in rows if row.score.scope == "checkpoint"]


def _pass_rate(rows: Sequence[FieldRow]) -> float | None:
    return rate(row.score.passed for row in rows)
