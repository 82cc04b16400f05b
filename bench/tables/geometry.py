"""The geometry suite's files: metrics.json, leaderboard.csv, raw_responses.json and annotated pictures."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from bench.results.files import write_atomically
from bench.results.record import known_total, total
from bench.tables.averages import mean
from bench.tables.columns import GEOMETRY_LEADERBOARD as COLUMNS
from bench.tables.columns import GEOMETRY_METRICS
from bench.tables.csv_files import write_csv
from bench.tables.field_rows import grouped
from scorers.geometry import LocateScore, aggregate, macro_average

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from bench.results.record import Record
    from bench.tables.csv_files import Cell
    from generators.items import Item
    from scorers.geometry import TaskScore
    from scorers.geometry.aggregate import Aggregate

__all__ = [
    "Scored",
    "ScoredReply",
    "annotate",
    "annotated_file",
    "leaderboard_rows",
    "metrics",
    "raw_responses",
    "write_geometry_tables",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredReply:
    """A record with the task's whole score."""

    record: Record
    score: TaskScore


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored(ScoredReply):
    """A scored reply with its item, to be drawn."""

    item: Item


def write_geometry_tables(
    scored: Sequence[ScoredReply],
    folder: Path,
    *,
    config: Mapping[str, Any],
    elapsed_s: float,
    cost_usd: Callable[[Record], float | None],
) -> None:
    """Write the three files of the suite; `config` is what run.json says of the options, `elapsed_s` the run's.

    Raises:
        OSError: the folder cannot be written.
    """
    by_model = grouped(scored, lambda one: (one.record.provider, one.record.model))
    content = {
        f"{provider}:{model}": metrics(own, config=config, elapsed_s=elapsed_s, cost_usd=cost_usd)
        for (provider, model), own in by_model.items()
    }
    whole = next(iter(content.values())) if len(content) == 1 else {"models": content}
    write_atomically(folder / "metrics.json", json.dumps(whole, indent=2, allow_nan=False) + "\n")
    write_csv(folder / "leaderboard.csv", COLUMNS, leaderboard_rows(scored))
    responses = json.dumps([raw_responses(one) for one in scored], indent=1, allow_nan=False)
    write_atomically(folder / "raw_responses.json", responses + "\n")


def metrics(
    scored: Sequence[ScoredReply],
    *,
    config: Mapping[str, Any],
    elapsed_s: float,
    cost_usd: Callable[[Record], float | None],
) -> dict[str, Any]:
    """Return one model's metrics: over all pictures, by class, and as the mean of the classes.

    The cost is None where a reply's price is unknown.
    """
    record = scored[0].record
    by_class = {name: _by_task(own) for name, own in grouped(scored, lambda one: one.record.family).items()}
    tasks = list(dict.fromkeys(one.score.task for one in scored))
    return {
        "config": {
            "model": record.model,
            "backend": record.provider,
            "testsuite": config.get("geometry_suite") or f"generated, seed {config['item_seed']}",
            "tasks": tasks,
            "image_classes": list(by_class),
            "shots": config["shots"],
            "count_tolerance": config["count_tolerance"],
        },
        "usage": {
            "elapsed_seconds": round(elapsed_s, 3),
            **_usage([one.record for one in scored]),
            "estimated_cost_usd": known_total(cost_usd(one.record) for one in scored),
        },
        "results_by_class": by_class,
        "overall": _by_task(scored),
        "class_macro_average": {
            task: macro_average({name: tasks[task] for name, tasks in by_class.items() if task in tasks})
            for task in tasks
        },
    }


def _by_task(scored: Sequence[ScoredReply]) -> dict[str, Aggregate]:
    groups = grouped(scored, lambda one: one.score.task)
    return {task: aggregate([one.score for one in own]) for task, own in groups.items()}


def _usage(records: Sequence[Record]) -> dict[str, Any]:
    failed = sum(record.status == "failed" for record in records)
    return {
        "total_requests": len(records),
        "failed_requests": failed,
        "success_rate": 100 * (len(records) - failed) / len(records),
        "input_tokens": total(record.reply.usage.input_tokens for record in records),
        "output_tokens": total(record.reply.usage.output_tokens for record in records),
    }


