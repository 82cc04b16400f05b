"""What became of the replies: how far off they are, how they ended, what they cost and how long they took."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from typing import TYPE_CHECKING

from bench.report.rendering import model_colour, section
from bench.results.aggregate import error_in_tolerances, field_rows, grouped, known_total, mean, percentile, total

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bench.report.contents import Contents
    from bench.report.rendering import Section
    from bench.results.aggregate import FieldRow
    from bench.results.record import Record
    from scorers.score import FieldScore

__all__ = ["OUTCOMES", "cost_section", "errors_section", "failures_section", "in_tolerances", "outcome"]

OUTCOMES: Mapping[str, str] = {
    "passed": "passed",
    "wrong": "wrong",
    "refused": "refused",
    "truncated": "cut off",
    "unparsed": "unreadable",
    "failed": "failed",
    "undrawn": "no drawing",
    "unscored": "unscored",
}
"""Each outcome with the words for it, best first."""

_ERROR_ENDS = {
    "≤ 0.1": 0.1, "0.25": 0.25, "0.5": 0.5, "1": 1.0, "2": 2.0, "5": 5.0, "20": 20.0, "more": math.inf,
}  # fmt: skip
_TIME_ENDS_S = {
    "≤ 0.5 s": 0.5, "1 s": 1.0, "2 s": 2.0, "5 s": 5.0, "10 s": 10.0, "20 s": 20.0, "60 s": 60.0, "more": math.inf,
}  # fmt: skip
_LARGE = 1e3
_WORST_SHOWN = 12
_ERRORS_SHOWN = 5
_ERROR_CHARS = 300


def outcome(record: Record) -> str:
    """Return "passed" or "wrong" for an answer, else the record's status."""
    if record.status != "answered":
        return record.status
    return "passed" if record.passed else "wrong"


def in_tolerances(row: FieldScore) -> float | None:
    """Return the error over its tolerance; None without a usable number.

    Infinite where no error is allowed and there is one, or where the error is beyond the doubles. The verdict
    rules: rounding never moves a field that passed above 1, nor one that failed to 1 or below; nothing is below 0.
    """
    if row.prediction is None:
        return None
    units = error_in_tolerances(row)
    if units is None:
        return 0.0 if row.passed else math.inf
    return min(max(units, 0.0), 1.0) if row.passed else max(units, math.nextafter(1.0, 2.0))


def errors_section(contents: Contents) -> Section:
    """Return a histogram of errors for each suite and model, and the fields with the lowest pass rates."""
    rows = field_rows(contents.records)
    groups = grouped(rows, lambda row: (row.record.suite, contents.label(row.record)))
    charts = [
        {"suite": suite, "label": label, "n": len(own), "bars": _error_bars(own)}
        for (suite, label), own in sorted(groups.items())
    ]
    worst, left_out = _worst_fields(contents, rows)
    return section("errors", "Errors, in tolerances", charts=charts, worst=worst, left_out=left_out)


def _error_bars(rows: Sequence[FieldRow]) -> list[dict[str, object]]:
    units = [in_tolerances(row.score) for row in rows]
    bars: list[dict[str, object]] = [
        {"label": name, "n": n, "tone": "passes" if _ERROR_ENDS[name] <= 1 else "fails"}
        for name, n in _histogram(units, _ERROR_ENDS).items()
    ]
    return [*bars, {"label": "none", "n": units.count(None), "tone": "lacks"}]


