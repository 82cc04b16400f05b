"""Tables that compare a set's stored truth with the baseline: `validation_rows`, `validation_summary`.

Columns, order and line ends (CRLF in one, LF in the other) are those of the release.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from generators.items import Item
    from generators.plotchain.registry import Edition

__all__ = ["ValidationRow", "rows_csv", "summary_csv", "validate"]

_RELATIVE_SLACK = 1e-6
"""Rounding errors of the baseline's own arithmetic, relative to the value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidationRow:
    """One stored value; `abs_err` is how far the baseline lies outside what rounds to it, in its unit."""

    family: str
    id: str
    field: str
    passed: bool
    abs_err: float


def validate(items: Iterable[Item], edition: Edition) -> list[ValidationRow]:
    """Recompute every value from the stored parameters and compare, in item order, then truth order."""
    return [row for item in items for row in _item_rows(item, edition)]


def rows_csv(rows: Sequence[ValidationRow]) -> str:
    """Return `validation_rows.csv`: one line per value."""
    lines = [[row.family, row.id, row.field, row.passed, row.abs_err] for row in rows]
    return _csv(["type", "id", "field", "pass", "abs_err"], lines, line_end="\r\n")


def summary_csv(rows: Sequence[ValidationRow]) -> str:
    """Return `validation_summary.csv`: one line per family and field, sorted."""
    groups: dict[tuple[str, str], list[ValidationRow]] = {}
    for row in rows:
        groups.setdefault((row.family, row.field), []).append(row)
    lines = [
        [*key, len(group), sum(row.passed for row in group) / len(group), max(row.abs_err for row in group)]
        for key, group in sorted(groups.items())
    ]
    return _csv(["type", "field", "n", "pass_rate", "max_abs_err"], lines, line_end="\n")


def _item_rows(item: Item, edition: Edition) -> list[ValidationRow]:
    baseline = edition.baseline_truth(item.family, item.params)
    family = edition.family(item.family)
    decimals = family.decimals(family.restore(item.params))
    rows = []
    for name, stored in item.truth.items():
        error = _distance(float(str(stored)), baseline[name], decimals[name])
        rows.append(ValidationRow(family=item.family, id=item.id, field=name, passed=error == 0.0, abs_err=error))
    return rows


def _distance(stored: float, recomputed: float, decimals: int | None) -> float:
    """Return 0 when `recomputed` rounds to `stored` (either way on a tie), else their distance."""
    half_unit = 0.0 if decimals is None else 0.5 * 10.0**-decimals
    distance = abs(stored - recomputed)
    return 0.0 if distance <= half_unit + _RELATIVE_SLACK * abs(stored) else distance


def _csv(header: Sequence[str], lines: Iterable[Sequence[object]], *, line_end: str) -> str:
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator=line_end)
    writer.writerow(header)
    writer.writerows(lines)
    return buffer.getvalue()
