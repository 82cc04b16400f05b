"""The geometry suite's files: metrics.json, leaderboard.csv, raw_responses.json and annotated pictures."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from bench.models.types import scorable_text
from bench.results.aggregate import Replies, grouped, known_total, mean, total
from bench.results.files import write_atomically
from bench.tables.csv_files import Table, write_csv
from scorers.geometry import LocateScore, aggregate, macro_average, score_geometry

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from bench.results.record import Record
    from bench.tables.csv_files import Cell, Column
    from scorers.geometry import TaskScore
    from scorers.geometry.aggregate import Aggregate
    from scorers.geometry.tasks import Task

__all__ = ["GEOMETRY_LEADERBOARD", "ScoredReply", "annotate", "metrics", "raw_responses", "write_geometry_tables"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredReply:
    """A record with the task's whole score."""

    record: Record
    score: TaskScore


def write_geometry_tables(
    records: Sequence[Record],
    folder: Path,
    *,
    truths: Mapping[tuple[str, str], Mapping[str, Any]],
    config: Mapping[str, Any],
    elapsed_s: float,
    cost_usd: Callable[[Record], float | None],
) -> None:
    """Write the three files of the suite; `config` is what run.json says of the options, `elapsed_s` the run's.

    `truths` are by suite and item id: replies are scored again with all of their task's metrics, which records do
    not hold.

    Raises:
        OSError: the folder cannot be written.
        KeyError: a truth is missing.
        ValueError: a record's task is none of the suite's.
    """
    scored = [_scored(record, truths, config["count_tolerance"]) for record in records]
    by_model = grouped(scored, lambda one: (one.record.provider, one.record.model))
    content = {
        f"{provider}:{model}": metrics(own, config=config, elapsed_s=elapsed_s, cost_usd=cost_usd)
        for (provider, model), own in by_model.items()
    }
    whole = next(iter(content.values())) if len(content) == 1 else {"models": content}
    write_atomically(folder / "metrics.json", json.dumps(whole, indent=2, allow_nan=False) + "\n")
    rows = GEOMETRY_LEADERBOARD.rows(_ModelSamples(own) for _, own in sorted(by_model.items()))
    write_csv(folder / "leaderboard.csv", GEOMETRY_LEADERBOARD.columns, rows)
    responses = json.dumps([raw_responses(one) for one in scored], indent=1, allow_nan=False)
    write_atomically(folder / "raw_responses.json", responses + "\n")


def _scored(
    record: Record, truths: Mapping[tuple[str, str], Mapping[str, Any]], count_tolerance: int
) -> ScoredReply:
    score = score_geometry(
        cast("Task", record.task),
        scorable_text(record.reply),
        truths[record.suite, record.item_id],
        count_tolerance=count_tolerance,
    )
    return ScoredReply(record=record, score=score)


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


class _ModelSamples(Replies):
    """All scored replies of one model."""

    def __init__(self, scored: Sequence[ScoredReply]) -> None:
        super().__init__([one.record for one in scored])
        self._scored = scored

    @cached_property
    def by_task(self) -> dict[str, Aggregate]:
        return _by_task(self._scored)


def _metric(task: str, name: str) -> Column[_ModelSamples]:
    """Declare a task's metric; empty where the task was not run."""

    def cell(samples: _ModelSamples) -> Cell:
        value = samples.by_task.get(task, {}).get(name)
        return value if isinstance(value, int | float) else None

    return f"{task.lower()}_{name}", cell


# Every reply counts; one without an answer is wrong. Rates in percent, F1 and balanced accuracy from 0 to 1.
GEOMETRY_LEADERBOARD: Table[_ModelSamples] = Table(
    ("provider", lambda samples: samples.first.provider),
    ("model", lambda samples: samples.first.model),
    ("samples", lambda samples: len(samples.records)),
    ("answered", lambda samples: samples.ended("answered")),
    ("passed", lambda samples: sum(record.passed for record in samples.records)),
    _metric("COUNT", "exact_match_all"),
    _metric("COUNT", "within_n_all"),
    _metric("COUNT", "mean_error_all"),
    _metric("COUNT", "mean_pct_error_all"),
    _metric("LOCATE", "f1_all"),
    _metric("LOCATE", "precision_all"),
    _metric("LOCATE", "recall_all"),
    _metric("LOCATE", "mean_distance_um_all"),
    _metric("PATTERN", "accuracy_all"),
    _metric("PATTERN", "macro_f1_all"),
    _metric("SIZE", "within_tolerance_all"),
    _metric("SIZE", "mean_abs_error_um_all"),
    _metric("DEFECT", "balanced_accuracy_all"),
    _metric("DEFECT", "f1_score_all"),
    _metric("SPACING", "within_tolerance_all"),
    _metric("SPACING", "mean_abs_error_um_all"),
    _metric("REGULARITY", "balanced_accuracy_all"),
    ("mean_latency_s", lambda samples: mean(record.reply.latency_s for record in samples.records)),
    ("input_tokens", lambda samples: total(record.reply.usage.input_tokens for record in samples.records)),
    ("output_tokens", lambda samples: total(record.reply.usage.output_tokens for record in samples.records)),
)


def raw_responses(one: ScoredReply) -> dict[str, Any]:
    """Return a sample under the seed's names, with the prompt and how the response was read."""
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


def annotate(one: ScoredReply, truth: Mapping[str, Any], png: bytes) -> bytes:
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
        truth=truth,
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
