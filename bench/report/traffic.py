"""What the replies cost and how long they took."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from bench.report.charts import MODEL_COLOURS, Bar, bar_chart
from bench.report.markup import Html, element, joined
from bench.report.tables import table
from bench.report.words import amount_usd, count, duration
from bench.results.record import known_total, total
from bench.tables.averages import mean, percentile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.report.contents import Contents
    from bench.results.record import Record

__all__ = ["cost_and_latency"]

_UPPER_ENDS_S = (0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 60.0, math.inf)
_LABELS = ("≤ 0.5 s", "1 s", "2 s", "5 s", "10 s", "20 s", "60 s", "more")
_HEADINGS = (
    "model", "replies", "cost, USD", "USD per 1,000", "tokens in", "out", "reasoning",
    "mean time", "median", "95th percentile",
)  # fmt: skip
_ABOUT = "Of the replies in the tables, stored ones included: what servers said they charged, else list prices."


def cost_and_latency(contents: Contents) -> Html:
    """Return a table with a row for each model, and how their reply times are distributed."""
    rows = [[element("bdi", label), *_figures(contents, own)] for label, own in contents.by_model.items()]
    charts = [
        _histogram(label, own, place)
        for place, (label, own) in enumerate(contents.by_model.items())
        if any(record.reply.latency_s for record in own)
    ]
    return joined(
        table(_HEADINGS, rows, numbers_from=1),
        element(
            "p",
            _ABOUT,
            class_="note",
        ),
        element("div", *charts, class_="charts") if charts else None,
    )


def _figures(contents: Contents, records: Sequence[Record]) -> list[str]:
    cost = known_total(contents.cost_usd(record) for record in records)
    usages = [record.reply.usage for record in records]
    times = [record.reply.latency_s for record in records]
    return [
        count(len(records)),
        amount_usd(cost),
        amount_usd(None if cost is None else 1000 * cost / len(records)),
        count(total(usage.input_tokens for usage in usages)),
        count(total(usage.output_tokens for usage in usages)),
        count(total(usage.reasoning_tokens for usage in usages)),
        duration(mean(times)),
        duration(percentile(times, 50.0)),
        duration(percentile(times, 95.0)),
    ]


def _histogram(label: str, records: Sequence[Record], place: int) -> Html:
    counts = [0] * len(_LABELS)
    for record in records:
        if record.reply.latency_s is not None:
            counts[next(at for at, end in enumerate(_UPPER_ENDS_S) if record.reply.latency_s <= end)] += 1
    tone = f"m{place % MODEL_COLOURS}"
    bars = [Bar(label=name, n=n, tone=tone) for name, n in zip(_LABELS, counts, strict=True)]
    caption = element("figcaption", element("bdi", label), ": replies by the time they took")
    return element("figure", caption, bar_chart(bars, about=f"{label}: replies by the time they took"))
