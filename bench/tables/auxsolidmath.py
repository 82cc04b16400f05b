"""The solid-geometry suite's tables, from records: one row per reply, and rates with intervals by group.

A metric has three kinds of items: scored ones, those without a usable verdict (coverage falls), and those that
this way of judging cannot score at all (they leave before coverage is counted): proofs, and reasoning, under
"exact". The headline under "exact" is `conclusion_correct`, which is then over calculations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from bench.models.types import DRAWING_STATUSES, natural_key
from bench.results.record import record_order
from bench.statistics.intervals import wilson_interval
from bench.statistics.tests import ALPHA_TWO_SIDED, CasePair, paired
from bench.tables.columns import (
    AUXSOLIDMATH_METRICS,
    AUXSOLIDMATH_PAIRED,
    AUXSOLIDMATH_PER_ITEM,
    AUXSOLIDMATH_SUMMARY,
)
from bench.tables.csv_files import write_csv
from bench.tables.field_rows import grouped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from bench.results.record import Record
    from bench.tables.csv_files import Cell

__all__ = [
    "is_two_stage",
    "metric_value",
    "paired_rows",
    "per_item_rows",
    "summary_rows",
    "write_auxsolidmath_tables",
]

Unknown = Literal["design", "judge"]

GROUPS: Mapping[str, Callable[[Record], str | None]] = {
    "all": lambda _: "all",
    "task": lambda record: record.task,
    "family": lambda record: record.family,
    "difficulty": lambda record: record.difficulty,
    "kind": lambda record: record.about.get("kind"),
    "given_in": lambda record: record.about.get("given_in"),
}


def write_auxsolidmath_tables(records: Iterable[Record], folder: Path) -> None:
    """Write per_item.csv, summary.csv and, where both modes ran, paired.csv.

    Raises:
        OSError: the folder cannot be written.
    """
    kept = list(records)
    write_csv(folder / "per_item.csv", AUXSOLIDMATH_PER_ITEM, per_item_rows(kept))
    write_csv(folder / "summary.csv", AUXSOLIDMATH_SUMMARY, summary_rows(kept))
    if rows := paired_rows(kept):
        write_csv(folder / "paired.csv", AUXSOLIDMATH_PAIRED, rows)


def is_two_stage(record: Record) -> bool:
    """Whether a drawing was asked for first."""
    return (record.task or "").endswith("_visual_cot")


def metric_value(record: Record, metric: str) -> bool | Unknown:
    """Return a metric of one reply: whether it holds, or why it is unknown.

    Raises:
        ValueError: an unknown metric.
    """
    if metric not in AUXSOLIDMATH_METRICS:
        raise ValueError(f"expected a metric out of {', '.join(AUXSOLIDMATH_METRICS)}, got {metric!r}")
    if record.score.unscored is not None:
        return record.score.unscored.cause
    fields = {row.field: row.passed for row in record.score.fields}
    if metric != AUXSOLIDMATH_METRICS[0]:
        return fields.get(metric, "design")
    return all(fields.values()) if "reasoning_rigorous" in fields else "design"


def per_item_rows(records: Iterable[Record]) -> list[dict[str, Cell]]:
    """One row per reply, sorted by item, task, model and repeat."""
    return [_per_item_row(record) for record in sorted(records, key=record_order)]


def _per_item_row(record: Record) -> dict[str, Cell]:
    answer = record.score.answer or {}
    values = {metric: metric_value(record, metric) for metric in AUXSOLIDMATH_METRICS}
    known = {metric: value if isinstance(value, bool) else None for metric, value in values.items()}
    judge = record.judge_reply
    return {
        "provider": record.provider,
        "model": record.model,
        "id": record.item_id,
        "task": record.task,
        "family": record.family,
        "difficulty": record.difficulty,
        **{name: record.about.get(name) for name in ("kind", "given_in", "answer_kind", "answer")},
        "repeat": record.repeat,
        "policy": record.policy,
        "status": record.status,
        "text_ok": known["auxsolidmath_text_acc"],
        "reasoning_rigorous": known["reasoning_rigorous"],
        "conclusion_correct": known["conclusion_correct"],
        "found": _text(answer.get("found")),
        "verdict": _text(answer.get("verdict")),
        "why": _why(record),
        "unscored": None if record.score.unscored is None else record.score.unscored.cause,
        **_drawing_cells(record),
        "judge_status": None if judge is None else judge.status,
        "judge_latency_s": None if judge is None else judge.latency_s,
        "latency_s": record.reply.latency_s,
        "error": record.reply.error,
    }


def _drawing_cells(record: Record) -> dict[str, Cell]:
    drawing = record.drawing
    measures = {} if drawing is None else drawing.diagnostics
    return {
        "drawing_status": None if drawing is None else drawing.status,
        "drawing_source": None if drawing is None else drawing.source,
        "drawing_note": None if drawing is None else drawing.note,
        "drawing_path": None if drawing is None else drawing.path,
        **{name: measures.get(name) for name in ("ink_kept", "gold_covered", "stray_ink")},
        "drawing_latency_s": None if drawing is None or drawing.reply is None else drawing.reply.latency_s,
    }


def _why(record: Record) -> str:
    if record.score.unscored is not None:
        return record.score.unscored.why
    return next((row.why for row in record.score.fields if not row.passed), "") or next(
        (row.why for row in record.score.fields), ""
    )


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def summary_rows(records: Iterable[Record]) -> list[dict[str, Cell]]:
    """One row per model, mode, group, selection of replies and metric; groups sorted by name."""
    modes = grouped(records, lambda record: (record.provider, record.model, is_two_stage(record), record.policy))
    return [row for key in sorted(modes) for row in _mode_rows(key, modes[key])]


def _mode_rows(key: tuple[str, str, bool, str], records: Sequence[Record]) -> Iterator[dict[str, Cell]]:
    provider, model, two_stage, policy = key
    head: dict[str, Cell] = {"provider": provider, "model": model, "policy": policy}
    for group_by, name_of in GROUPS.items():
        groups: dict[str, list[Record]] = {}
        for record in records:
            if name := name_of(record):
                groups.setdefault(name, []).append(record)
        for group in sorted(groups, key=natural_key):
            where: dict[str, Cell] = {"group_by": group_by, "group": group}
            for replies, chosen in _selections(groups[group], two_stage=two_stage):
                for metric in AUXSOLIDMATH_METRICS:
                    yield {
                        **head,
                        "mode": "visual_cot" if two_stage else "direct",
                        **where,
                        "replies": replies,
                        "metric": metric,
                        **_metric_cells(chosen, metric),
                        **_drawing_counts(chosen, two_stage=two_stage),
                    }


def _selections(records: Sequence[Record], *, two_stage: bool) -> Iterator[tuple[str, Sequence[Record]]]:
    yield "all", records
    if two_stage:
        yield "with_drawing", [one for one in records if one.drawing is not None and one.drawing.usable]


def _metric_cells(records: Sequence[Record], metric: str) -> dict[str, Cell]:
    by_item = grouped(records, lambda record: (record.task, record.item_id))
    items = [_item_value([metric_value(record, metric) for record in repeats]) for repeats in by_item.values()]
    scored = [value for value in items if isinstance(value, bool)]
    by_design = items.count("design")
    found = wilson_interval(sum(scored), len(scored))
    possible = len(items) - by_design
    return {
        "n": len(items),
        "by_design_n": by_design,
        "unscored_n": items.count("judge"),
        "scored_n": len(scored),
        "coverage": len(scored) / possible if possible else None,
        "rate": found.rate,
        "low": found.low,
        "high": found.high,
    }


def _item_value(repeats: Sequence[bool | Unknown]) -> bool | Unknown:
    """Return the majority of the scored repeats; half is not enough."""
    scored = [value for value in repeats if isinstance(value, bool)]
    if scored:
        return 2 * sum(scored) > len(scored)
    return "design" if "design" in repeats else "judge"


def _drawing_counts(records: Sequence[Record], *, two_stage: bool) -> dict[str, Cell]:
    found = [record.drawing.status for record in records if record.drawing is not None]
    return {f"drawing_{status}_n": found.count(status) if two_stage else None for status in DRAWING_STATUSES}


def paired_rows(records: Iterable[Record]) -> list[dict[str, Cell]]:
    """Compare the two modes item by item: what the drawing adds or takes away.

    One row per model, difficulty, selection of replies and metric. Only items that are scored in both modes count;
    a request that failed says nothing about the drawing.
    """
    by_model = grouped(records, lambda record: (record.provider, record.model, record.policy))
    return [row for key in sorted(by_model) for row in _paired_of(key, by_model[key])]


def _paired_of(key: tuple[str, str, str], records: Sequence[Record]) -> Iterator[dict[str, Cell]]:
    two_stage = [record for record in records if is_two_stage(record)]
    sources = sorted({record.drawing.source for record in two_stage if record.drawing is not None})
    for difficulty in ("all", *sorted({record.difficulty for record in two_stage})):
        own = [record for record in records if difficulty in {"all", record.difficulty}]
        drawn = [record for record in own if is_two_stage(record)]
        for replies, chosen in _selections(drawn, two_stage=True):
            for metric in AUXSOLIDMATH_METRICS:
                pairs = _pairs([record for record in own if not is_two_stage(record)], chosen, metric)
                if pairs:
                    yield {
                        **dict(zip(("provider", "model", "policy"), key, strict=True)),
                        "shown": ", ".join(sources),
                        "difficulty": difficulty,
                        "replies": replies,
                        "metric": metric,
                        **_paired_cells(pairs),
                    }


def _pairs(direct: Sequence[Record], two_stage: Sequence[Record], metric: str) -> list[CasePair]:
    old, new = (_verdicts(records, metric) for records in (direct, two_stage))
    return [
        CasePair(old_passes=int(old[item]), new_passes=int(new[item]), cluster=item)
        for item in sorted(old.keys() & new.keys())
    ]


def _verdicts(records: Sequence[Record], metric: str) -> dict[str, bool]:
    answered = (record for record in records if record.status != "failed")
    by_item = grouped(answered, lambda record: record.item_id)
    values = {item: _item_value([metric_value(one, metric) for one in own]) for item, own in by_item.items()}
    return {item: value for item, value in values.items() if isinstance(value, bool)}


def _paired_cells(pairs: Sequence[CasePair]) -> dict[str, Cell]:
    n = len(pairs)
    found = paired(pairs, repeats=1)
    limits = found.limits(ALPHA_TWO_SIDED / 2)
    return {
        "pairs_n": n,
        "direct_rate": sum(pair.old_passes for pair in pairs) / n,
        "visual_cot_rate": sum(pair.new_passes for pair in pairs) / n,
        "difference": found.delta,
        "low": limits.low,
        "high": limits.high,
        "gained": sum(pair.gained > 0 for pair in pairs),
        "lost": sum(pair.gained < 0 for pair in pairs),
    }
