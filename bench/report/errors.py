"""How far answers are from the truth, in units of the tolerance, and which fields are read worst."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from bench.report.charts import Bar, bar_chart
from bench.report.error_units import in_tolerances
from bench.report.links import gallery_link
from bench.report.markup import Html, element, joined
from bench.report.tables import table
from bench.report.words import count, percent
from bench.tables.averages import percentile
from bench.tables.field_rows import FieldRow, field_rows, grouped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.report.contents import Contents

__all__ = ["error_distributions"]

_UPPER_ENDS = (0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 20.0, math.inf)
_LABELS = ("≤ 0.1", "0.25", "0.5", "1", "2", "5", "20", "more", "none")
_WORST_SHOWN = 12
_P90 = 90.0


def error_distributions(contents: Contents) -> Html:
    """Return a histogram for each suite and model, and the fields with the lowest pass rates."""
    groups = grouped(field_rows(contents.records), lambda row: (row.record.suite, contents.label(row.record)))
    charts = [_histogram(suite, label, rows) for (suite, label), rows in sorted(groups.items())]
    about = (
        "Every field by its error, divided by its tolerance: up to 1 passes. "
        "“more” holds errors of more than 20 tolerances and errors where none is allowed; "
        "“none” holds fields without a usable number."
    )
    return joined(
        element("p", about, class_="note"),
        element("div", *charts, class_="charts"),
        element("h3", "Fields that fail most"),
        _worst_fields(contents),
    )


def _histogram(suite: str, label: str, rows: Sequence[FieldRow]) -> Html:
    counts = [0] * len(_LABELS)
    for row in rows:
        counts[_bin(in_tolerances(row.score))] += 1
    passing = _UPPER_ENDS.index(1.0)
    tones = ["passes" if place <= passing else "fails" for place in range(len(_UPPER_ENDS))] + ["lacks"]
    bars = [Bar(label=name, n=n, tone=tone) for name, n, tone in zip(_LABELS, counts, tones, strict=True)]
    caption = element("figcaption", f"{suite}, ", element("bdi", label), f": {count(len(rows))} fields")
    return element("figure", caption, bar_chart(bars, about=f"{suite}, {label}: errors in tolerances"))


def _bin(units: float | None) -> int:
    if units is None:
        return len(_UPPER_ENDS)
    return next(place for place, end in enumerate(_UPPER_ENDS) if units <= end)


def _worst_fields(contents: Contents) -> Html:
    groups = grouped(
        field_rows(contents.records),
        lambda row: (
            row.record.suite,
            row.record.family,
            row.record.task,
            row.score.field,
            contents.label(row.record),
        ),
    )
    failing = {key: rows for key, rows in groups.items() if not all(row.score.passed for row in rows)}
    if not failing:
        return element("p", "Every field passed.")
    worst = sorted(failing, key=lambda key: (_passed(failing[key]), [part or "" for part in key]))[:_WORST_SHOWN]
    headings = (
        "suite",
        "family",
        "field",
        "model",
        "replies",
        "passed",
        "no number",
        "median error",
        "90th percentile",
    )
    rows = [
        [
            suite,
            element("a", family, href=gallery_link(suite=suite, family=family, task=task, model=label)),
            field if task is None else f"{task}: {field}",
            element("bdi", label),
            *_figures(failing[suite, family, task, field, label]),
        ]
        for suite, family, task, field, label in worst
    ]
    left_out = len(failing) - len(worst)
    more = f" {left_out} more have failures; summary tables hold all." if left_out else ""
    return joined(
        table(headings, rows, numbers_from=4),
        element("p", f"Errors in tolerances, over replies with a number.{more}", class_="note"),
    )


def _passed(rows: Sequence[FieldRow]) -> float:
    return sum(row.score.passed for row in rows) / len(rows)


def _figures(rows: Sequence[FieldRow]) -> list[str]:
    units = [in_tolerances(row.score) for row in rows]
    return [
        count(len(rows)),
        percent(_passed(rows)),
        percent(sum(row.is_null for row in rows) / len(rows)),
        _units(units, 50.0),
        _units(units, _P90),
    ]


def _units(units: Sequence[float | None], percent_: float) -> str:
    # Infinities have no place between two others: a large number stands for them, and is shown as what it is.
    found = percentile([None if one is None else min(one, 1e300) for one in units], percent_)
    if found is None:
        return "–"
    return f"{found:.2g}" if found < 1e3 else "> 1000"  # noqa: PLR2004 - as it says
