"""Pass rates by difficulty, or by task where a suite has several, as dots with intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.report.charts import MODEL_COLOURS, DotRow, dot_plot
from bench.report.heat_map import parts_of
from bench.report.markup import Html, element, joined
from bench.report.pass_rates import pass_rate
from bench.tables.field_rows import grouped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.report.contents import Contents
    from bench.report.pass_rates import PassRate
    from bench.results.record import Record

__all__ = ["by_difficulty", "model_legend"]


def by_difficulty(contents: Contents) -> Html:
    """Return a chart for each suite."""
    suites = grouped(contents.records, lambda record: record.suite)
    charts = [_chart(contents, suite, suites[suite]) for suite in sorted(suites)]
    return joined(model_legend(contents), element("div", *charts, class_="charts"))


def model_legend(contents: Contents) -> Html:
    """Name the colours of the models; nothing where there is one."""
    if len(contents.labels) == 1:
        return Html("")
    names = [
        element("span", element("i", class_=f"swatch m{place % MODEL_COLOURS}"), element("bdi", label))
        for place, label in enumerate(contents.labels.values())
    ]
    return element("p", *names, class_="legend")


def _chart(contents: Contents, suite: str, records: Sequence[Record]) -> Html:
    kind, parts = parts_of(records)
    rows = [DotRow(label=part, rates=_rates(contents, own)) for part, own in parts.items()]
    picture = dot_plot(rows, about=f"{suite}: pass rate by {kind}")
    return element("figure", element("figcaption", f"{suite}: pass rate by {kind}"), picture)


def _rates(contents: Contents, records: Sequence[Record]) -> list[PassRate | None]:
    by_model = grouped(records, contents.label)
    return [pass_rate(by_model[label]) if label in by_model else None for label in contents.labels.values()]