def leaderboard_rows(scored: Sequence[ScoredReply]) -> list[dict[str, Cell]]:
    """Return a row for each model; columns of tasks that were not asked stay empty."""
    by_model = grouped(scored, lambda one: (one.record.provider, one.record.model))
    return [_leaderboard_row(provider, model, own) for (provider, model), own in sorted(by_model.items())]


def _leaderboard_row(provider: str, model: str, scored: Sequence[ScoredReply]) -> dict[str, Cell]:
    records = [one.record for one in scored]
    by_task = _by_task(scored)
    row: dict[str, Cell] = {
        "provider": provider,
        "model": model,
        "samples": len(scored),
        "answered": sum(record.status == "answered" for record in records),
        "passed": sum(record.passed for record in records),
        "mean_latency_s": mean(record.reply.latency_s for record in records),
        "input_tokens": total(record.reply.usage.input_tokens for record in records),
        "output_tokens": total(record.reply.usage.output_tokens for record in records),
    }
    for task, name in GEOMETRY_METRICS:
        value = by_task.get(task, {}).get(name)
        row[f"{task.lower()}_{name}"] = value if isinstance(value, int | float) else None
    return row


def raw_responses(one: ScoredReply) -> dict[str, Any]:
    """Return a sample under the seed's names, and what was asked and how it was read."""
    record, usage = one.record, one.record.reply.usage
    tokens = [count for count in (usage.input_tokens, usage.output_tokens) if count is not None]
    return {
        "sample_id": record.item_id,
        "image_class": record.family,
        "task": record.task,
        "predicted": one.score.prediction,
        "ground_truth": one.score.expected,
        "metrics": one.score.metrics,
        "raw_response": record.reply.text,
        "tokens_used": sum(tokens) if tokens else None,
        "error": record.reply.error,
        "prompt": record.prompt,
        "parse_rule": one.score.rule,
        "status": record.status,
        "passed": record.passed,
        "latency_s": record.reply.latency_s,
        "provider": record.provider,
        "model": record.model,
        "repeat": record.repeat,
    }


def annotated_file(record: Record) -> str:
    """Return where a record's annotated picture stands in the suite's folder."""
    named = f"{record.provider}_{record.model}"
    model = "".join(letter if letter.isalnum() or letter in "._-" else "-" for letter in named)[:60]
    return f"annotated/{record.item_id}-{record.task}_{model}_{record.repeat}.png"


def annotate(one: Scored, png: bytes) -> bytes:
    """Return the picture with truth, answer and the pairing that the metric used drawn in.

    Raises:
        OSError: the bytes are no picture.
    """
    from generators.geometry.annotation import AnswerMarks, annotated_picture  # noqa: PLC0415 - loads Pillow

    points: list[tuple[float, float]] = []
    pairs: list[tuple[int, int]] = []
    if isinstance(one.score, LocateScore):
        points = [(point.x_px, point.y_px) for point in one.score.points or ()]
        pairs = [(pair.prediction, pair.dot) for pair in one.score.pairs]
    return annotated_picture(
        png,
        task=cast("str", one.record.task),
        truth=one.item.truth,
        answer=AnswerMarks(points_px=points, pairs=pairs, caption=_caption(one)),
    )


def _caption(one: ScoredReply) -> str:
    record = one.record
    verdict = "passed" if record.passed else "failed"
    said = f"{record.item_id} {record.task} {record.model}: {verdict}"
    if record.status != "answered":
        return f"{said}, {record.status}"
    if record.task == "LOCATE":
        return f"{said}, F1 {one.score.metrics.get('f1') or 0.0:.2f}"
    return f"{said}, said {_words(one.score.prediction)}, truth {_words(one.score.expected)}"


def _words(value: object) -> str:
    if isinstance(value, dict):
        return " ".join(f"{name.removesuffix('_count')} {_words(part)}" for name, part in value.items())
    if value is None:
        return "nothing"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
