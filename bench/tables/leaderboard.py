"""`leaderboard.csv`: a row per model, suite and task; `comparisons.csv`: every two models on the same cases."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

from bench.models.prices import reply_cost_usd
from bench.results.aggregate import Replies, field_rows, grouped, known_total, mean, passes_by, rate, total
from bench.results.comparability import case_outcomes
from bench.statistics.comparison import OVERALL, figures, paired_suites
from bench.statistics.intervals import Cluster, clustered_interval, wilson_interval
from bench.tables.csv_files import Table, write_csv

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from bench.models.types import Usage
    from bench.results.aggregate import FieldRow
    from bench.results.record import Record
    from bench.statistics.comparison import Figures, SuitePairs
    from bench.statistics.intervals import Interval
    from bench.tables.csv_files import Cell, Column

__all__ = [
    "COMPARISONS",
    "LEADERBOARD",
    "ModelPair",
    "item_passes",
    "leaderboard_rows",
    "model_pairs",
    "reported_cost",
    "write_leaderboard",
    "write_model_pairs",
]


def reported_cost(record: Record) -> float | None:
    """Return what the server itself said it charged for the reply, in US dollars."""
    return reply_cost_usd(record.reply, None)


def item_passes(records: Iterable[Record]) -> dict[str, bool]:
    """Say for each item id whether more than half of its scored records passed; half is not enough.

    Items of which no record is scored are left out.
    """
    return passes_by(records, lambda record: record.item_id)


class _TaskReplies(Replies):
    """All replies of one model to one task of a suite; `edition` is PlotChain's, `cost_usd` prices one record."""

    def __init__(
        self, records: Sequence[Record], *, edition: str, cost_usd: Callable[[Record], float | None]
    ) -> None:
        super().__init__(records)
        self.edition = edition
        self.cost_usd = cost_usd

    @cached_property
    def item_passes(self) -> dict[str, bool]:
        return item_passes(self.records)

    @cached_property
    def item_interval(self) -> Interval:
        return wilson_interval(sum(self.item_passes.values()), len(self.item_passes))

    @cached_property
    def field_interval(self) -> Interval:
        return _by_item(self.rows)

    @cached_property
    def final_interval(self) -> Interval:
        return _by_item(self.finals)

    @cached_property
    def checkpoint_interval(self) -> Interval:
        return _by_item(self.checkpoints)

    def tokens(self, count: Callable[[Usage], int | None]) -> int | None:
        return total(count(record.reply.usage) for record in self.records)


def _answered_only(task: _TaskReplies) -> Iterator[Record]:
    return (record for record in task.records if record.status == "answered")


def _by_item(rows: Iterable[FieldRow]) -> Interval:
    """Return the rate of fields that pass; an item's fields are a cluster."""
    by_item = grouped(rows, lambda row: row.record.item_id)
    clusters = [
        Cluster(passed=sum(row.score.passed for row in fields), n=len(fields)) for fields in by_item.values()
    ]
    return clustered_interval(clusters)


def _with_limits(name: str, found: Callable[[_TaskReplies], Interval]) -> Iterator[Column[_TaskReplies]]:
    """Declare a rate and its 95 % interval."""
    yield f"{name}_rate", lambda task: found(task).rate
    yield f"{name}_low", lambda task: found(task).low
    yield f"{name}_high", lambda task: found(task).high


LEADERBOARD: Table[_TaskReplies] = Table(
    ("provider", lambda task: task.first.provider),
    ("model", lambda task: task.first.model),
    ("suite", lambda task: task.first.suite),
    ("task", lambda task: task.first.task or None),
    ("edition", lambda task: task.edition if task.first.suite == "plotchain" else None),
    ("policy", lambda task: task.policy),
    ("items_n", lambda task: len(task.item_passes)),
    ("asked_n", lambda task: len(task.records)),  # replies: items times repeats
    ("answered_n", lambda task: task.ended("answered")),
    ("refused_n", lambda task: task.ended("refused")),
    ("truncated_n", lambda task: task.ended("truncated")),
    ("unparsed_n", lambda task: task.ended("unparsed")),
    ("failed_n", lambda task: task.ended("failed")),
    *_with_limits(
        "item_pass", lambda task: task.item_interval
    ),  # by a majority of repeats; all but an answer is wrong
    ("item_pass_rate_answered_only", lambda task: rate(item_passes(_answered_only(task)).values())),
    ("field_n", lambda task: len(task.rows)),
    *_with_limits("field_pass", lambda task: task.field_interval),
    (
        "field_pass_rate_answered_only",
        lambda task: rate(row.score.passed for row in field_rows(_answered_only(task))),
    ),
    ("final_n", lambda task: len(task.finals)),
    *_with_limits("final_pass", lambda task: task.final_interval),
    ("checkpoint_n", lambda task: len(task.checkpoints)),
    *_with_limits("checkpoint_pass", lambda task: task.checkpoint_interval),
    ("mean_latency_s", lambda task: mean(record.reply.latency_s for record in task.records)),  # over replies
    ("input_tokens", lambda task: task.tokens(lambda usage: usage.input_tokens)),
    ("output_tokens", lambda task: task.tokens(lambda usage: usage.output_tokens)),  # reasoning included
    ("reasoning_tokens", lambda task: task.tokens(lambda usage: usage.reasoning_tokens)),
    ("cost_usd", lambda task: known_total(map(task.cost_usd, task.records))),
    ("undrawn_n", lambda task: task.ended("undrawn")),  # two-stage cases without a usable drawing; wrong
    ("unscored_n", lambda task: task.ended("unscored")),  # neither right nor wrong; in no rate
)


