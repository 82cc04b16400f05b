"""The solid-geometry suite's tables, from records: one row per reply, and rates with intervals by group.

A metric has three kinds of items: scored ones, those without a usable verdict (coverage falls), and those that
this way of judging cannot score at all (they leave before coverage is counted): proofs, and reasoning, under
"exact". The headline under "exact" is `conclusion_correct`, which is then over calculations.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from bench.models.types import DRAWING_STATUSES, Drawing, natural_key
from bench.results.aggregate import grouped
from bench.results.record import Record, record_order
from bench.statistics.intervals import wilson_interval
from bench.statistics.levels import ALPHA_TWO_SIDED
from bench.statistics.tests import CasePair, paired
from bench.tables.csv_files import Table, write_csv

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from bench.models.types import DrawingStatus
    from bench.statistics.intervals import Interval, Limits
    from bench.statistics.tests import Paired
    from bench.tables.csv_files import Cell

__all__ = [
    "METRICS",
    "PAIRED",
    "PER_ITEM",
    "SUMMARY",
    "is_two_stage",
    "metric_value",
    "paired_rows",
    "per_item_rows",
    "summary_rows",
    "write_auxsolidmath_tables",
]

Unknown = Literal["design", "judge"]

METRICS = ("auxsolidmath_text_acc", "reasoning_rigorous", "conclusion_correct")
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
    write_csv(folder / "per_item.csv", PER_ITEM.columns, per_item_rows(kept))
    write_csv(folder / "summary.csv", SUMMARY.columns, summary_rows(kept))
    if rows := paired_rows(kept):
        write_csv(folder / "paired.csv", PAIRED.columns, rows)


def is_two_stage(record: Record) -> bool:
    """Whether a drawing was requested first."""
    return (record.task or "").endswith("_visual_cot")


def metric_value(record: Record, metric: str) -> bool | Unknown:
    """Return a metric of one reply: whether it holds, or why it is unknown.

    Raises:
        ValueError: an unknown metric.
    """
    if metric not in METRICS:
        raise ValueError(f"expected a metric out of {', '.join(METRICS)}, got {metric!r}")
    if record.score.unscored is not None:
        return record.score.unscored.cause
    fields = {row.field: row.passed for row in record.score.fields}
    if metric != METRICS[0]:
        return fields.get(metric, "design")
    return all(fields.values()) if "reasoning_rigorous" in fields else "design"


def _known(metric: str) -> Callable[[Record], Cell]:
    def value(record: Record) -> bool | None:
        found = metric_value(record, metric)
        return found if isinstance(found, bool) else None

    return value


def _answer(name: str) -> Callable[[Record], Cell]:
    def text(record: Record) -> str | None:
        value = (record.score.answer or {}).get(name)
        return None if value is None else str(value)

    return text


def _drawing(value: Callable[[Drawing], Cell]) -> Callable[[Record], Cell]:
    return lambda record: None if record.drawing is None else value(record.drawing)


def _why(record: Record) -> str:
    if record.score.unscored is not None:
        return record.score.unscored.why
    return next((row.why for row in record.score.fields if not row.passed), "") or next(
        (row.why for row in record.score.fields), ""
    )


PER_ITEM: Table[Record] = Table(
    ("provider", lambda record: record.provider),
    ("model", lambda record: record.model),
    ("id", lambda record: record.item_id),
    ("task", lambda record: record.task),
    ("family", lambda record: record.family),
    ("difficulty", lambda record: record.difficulty),
    ("kind", lambda record: record.about.get("kind")),  # CALCULATION, PROVING
    ("given_in", lambda record: record.about.get("given_in")),  # where the lengths stand: text, figure
    ("answer_kind", lambda record: record.about.get("answer_kind")),
    ("repeat", lambda record: record.repeat),
    ("policy", lambda record: record.policy),  # exact, or the judge
    ("status", lambda record: record.status),
    ("text_ok", _known("auxsolidmath_text_acc")),  # both parts; empty where the reasoning is not judged
    ("reasoning_rigorous", _known("reasoning_rigorous")),
    ("conclusion_correct", _known("conclusion_correct")),
    ("answer", lambda record: record.about.get("answer")),  # the reference's
    ("found", _answer("found")),  # what was taken as the final answer
    ("verdict", _answer("verdict")),  # of the exact comparison
    ("why", _why),
    ("unscored", lambda record: None if record.score.unscored is None else record.score.unscored.cause),
    ("drawing_status", _drawing(lambda drawing: drawing.status)),  # the first stage, as are the next seven
    ("drawing_source", _drawing(lambda drawing: drawing.source)),
    ("drawing_note", _drawing(lambda drawing: drawing.note)),
    ("drawing_path", _drawing(lambda drawing: drawing.path)),
    ("ink_kept", _drawing(lambda drawing: drawing.diagnostics.get("ink_kept"))),
    ("gold_covered", _drawing(lambda drawing: drawing.diagnostics.get("gold_covered"))),
    ("stray_ink", _drawing(lambda drawing: drawing.diagnostics.get("stray_ink"))),
    ("drawing_latency_s", _drawing(lambda drawing: None if drawing.reply is None else drawing.reply.latency_s)),
    ("judge_status", lambda record: None if record.judge_reply is None else record.judge_reply.status),
    ("judge_latency_s", lambda record: None if record.judge_reply is None else record.judge_reply.latency_s),
    ("latency_s", lambda record: record.reply.latency_s),
    ("error", lambda record: record.reply.error),
)


def per_item_rows(records: Iterable[Record]) -> list[dict[str, Cell]]:
    """One row per reply, sorted by item, task, model and repeat."""
    return PER_ITEM.rows(sorted(records, key=record_order))


@dataclass(frozen=True, kw_only=True)
class _MetricValues:
    """A metric over some replies of one model in one mode: a row of `summary.csv`.

    `of` is any record of the mode. `replies` says which of the group's: "all", or of two-stage ones
    "with_drawing", those with a usable drawing.
    """

    of: Record
    group_by: str
    group: str
    replies: str
    metric: str
    records: Sequence[Record]

    @cached_property
    def values(self) -> list[bool | Unknown]:
        return list(_item_values(self.records, self.metric, lambda record: (record.task, record.item_id)).values())

    @property
    def scored(self) -> list[bool]:
        return [value for value in self.values if isinstance(value, bool)]

    @property
    def coverage(self) -> float | None:
        """The share of scored items among those that could be."""
        possible = len(self.values) - self.values.count("design")
        return len(self.scored) / possible if possible else None

    @cached_property
    def interval(self) -> Interval:
        return wilson_interval(sum(self.scored), len(self.scored))

    def drawn(self, status: DrawingStatus) -> int | None:
        """Return how many first stages ended so; None where there is none."""
        found = [record.drawing.status for record in self.records if record.drawing is not None]
        return found.count(status) if is_two_stage(self.of) else None


def _drawn(status: DrawingStatus) -> Callable[[_MetricValues], Cell]:
    return lambda values: values.drawn(status)


SUMMARY: Table[_MetricValues] = Table(
    ("provider", lambda values: values.of.provider),
    ("model", lambda values: values.of.model),
    ("mode", lambda values: "visual_cot" if is_two_stage(values.of) else "direct"),
    ("policy", lambda values: values.of.policy),
    ("group_by", lambda values: values.group_by),  # all, task, family, difficulty, kind, given_in
    ("group", lambda values: values.group),
    ("replies", lambda values: values.replies),
    ("metric", lambda values: values.metric),
    ("n", lambda values: len(values.values)),  # items
    (
        "by_design_n",
        lambda values: values.values.count("design"),
    ),  # this policy cannot score them; out of all below
    ("unscored_n", lambda values: values.values.count("judge")),  # items without a usable verdict
    ("scored_n", lambda values: len(values.scored)),
    ("coverage", lambda values: values.coverage),
    ("rate", lambda values: values.interval.rate),
    ("low", lambda values: values.interval.low),  # 95 % interval
    ("high", lambda values: values.interval.high),
    *((f"drawing_{status}_n", _drawn(status)) for status in DRAWING_STATUSES),  # first stages, replies
)


def summary_rows(records: Iterable[Record]) -> list[dict[str, Cell]]:
    """One row per model, mode, group, selection of replies and metric; groups sorted by name."""
    modes = grouped(records, lambda record: (record.provider, record.model, is_two_stage(record), record.policy))
    return SUMMARY.rows(values for key in sorted(modes) for values in _mode_values(modes[key]))


def _mode_values(records: Sequence[Record]) -> Iterator[_MetricValues]:
    two_stage = is_two_stage(records[0])
    for group_by, name_of in GROUPS.items():
        groups = grouped((record for record in records if name_of(record)), name_of)
        for group in sorted(filter(None, groups), key=natural_key):
            for replies, chosen in _selections(groups[group], two_stage=two_stage):
                for metric in METRICS:
                    yield _MetricValues(
                        of=records[0],
                        group_by=group_by,
                        group=group,
                        replies=replies,
                        metric=metric,
                        records=chosen,
                    )


def _selections(records: Sequence[Record], *, two_stage: bool) -> Iterator[tuple[str, Sequence[Record]]]:
    yield "all", records
    if two_stage:
        yield "with_drawing", [one for one in records if one.drawing is not None and one.drawing.usable]


def _item_values(
    records: Iterable[Record], metric: str, item_of: Callable[[Record], object]
) -> dict[object, bool | Unknown]:
    """Return each item's value: the majority of its scored repeats; half is not enough."""
    values: dict[object, bool | Unknown] = {}
    for item, repeats in grouped(records, item_of).items():
        found = [metric_value(record, metric) for record in repeats]
        scored = [value for value in found if isinstance(value, bool)]
        if scored:
            values[item] = 2 * sum(scored) > len(scored)
        else:
            values[item] = "design" if "design" in found else "judge"
    return values


