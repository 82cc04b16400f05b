"""What the terminal says of runs: rates by suite and family, statuses, tokens; several models side by side."""

from __future__ import annotations

import textwrap
from collections import Counter
from typing import TYPE_CHECKING

from bench.models.types import natural_key
from bench.results.aggregate import field_rows, grouped, passes_by, rate, total
from bench.results.record import STATUSES
from bench.statistics.intervals import Cluster, clustered_interval, wilson_interval

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bench.results.record import Record
    from bench.statistics.comparison import Figures
    from bench.statistics.intervals import Interval
    from bench.tables.leaderboard import ModelPair

__all__ = ["WIDTH", "figure_cells", "format_models", "format_summary", "points", "printable"]

WIDTH = 80
_FAMILIES = (32, 10, 8, 8, 8, 13)
_RATES = (40, 7, 8, 15, 9)
_CHANGES = (40, 7, 8, 15, 5, 5)


def format_summary(records: Iterable[Record]) -> list[str]:
    """Return the lines: for each model a table by family and suite, then how replies ended, then tokens.

    `passed` and `rate` are of items (a geometry item once per task), by a majority of their repeats; `fields` and
    `null` (without a usable number) are of fields; `finals only` counts replies whose finals pass while a
    checkpoint fails: right answer, perhaps wrong reading. Control characters in names are replaced.
    """
    by_model = grouped(records, lambda record: (record.provider, record.model))
    lines: list[str] = []
    for provider, model in sorted(by_model):
        if lines:
            lines.append("")
        head = (_clip(printable(f"{provider}:{model}")), "passed", "rate", "fields", "null", "finals only")
        lines += [_row(head, _FAMILIES), *_families(by_model[provider, model]), *_notes(by_model[provider, model])]
    return lines


def _families(records: Sequence[Record]) -> Iterator[str]:
    suites = grouped(records, lambda record: record.suite)
    for suite in sorted(suites):
        families = grouped(suites[suite], lambda record: record.family)
        for family in sorted(families, key=natural_key):
            yield _family(f"  {family}", families[family])
        yield _family(f"{suite}, all", suites[suite])


def _family(name: str, records: Sequence[Record]) -> str:
    verdicts = _case_passes(records).values()
    rows = field_rows(records)
    cells = (
        _clip(printable(name)),
        f"{sum(verdicts)}/{len(verdicts)}",
        _percent(verdicts),
        _percent(row.score.passed for row in rows),
        _percent(row.is_null for row in rows),
        str(sum(record.passed and not record.score.checkpoints_passed for record in records)),
    )
    return _row(cells, _FAMILIES)


def _case_passes(records: Iterable[Record]) -> dict[tuple[str | None, str], bool]:
    return passes_by(records, lambda record: (record.task, record.item_id))


def _percent(flags: Iterable[bool]) -> str:
    share = rate(flags)
    return "-" if share is None else f"{100 * share:.1f} %"


def _notes(records: Sequence[Record]) -> Iterator[str]:
    for note in (_statuses(records), *_unscored(records), _tokens(records)):
        yield from textwrap.wrap(note, WIDTH, subsequent_indent="  ")


def _statuses(records: Sequence[Record]) -> str:
    replies = "1 reply" if len(records) == 1 else f"{len(records)} replies"
    counts = Counter(
        (STATUSES.index(record.status), record.reply.failure or "")
        for record in records
        if record.scored and record.status != "answered"
    )
    if not counts:
        return f"{replies}, all answered" if all(record.scored for record in records) else replies
    ended = (
        f"{n} {STATUSES[place]}" + (f" ({kind})" if kind else "") for (place, kind), n in sorted(counts.items())
    )
    return f"{replies}, counted as wrong: {', '.join(ended)}"


def _unscored(records: Iterable[Record]) -> Iterator[str]:
    counts = Counter(record.score.unscored.why for record in records if record.score.unscored is not None)
    for why, n in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])):
        yield f"{n} unscored, neither right nor wrong: {printable(why)}"


