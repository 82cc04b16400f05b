"""Pass rates of every family as a map: families down, models across, each split by task or difficulty."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.models.types import natural_key
from bench.report.links import gallery_link
from bench.report.markup import Html, element, joined
from bench.report.pass_rates import pass_rate
from bench.report.words import percent_range
from bench.tables.field_rows import grouped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.report.contents import Contents
    from bench.results.record import Record

__all__ = ["DIFFICULTY_ORDER", "SHADES", "heat_map", "parts_of"]

SHADES = 10
DIFFICULTY_ORDER = ("clean", "moderate", "edge", "easy", "hard")
_MODELS_SPLIT = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class _Column:
    """One column: a model's records in a suite, or those of one part of it (a task or a difficulty)."""

    model: str
    part: str | None
    records: Sequence[Record]


def heat_map(contents: Contents) -> Html:
    """Return one map for each suite; a cell is a link to its cases."""
    suites = grouped(contents.records, lambda record: record.suite)
    maps = [_suite_map(contents, suite, suites[suite]) for suite in sorted(suites)]
    scale = [element("span", str(10 * shade), class_=f"h{shade}") for shade in range(SHADES + 1)]
    legend = element("p", "Cases passed, in percent: ", *scale, class_="note legend")
    return joined(legend, *maps)


def parts_of(records: Sequence[Record]) -> tuple[str, dict[str, list[Record]]]:
    """Split a suite's records by task, or by difficulty where it has one task; say by which."""
    if any(record.task is not None for record in records):
        return "task", grouped(records, lambda record: record.task or "")
    by_difficulty = grouped(records, lambda record: record.difficulty)
    return "difficulty", {name: by_difficulty[name] for name in sorted(by_difficulty, key=_difficulty_place)}


def _difficulty_place(name: str) -> tuple[int, str]:
    return (DIFFICULTY_ORDER.index(name) if name in DIFFICULTY_ORDER else len(DIFFICULTY_ORDER), name)


def _suite_map(contents: Contents, suite: str, records: Sequence[Record]) -> Html:
    by_model = grouped(records, contents.label)
    kind, parts = parts_of(records)
    names = list(parts) if len(by_model) <= _MODELS_SPLIT and len(parts) > 1 else []
    columns = [
        _Column(
            model=label,
            part=part,
            records=[record for record in own if part is None or getattr(record, kind) == part],
        )
        for label, own in by_model.items()
        for part in (None, *names)
    ]
    families = sorted({record.family for record in records}, key=natural_key)
    rows = [_row(suite, family, columns, kind) for family in families]
    if len(families) > 1:
        rows.append(_row(suite, None, columns, kind))
    heading = element("h3", suite)
    whole = element("table", _head(by_model, names), element("tbody", *rows), class_="heat")
    return joined(heading, element("div", whole, class_="scroll", tabindex=0))


def _head(by_model: dict[str, list[Record]], parts: Sequence[str]) -> Html:
    span = 1 + len(parts)
    models = [element("th", element("bdi", label), colspan=span, class_="first") for label in by_model]
    top = element("tr", element("th", "family"), *models)
    if not parts:
        return element("thead", top)
    below = [
        element("th", name, class_="first" if place == 0 else None)
        for _ in by_model
        for place, name in enumerate(("all", *parts))
    ]
    return element("thead", top, element("tr", element("th"), *below))


def _row(suite: str, family: str | None, columns: Sequence[_Column], kind: str) -> Html:
    name = element("th", "all" if family is None else family, scope="row")
    return element(
        "tr",
        name,
        *(_cell(suite, family, column, kind) for column in columns),
        class_="total" if family is None else None,
    )


def _cell(suite: str, family: str | None, column: _Column, kind: str) -> Html:
    edge = "first" if column.part is None else ""
    own = [record for record in column.records if family is None or record.family == family]
    found = pass_rate(own)
    if found.n == 0:
        return element("td", "–" if own else "", class_=edge or None)
    share = found.passed / found.n
    link = gallery_link(suite=suite, family=family, model=column.model, **{kind: column.part})
    title = f"{found.passed} of {found.n} passed, 95 % interval {percent_range(found.interval)}"
    text = element("a", f"{100 * share:.0f}", href=link, title=title)
    return element("td", text, class_=f"h{int(SHADES * share)} {edge}".strip())
