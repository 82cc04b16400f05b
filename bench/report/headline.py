"""What the run measured, first of all: pass rates with intervals, by model, suite and task."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.report.charts import interval_bar
from bench.report.links import gallery_link
from bench.report.markup import Html, element, joined
from bench.report.pass_rates import pass_rate
from bench.report.tables import table
from bench.report.words import percent, percent_range, plural
from bench.statistics.intervals import Interval
from bench.tables.field_rows import grouped
from bench.tables.leaderboard import leaderboard_rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bench.report.contents import Contents
    from bench.results.record import Record
    from bench.tables.csv_files import Cell

__all__ = ["headline"]


def headline(contents: Contents) -> Html:
    """Return a card for each model and suite, and below them a table with every task and every way to count."""
    cards = [
        _card(label, suite, own)
        for label, records in contents.by_model.items()
        for suite, own in sorted(grouped(records, lambda record: record.suite).items())
    ]
    return joined(
        element("div", *cards, class_="cards"),
        element(
            "p", "Rates count every case; a refused, cut off, unreadable or failed reply is wrong.", class_="note"
        ),
        _table(contents),
    )


def _card(label: str, suite: str, records: Sequence[Record]) -> Html:
    found = pass_rate(records)
    answered = pass_rate([record for record in records if record.status == "answered"])
    lines = [f"{found.passed:,} of {plural(found.n, 'case', 'cases')}"]
    if answered.n != found.n or answered.passed != found.passed:
        lines.append(f"{percent(answered.interval.rate)} of those answered")
    return element(
        "a",
        element("div", element("bdi", label), " · ", suite, class_="card-name"),
        element("div", percent(found.interval.rate), class_="card-rate"),
        interval_bar(found.interval),
        element("div", f"95 % interval {percent_range(found.interval)}"),
        *(element("div", line) for line in lines),
        class_="card",
        href=gallery_link(model=label, suite=suite),
    )


def _table(contents: Contents) -> Html:
    edition = str(contents.manifest.get("options", {}).get("edition", ""))
    rows = leaderboard_rows(contents.records, edition=edition, cost_usd=contents.cost_usd)
    headings = (
        "model",
        "suite",
        "task",
        "items",
        "pass rate",
        "95 % interval",
        "",
        "answered only",
        "fields",
        "checkpoints",
    )
    return table(headings, [_row(contents, row) for row in rows], numbers_from=3)


def _row(contents: Contents, row: Mapping[str, Cell]) -> list[Html | str]:
    interval = Interval(
        rate=_rate(row, "item_pass_rate"), low=_rate(row, "item_pass_low"), high=_rate(row, "item_pass_high")
    )
    label = contents.labels[str(row["provider"]), str(row["model"])]
    return [
        element("bdi", label),
        str(row["suite"]),
        str(row["task"] or "–"),
        str(row["items_n"]),
        percent(interval.rate),
        percent_range(interval),
        interval_bar(interval),
        percent(_rate(row, "item_pass_rate_answered_only")),
        percent(_rate(row, "field_pass_rate")),
        percent(_rate(row, "checkpoint_pass_rate")),
    ]


def _rate(row: Mapping[str, Cell], name: str) -> float | None:
    value = row[name]
    return float(value) if isinstance(value, int | float) else None