@dataclass(frozen=True, kw_only=True)
class _MetricPairs:
    """A metric of the items that one model has scored in both modes: a row of `paired.csv`.

    `of` is any record of the model. In pairs "old" is direct and "new" with a drawing. `shown` is what the second
    stage was shown: the drawing's source. `replies` is "all" or "with_drawing".
    """

    of: Record
    shown: str
    difficulty: str
    replies: str
    metric: str
    pairs: Sequence[CasePair]

    @cached_property
    def found(self) -> Paired:
        return paired(self.pairs, repeats=1)

    @cached_property
    def limits(self) -> Limits:
        """The 95 % interval of the difference: Tango's for paired proportions."""
        return self.found.limits(ALPHA_TWO_SIDED / 2)


PAIRED: Table[_MetricPairs] = Table(
    ("provider", lambda one: one.of.provider),
    ("model", lambda one: one.of.model),
    ("policy", lambda one: one.of.policy),
    ("shown", lambda one: one.shown),
    ("difficulty", lambda one: one.difficulty),  # all, or one
    ("replies", lambda one: one.replies),
    ("metric", lambda one: one.metric),
    ("pairs_n", lambda one: len(one.pairs)),  # items that are scored in both
    ("direct_rate", lambda one: sum(pair.old_passes for pair in one.pairs) / len(one.pairs)),
    ("visual_cot_rate", lambda one: sum(pair.new_passes for pair in one.pairs) / len(one.pairs)),
    ("difference", lambda one: one.found.delta),  # visual_cot - direct
    ("low", lambda one: one.limits.low),
    ("high", lambda one: one.limits.high),
    ("gained", lambda one: sum(pair.gained > 0 for pair in one.pairs)),  # items right only with the drawing
    ("lost", lambda one: sum(pair.gained < 0 for pair in one.pairs)),  # items right only without
)