def _tokens(records: Iterable[Record]) -> str:
    usages = [record.reply.usage for record in records]
    sent, written = total(usage.input_tokens for usage in usages), total(usage.output_tokens for usage in usages)
    if sent is None and written is None:
        return "tokens: not reported"
    line = f"tokens: {_count(sent)} in, {_count(written)} out"
    reasoning = total(usage.reasoning_tokens for usage in usages)
    return line if reasoning is None else f"{line} ({_count(reasoning)} of them reasoning)"


def _count(tokens: int | None) -> str:
    return "?" if tokens is None else f"{tokens:,}"


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    name, *others = zip(cells, widths, strict=True)
    return name[0].ljust(name[1]) + "".join(cell.rjust(width) for cell, width in others)


def printable(name: str) -> str:
    """Replace characters that a terminal would act on by question marks."""
    return "".join(character if character.isprintable() else "?" for character in name)


def _clip(name: str) -> str:
    width = _FAMILIES[0]
    return name if len(name) < width else f"{name[: width - 4]}..."


def format_models(records: Iterable[Record], pairs: Sequence[ModelPair]) -> list[str]:
    """Return the lines, at most 80 columns wide; rates in percent, changes in percentage points.

    A suite's cases pass by a majority of their repeats; several cases about one item are a cluster.
    """
    lines = [_row(("", "cases", "passed", "95 % limits", "fields"), _RATES), *_rates(records)]
    if pairs:
        head = ("", "cases", "change", "95 % limits", "lost", "won")
        lines += ["", _row(head, _CHANGES), *_changes(pairs)]
    return lines


def _rates(records: Iterable[Record]) -> Iterator[str]:
    by_model = grouped(records, lambda record: (record.provider, record.model))
    for provider, model in sorted(by_model):
        yield printable(f"{provider}:{model}")
        by_suite = grouped(by_model[provider, model], lambda record: record.suite)
        for suite in sorted(by_suite):
            yield _row((f"  {suite}", *_suite_cells(by_suite[suite])), _RATES)


def _suite_cells(records: Sequence[Record]) -> tuple[str, ...]:
    verdicts = _case_passes(records)
    found = _suite_interval(verdicts)
    return (
        str(len(verdicts)),
        _rate_text(found.rate),
        f"{_rate_text(found.low)} … {_rate_text(found.high)}",
        _rate_text(rate(row.score.passed for row in field_rows(records))),
    )


def _suite_interval(verdicts: Mapping[tuple[str | None, str], bool]) -> Interval:
    by_item = grouped(verdicts.items(), lambda one: one[0][1])
    if len(by_item) == len(verdicts):
        return wilson_interval(sum(verdicts.values()), len(verdicts))
    clusters = [Cluster(passed=sum(passed for _, passed in own), n=len(own)) for own in by_item.values()]
    return clustered_interval(clusters)


def _changes(pairs: Iterable[ModelPair]) -> Iterator[str]:
    for (first, second), own in grouped(pairs, lambda pair: (pair.first, pair.second)).items():
        yield printable(f"{':'.join(first)} -> {':'.join(second)}")
        for pair in own:
            yield _row((f"  {pair.suite}", str(pair.figures.n), *figure_cells(pair.figures)[2:]), _CHANGES)


def _rate_text(rate: float | None) -> str:
    return "-" if rate is None else f"{100 * rate:.1f}"


def figure_cells(figures: Figures | None) -> tuple[str, ...]:
    """Write old and new rate in percent, change and its limits in points, cases lost and won; blanks for None."""
    if figures is None:
        return ("",) * 6
    return (
        f"{100 * figures.old_rate:.1f}",
        f"{100 * figures.new_rate:.1f}",
        points(figures.delta),
        f"{points(figures.limits.low)} … {points(figures.limits.high)}",
        f"{figures.losses:.4g}",
        f"{figures.gains:.4g}",
    )


def points(proportion: float) -> str:
    """Write a difference in percentage points, with its sign."""
    return f"{100 * proportion:+.1f}".replace("-", "−")