def _worst_fields(contents: Contents, rows: Iterable[FieldRow]) -> tuple[list[dict[str, object]], int]:
    """Return the fields that fail most, lowest pass rate first, and how many more have failures."""
    groups = grouped(
        rows,
        lambda row: (
            row.record.suite,
            row.record.family,
            row.record.task,
            row.score.field,
            contents.label(row.record),
        ),
    )
    passed = {key: sum(row.score.passed for row in own) / len(own) for key, own in groups.items()}
    failing = sorted(
        (key for key, own in groups.items() if not all(row.score.passed for row in own)),
        key=lambda key: (passed[key], [part or "" for part in key]),
    )
    worst: list[dict[str, object]] = []
    for key in failing[:_WORST_SHOWN]:
        suite, family, task, field, label = key
        own = groups[key]
        units = [in_tolerances(row.score) for row in own]
        worst.append(
            {
                "suite": suite,
                "family": family,
                "task": task,
                "field": field,
                "label": label,
                "replies": len(own),
                "passed": passed[key],
                "null": sum(row.is_null for row in own) / len(own),
                "median": _percentile_text(units, 50.0),
                "p90": _percentile_text(units, 90.0),
            }
        )
    return worst, len(failing) - len(worst)


def _percentile_text(units: Sequence[float | None], percent_: float) -> str:
    # Infinities have no place between two others: a large number stands for them, and is shown as what it is.
    found = percentile([None if one is None else min(one, 1e300) for one in units], percent_)
    if found is None:
        return "–"
    return f"{found:.2g}" if found < _LARGE else f"> {_LARGE:.0f}"


def failures_section(contents: Contents) -> Section:
    """Return a table with a column for each outcome that occurred, and the commonest errors of servers."""
    rows = [
        {
            "label": label,
            "counts": Counter(map(outcome, own)),
            "finals_only": sum(record.passed and not record.score.checkpoints_passed for record in own),
        }
        for label, own in contents.by_model.items()
    ]
    seen = {outcome(record) for record in contents.records}
    outcomes = {name: words for name, words in OUTCOMES.items() if name in seen}
    errors = Counter(
        (record.reply.failure or "", (record.reply.error or "")[:_ERROR_CHARS])
        for record in contents.records
        if record.status == "failed"
    )
    commonest = sorted(errors.items(), key=lambda entry: (-entry[1], entry[0]))
    return section(
        "failures",
        "Failures by kind",
        outcomes=outcomes,
        rows=rows,
        errors=commonest[:_ERRORS_SHOWN],
        left_out=len(commonest[_ERRORS_SHOWN:]),
    )


def cost_section(contents: Contents) -> Section:
    """Return a table with a row for each model, and how their reply times are distributed."""
    rows = [
        {"label": label, "bars": _time_bars(own, model_colour(place)), **_cost_and_time(contents, own)}
        for place, (label, own) in enumerate(contents.by_model.items())
    ]
    return section("cost", "Cost and time", rows=rows)


def _cost_and_time(contents: Contents, records: Sequence[Record]) -> dict[str, object]:
    cost = known_total(contents.cost_usd(record) for record in records)
    usages = [record.reply.usage for record in records]
    times_s = [record.reply.latency_s for record in records]
    return {
        "replies": len(records),
        "usd": cost,
        "usd_per_1000": None if cost is None else 1000 * cost / len(records),
        "input": total(usage.input_tokens for usage in usages),
        "output": total(usage.output_tokens for usage in usages),
        "reasoning": total(usage.reasoning_tokens for usage in usages),
        "mean_s": mean(times_s),
        "median_s": percentile(times_s, 50.0),
        "p95_s": percentile(times_s, 95.0),
    }


def _time_bars(records: Sequence[Record], tone: str) -> list[dict[str, object]]:
    """Return the bars of a model's reply times; none where it took no time, as without a server."""
    times_s = [record.reply.latency_s for record in records]
    if not any(times_s):
        return []
    return [{"label": name, "n": n, "tone": tone} for name, n in _histogram(times_s, _TIME_ENDS_S).items()]


def _histogram(values: Iterable[float | None], upper_ends: Mapping[str, float]) -> dict[str, int]:
    """Count the values that are there in bins with these names and inclusive upper ends; the last end is inf."""
    names, ends = list(upper_ends), list(upper_ends.values())
    counts = Counter(names[bisect_left(ends, value)] for value in values if value is not None)
    return {name: counts[name] for name in names}
