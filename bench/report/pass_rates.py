"""How often cases pass, with 95 % intervals: by model and suite, by family, by difficulty or task."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.models.types import natural_key
from bench.report.rendering import plural, section, thousands
from bench.results.aggregate import grouped, passes_by
from bench.statistics.intervals import Cluster, Interval, clustered_interval, wilson_interval
from bench.tables.leaderboard import leaderboard_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bench.report.contents import Contents
    from bench.report.rendering import Section
    from bench.results.record import Record
    from bench.tables.csv_files import Cell

__all__ = ["PassRate", "difficulty_section", "families_section", "pass_rate", "results_section"]

_SHADES = 10
_DIFFICULTY_ORDER = ("clean", "moderate", "edge", "easy", "hard")
_MODELS_SPLIT = 3
"""With more models than this, a map of families has one column for each model and none for its parts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PassRate:
    """`passed` of `n` cases, and the rate's interval."""

    passed: int
    n: int
    interval: Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class _Column:
    """A column of a map: a model's records in a suite, or those of one part of it (a task or a difficulty)."""

    model: str
    part: str | None
    records: Sequence[Record]


def pass_rate(records: Sequence[Record]) -> PassRate:
    """Return the pass rate of one model's records: a case is an item and a task, and passes by majority.

    Records that are not scored are left out. The interval is Wilson's; where items were asked several tasks, it is
    the one for cases that cluster by item.
    """
    verdicts = passes_by(records, lambda record: (record.item_id, record.task))
    passed, n = sum(verdicts.values()), len(verdicts)
    if len({item for item, _ in verdicts}) == n:
        return PassRate(passed=passed, n=n, interval=wilson_interval(passed, n))
    items = grouped(verdicts, lambda case: case[0])
    clusters = [Cluster(passed=sum(verdicts[case] for case in own), n=len(own)) for own in items.values()]
    return PassRate(passed=passed, n=n, interval=clustered_interval(clusters))


def results_section(contents: Contents) -> Section:
    """Return a card for each model and suite, and below them a table with every task and every way to count."""
    cards = [
        {
            "label": label,
            "suite": suite,
            "all": pass_rate(own),
            "answered": pass_rate([record for record in own if record.status == "answered"]),
        }
        for label, records in contents.by_model.items()
        for suite, own in sorted(_by_suite(records).items())
    ]
    edition = str(contents.manifest.get("options", {}).get("edition", ""))
    rows = leaderboard_rows(contents.records, edition=edition, cost_usd=contents.cost_usd)
    return section(
        "results",
        "Results",
        missing=None if contents.manifest.get("complete", True) else list(_missing(contents)),
        cards=cards,
        rows=[_result(contents, row) for row in rows],
    )


def _missing(contents: Contents) -> Iterator[str]:
    """Say of a run that is not complete how many cases there are, and how many failed."""
    if selected := contents.manifest.get("cases_selected"):
        cases = len({record.case_id for record in contents.records})
        yield f"{thousands(cases)} of {thousands(selected)} selected cases have replies"
    if failed := sum(record.status == "failed" for record in contents.records):
        yield f"{plural(failed, 'reply', 'replies')} failed at the server"


def _result(contents: Contents, row: Mapping[str, Cell]) -> dict[str, object]:
    def rate(name: str) -> float | None:
        value = row[name]
        return float(value) if isinstance(value, int | float) else None

    return {
        "label": contents.labels[str(row["provider"]), str(row["model"])],
        "suite": row["suite"],
        "task": row["task"],
        "items_n": row["items_n"],
        "interval": Interval(rate=rate("item_pass_rate"), low=rate("item_pass_low"), high=rate("item_pass_high")),
        "answered_only": rate("item_pass_rate_answered_only"),
        "fields": rate("field_pass_rate"),
        "checkpoints": rate("checkpoint_pass_rate"),
    }


def families_section(contents: Contents) -> Section:
    """Return a map for each suite: families down, models across, each split by task or difficulty."""
    maps = [_suite_map(contents, suite, own) for suite, own in sorted(_by_suite(contents.records).items())]
    return section("families", "By family", shades=_SHADES, maps=maps)


def _suite_map(contents: Contents, suite: str, records: Sequence[Record]) -> dict[str, object]:
    by_model = grouped(records, contents.label)
    kind, parts = _parts(records)
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
    families: list[str | None] = [*sorted({record.family for record in records}, key=natural_key)]
    rows = {family: _cells(columns, family) for family in (families if len(families) == 1 else [*families, None])}
    return {"suite": suite, "kind": kind, "models": list(by_model), "parts": names, "rows": rows}


def _cells(columns: Sequence[_Column], family: str | None) -> list[dict[str, object]]:
    """Return the cells of a family's row; None stands for all families."""
    cells: list[dict[str, object]] = []
    for column in columns:
        own = [record for record in column.records if family is None or record.family == family]
        cells.append({"model": column.model, "part": column.part, "asked": bool(own), "rate": pass_rate(own)})
    return cells


def difficulty_section(contents: Contents) -> Section:
    """Return a chart for each suite, of pass rates by difficulty, or by task where it has several."""
    charts = [_chart(contents, suite, own) for suite, own in sorted(_by_suite(contents.records).items())]
    return section("difficulty", "By difficulty and task", models=list(contents.labels.values()), charts=charts)


def _chart(contents: Contents, suite: str, records: Sequence[Record]) -> dict[str, object]:
    kind, parts = _parts(records)
    return {
        "about": f"{suite}: pass rate by {kind}",
        "rates": {part: _rates_by_model(contents, own) for part, own in parts.items()},
    }


def _rates_by_model(contents: Contents, records: Sequence[Record]) -> list[PassRate | None]:
    """Return each model's rate, models in the page's order; None where one has no case here."""
    by_model = grouped(records, contents.label)
    return [pass_rate(by_model[label]) if label in by_model else None for label in contents.labels.values()]


def _by_suite(records: Sequence[Record]) -> dict[str, list[Record]]:
    return grouped(records, lambda record: record.suite)


def _parts(records: Sequence[Record]) -> tuple[str, dict[str, list[Record]]]:
    """Split a suite's records by task, or by difficulty where it has one task; say by which."""
    if any(record.task is not None for record in records):
        return "task", grouped(records, lambda record: record.task or "")
    by_difficulty = grouped(records, lambda record: record.difficulty)
    return "difficulty", {name: by_difficulty[name] for name in sorted(by_difficulty, key=_difficulty_place)}


def _difficulty_place(name: str) -> tuple[int, str]:
    return (_DIFFICULTY_ORDER.index(name) if name in _DIFFICULTY_ORDER else len(_DIFFICULTY_ORDER), name)