def paired_rows(records: Iterable[Record]) -> list[dict[str, Cell]]:
    """Compare the two modes item by item: what the drawing adds or takes away.

    One row per model, difficulty, selection of replies and metric. Only items that are scored in both modes count;
    a request that failed says nothing about the drawing.
    """
    by_model = grouped(records, lambda record: (record.provider, record.model, record.policy))
    return PAIRED.rows(pairs for key in sorted(by_model) for pairs in _model_pairs(by_model[key]))


def _model_pairs(records: Sequence[Record]) -> Iterator[_MetricPairs]:
    two_stage = [record for record in records if is_two_stage(record)]
    direct = [record for record in records if not is_two_stage(record)]
    sources = sorted({record.drawing.source for record in two_stage if record.drawing is not None})
    for difficulty in ("all", *sorted({record.difficulty for record in two_stage})):
        drawn, shown_none = (
            [record for record in own if difficulty in {"all", record.difficulty}] for own in (two_stage, direct)
        )
        for replies, chosen in _selections(drawn, two_stage=True):
            for metric in METRICS:
                if pairs := _pairs(shown_none, chosen, metric):
                    yield _MetricPairs(
                        of=records[0],
                        shown=", ".join(sources),
                        difficulty=difficulty,
                        replies=replies,
                        metric=metric,
                        pairs=pairs,
                    )


def _pairs(direct: Sequence[Record], two_stage: Sequence[Record], metric: str) -> list[CasePair]:
    old, new = (_verdicts(records, metric) for records in (direct, two_stage))
    return [
        CasePair(old_passes=int(old[item]), new_passes=int(new[item]), cluster=item)
        for item in sorted(old.keys() & new.keys())
    ]


def _verdicts(records: Sequence[Record], metric: str) -> dict[str, bool]:
    answered = (record for record in records if record.status != "failed")
    values = _item_values(answered, metric, lambda record: record.item_id)
    return {str(item): value for item, value in values.items() if isinstance(value, bool)}
