"""What the terminal says after a run, as data: pass rates by suite and family, failures, tokens."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.models.types import natural_key
from bench.results.record import STATUSES, total
from bench.tables.field_rows import field_rows, grouped
from bench.tables.leaderboard import item_passes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bench.results.record import Record, RecordStatus

__all__ = ["GroupSummary", "ModelSummary", "StatusCount", "summarise"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupSummary:
    """One family of a suite, or a whole suite (`family` None).

    `n` counts items (a geometry item once per task), `passed` those that pass by a majority of their
    repeats. `null_n` counts fields without a usable number. `finals_only_n` counts replies whose final
    fields all pass while a checkpoint fails: right answer, perhaps wrong reading.
    """

    suite: str
    family: str | None
    n: int
    passed: int
    field_n: int
    field_passed: int
    null_n: int
    finals_only_n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusCount:
    """How many replies ended in one way; `kind` is the failure class of failed ones, else None."""

    status: RecordStatus
    kind: str | None
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSummary:
    """All that the summary says of one model. Token counts are None where no server gave any.

    `groups` holds each suite's families by name and then the suite itself; `trouble` every status but
    "answered" that occurred and counts as wrong; `unscored` the reasons why replies have no score, with
    how many have it.
    """

    provider: str
    model: str
    replies_n: int
    groups: tuple[GroupSummary, ...]
    trouble: tuple[StatusCount, ...]
    unscored: tuple[tuple[str, int], ...]
    input_tokens: int | None
    output_tokens: int | None
    reasoning_tokens: int | None


def summarise(records: Iterable[Record]) -> tuple[ModelSummary, ...]:
    """Summarise the records by provider and model, sorted by these."""
    groups = grouped(records, lambda record: (record.provider, record.model))
    return tuple(_model(provider, model, groups[provider, model]) for provider, model in sorted(groups))


def _model(provider: str, model: str, records: Sequence[Record]) -> ModelSummary:
    usages = [record.reply.usage for record in records]
    return ModelSummary(
        provider=provider,
        model=model,
        replies_n=len(records),
        groups=tuple(_groups(records)),
        trouble=tuple(_trouble([record for record in records if record.scored])),
        unscored=tuple(_unscored(records)),
        input_tokens=total(usage.input_tokens for usage in usages),
        output_tokens=total(usage.output_tokens for usage in usages),
        reasoning_tokens=total(usage.reasoning_tokens for usage in usages),
    )


def _groups(records: Sequence[Record]) -> Iterable[GroupSummary]:
    suites = grouped(records, lambda record: record.suite)
    for suite in sorted(suites):
        families = grouped(suites[suite], lambda record: record.family)
        for family in sorted(families, key=natural_key):
            yield _group(suite, family, families[family])
        yield _group(suite, None, suites[suite])


def _group(suite: str, family: str | None, records: Sequence[Record]) -> GroupSummary:
    by_task = grouped(records, lambda record: record.task)
    verdicts = [verdict for task in by_task.values() for verdict in item_passes(task).values()]
    rows = field_rows(records)
    return GroupSummary(
        suite=suite,
        family=family,
        n=len(verdicts),
        passed=sum(verdicts),
        field_n=len(rows),
        field_passed=sum(row.score.passed for row in rows),
        null_n=sum(row.is_null for row in rows),
        finals_only_n=sum(record.passed and not record.score.checkpoints_passed for record in records),
    )


def _trouble(records: Sequence[Record]) -> Iterable[StatusCount]:
    counts = Counter(
        (STATUSES.index(record.status), record.reply.failure or "")
        for record in records
        if record.status != "answered"
    )
    for (place, kind), n in sorted(counts.items()):
        yield StatusCount(status=STATUSES[place], kind=kind or None, n=n)


def _unscored(records: Sequence[Record]) -> Iterable[tuple[str, int]]:
    whys = (record.score.unscored.why for record in records if record.score.unscored is not None)
    return sorted(Counter(whys).items(), key=lambda pair: (-pair[1], pair[0]))