def leaderboard_rows(
    records: Iterable[Record],
    *,
    edition: str,
    cost_usd: Callable[[Record], float | None] = reported_cost,
) -> list[dict[str, Cell]]:
    """One row per provider, model, suite and task, sorted by these.

    An unknown price leaves the row's cost empty, but for failed replies, which then count as free. `edition` is
    PlotChain's; other suites have none.
    """
    groups = grouped(records, lambda record: (record.provider, record.model, record.suite, record.task or ""))
    return LEADERBOARD.rows(
        _TaskReplies(groups[key], edition=edition, cost_usd=cost_usd) for key in sorted(groups)
    )


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
    write_csv(path, LEADERBOARD.columns, leaderboard_rows(records, edition=edition, cost_usd=cost_usd))


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPair:
    """Two models on the cases that both have, of one suite or all; `figures.delta` is second - first.

    Models are (provider, name). `missing_n` counts cases in which a run of either is missing.
    """

    first: tuple[str, str]
    second: tuple[str, str]
    suite: str
    missing_n: int
    figures: Figures


COMPARISONS: Table[ModelPair] = Table(
    ("first_provider", lambda pair: pair.first[0]),
    ("first_model", lambda pair: pair.first[1]),
    ("second_provider", lambda pair: pair.second[0]),
    ("second_model", lambda pair: pair.second[1]),
    ("suite", lambda pair: pair.suite),  # or "overall"
    ("cases_n", lambda pair: pair.figures.n),  # without those of which a run of either model is missing
    ("missing_n", lambda pair: pair.missing_n),
    ("first_rate", lambda pair: pair.figures.old_rate),
    ("second_rate", lambda pair: pair.figures.new_rate),
    ("losses", lambda pair: pair.figures.losses),  # cases that only the first model passes
    ("gains", lambda pair: pair.figures.gains),  # cases that only the second one passes
    ("delta", lambda pair: pair.figures.delta),  # second - first
    ("delta_low", lambda pair: pair.figures.limits.low),  # 95 % limits
    ("delta_high", lambda pair: pair.figures.limits.high),
    ("design_effect", lambda pair: pair.figures.deff),
)


def model_pairs(records: Iterable[Record]) -> list[ModelPair]:
    """Compare every two models, sorted by names; for several suites overall first."""
    by_model = grouped(records, lambda record: (record.provider, record.model))
    if len(by_model) < 2:  # noqa: PLR2004 - no pair, as in most runs
        return []
    repeats = max(record.repeat + 1 for own in by_model.values() for record in own)
    outcomes = {pair: case_outcomes(by_model[pair], repeats) for pair in sorted(by_model)}
    return [
        found
        for first, second in combinations(outcomes, 2)
        for found in _compared(first, second, paired_suites(outcomes[first], outcomes[second], repeats))
    ]


def _compared(
    first: tuple[str, str], second: tuple[str, str], suites: Sequence[SuitePairs]
) -> Iterable[ModelPair]:
    groups = [(suite.name, [suite]) for suite in suites]
    for name, own in [(OVERALL, list(suites)), *groups] if len(suites) > 1 else groups:
        found = figures(own)
        if found is not None:
            missing = sum(pair.missing_runs > 0 for suite in own for pair in suite.pairs)
            yield ModelPair(first=first, second=second, suite=name, missing_n=missing, figures=found)


def write_model_pairs(folder: Path, records: Iterable[Record]) -> None:
    """Write `comparisons.csv` where there are several models.

    Raises:
        OSError: it cannot be written.
    """
    if rows := COMPARISONS.rows(model_pairs(records)):
        write_csv(folder / "comparisons.csv", COMPARISONS.columns, rows)
