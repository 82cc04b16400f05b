"""Writes the validity report: validity.csv, validity.json, validity.md."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from bench.results.files import write_atomically
from bench.tables.csv_files import write_csv
from bench.validity.report import COLUMNS
from bench.validity.verdicts import LEAK_RATE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from bench.tables.csv_files import Cell
    from bench.validity.report import FamilyValidity, FieldValidity, ValidityReport

__all__ = [
    "FAMILY_HEADINGS",
    "FIELD_HEADINGS",
    "VALIDITY_JSON",
    "family_cells",
    "field_cells",
    "markdown",
    "write_report",
]

VALIDITY_JSON = "validity.json"
FIELD_HEADINGS = (
    "family", "field", "n", "px one", "px all", "blind", "question", "place", "axes", "reader", "verdict",
)  # fmt: skip
FAMILY_HEADINGS = ("family", "pictures", "distinct", "copies", "copies with another truth")

_LEGEND = f"""\
How to read the table:

- **px one / all**: by how many pixels the most sensitive reading alone, or all readings at once, may be off in an
  answer that still passes; smallest and median over the items.
- **blind**: pass rate of the best constant, fitted on these items / on other seeds; beside it chance, where the
  answer is a choice.
- **question**: items whose question prints the answer. **place**: what passes by reading the axes at one fixed
  place. **axes**: what passes by reading the right place on another item's axes.
- **reader**: pass rate of the pixel-only baseline, and by difficulty or class where these differ.
- **verdict**: *leaks* when blind on other seeds, question, place or axes pass more than {LEAK_RATE:.0%} over
  chance, with 95 % confidence; *finer than a pixel* when an item leaves less than one pixel for all readings at
  once; *not shown* when a reading lies beyond the drawn axes; else *sound*.
"""


def write_report(report: ValidityReport, folder: Path) -> None:
    """Write the three files.

    Raises:
        OSError: a file cannot be written.
    """
    write_csv(folder / "validity.csv", COLUMNS, (_row(field) for field in report.fields))
    write_atomically(folder / VALIDITY_JSON, json.dumps(report.to_json(), indent=1, ensure_ascii=False) + "\n")
    write_atomically(folder / "validity.md", markdown(report))


def _row(field: FieldValidity) -> dict[str, Cell]:
    texts: dict[str, Cell] = {
        "verdict": "; ".join(field.verdicts),
        "leaks_by": "; ".join(field.leaks_by),
        "place": "; ".join(f"{share:.3f}" for share in field.place),
        "reader_by_group": _groups(field),
    }
    return {column: texts[column] if column in texts else getattr(field, column) for column in COLUMNS}


def _groups(field: FieldValidity) -> str:
    return "; ".join(f"{group} {rate:.3f}" for group, rate in field.reader_by_group.items())


def markdown(report: ValidityReport) -> str:
    """Return the report as Markdown."""
    parts = [
        f"# Validity of PlotChain {report.edition} (seed {report.seed}, {report.policy} tolerances) and geometry",
        "## Findings",
        "\n".join(f"- {finding}" for finding in report.findings),
    ]
    for suite in dict.fromkeys(field.suite for field in report.fields):
        own = [field for field in report.fields if field.suite == suite]
        parts += [f"## {suite}: fields", _field_table(own)]
        families = [row for row in report.families if row.suite == suite]
        if families:
            parts += [f"## {suite}: pictures", _table(FAMILY_HEADINGS, map(family_cells, families))]
    return "\n\n".join([*parts, _LEGEND])


def field_cells(field: FieldValidity) -> tuple[str, ...]:
    """Return a field's texts under `FIELD_HEADINGS`."""
    return (
        field.family,
        field.field,
        str(field.items),
        _span(field.one_px_smallest, field.one_px_median),
        _span(field.all_px_smallest, field.all_px_median),
        _blind(field),
        _percent(field.in_question),
        _percent(field.constant_place),
        _percent(field.other_axes),
        _reader(field),
        _verdict(field),
    )


def family_cells(family: FamilyValidity) -> tuple[str, ...]:
    """Return a family's texts under `FAMILY_HEADINGS`."""
    counts = (family.pictures, family.distinct, family.copies, family.clashing)
    return (family.family, *map(str, counts))


def _field_table(fields: Sequence[FieldValidity]) -> str:
    rows = (field_cells(field) for field in fields)
    return _table(FIELD_HEADINGS[1:], ((f"{family}<br>{name}", *rest) for family, name, *rest in rows))


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = (heads, ["-"] * len(heads), *rows)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _span(smallest: float | None, median: float | None) -> str:
    return "-" if smallest is None or median is None else f"{smallest:.2f} / {median:.1f}"


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{value:.0%}"


def _blind(field: FieldValidity) -> str:
    chance = f" (chance {field.chance:.0%})" if field.chance else ""
    return f"{_percent(field.blind_same_seed)} / {_percent(field.blind_other_seeds)}{chance}"


def _reader(field: FieldValidity) -> str:
    groups = ", ".join(f"{group} {rate:.0%}" for group, rate in field.reader_by_group.items())
    differ = len(set(field.reader_by_group.values())) > 1
    return f"{_percent(field.reader)} ({groups})" if differ else _percent(field.reader)


def _verdict(field: FieldValidity) -> str:
    leaks = f" ({', '.join(field.leaks_by)})" if field.leaks_by else ""
    return ", ".join(f"{verdict}{leaks if verdict == 'leaks' else ''}" for verdict in field.verdicts)
