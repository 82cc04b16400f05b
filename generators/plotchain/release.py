"""Write a whole set to a folder: records, pictures and validation tables, resumably and on several cores."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

from generators.files import write_atomically
from generators.picture_release import PictureJob, draw_pictures, pictures_to_draw
from generators.plotchain.family import StoredParams
from generators.plotchain.pictures import dedicate_process
from generators.plotchain.records import item_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from generators.items import Item
    from generators.plotchain.family import Edition
    from generators.plotchain.source import PlotChainSource

__all__ = ["ReleaseReport", "ValidationRow", "rows_csv", "summary_csv", "validate", "write_release"]

_LEDGER = "pictures.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseReport:
    """What a call wrote: items, pictures drawn now, pictures kept, values that the baseline disputes."""

    items: int
    drawn: int
    kept: int
    disputed: int


def write_release(
    source: PlotChainSource, folder: Path, *, jobs: int, tell: Callable[[int, int], None]
) -> ReleaseReport:
    """Write `plotchain_<edition>.jsonl`, `images/`, both validation tables and the ledger of pictures.

    Every file appears whole or not at all. A picture is drawn again unless the ledger says that the file
    there was drawn from the same content, and the file is still that one.

    Args:
        source: the items.
        folder: where to write; made when missing.
        jobs: processes that draw, at least 1.
        tell: called with pictures done and to do as they get done.

    Raises:
        OSError: a file cannot be written.
        PictureError: a picture cannot be drawn.
    """
    items = list(source)
    disputed = _write_records(items, source.edition, folder)
    pictures = [
        PictureJob(path=folder / str(item.extra["image_path"]), name=item.id, picture=item.picture)
        for item in items
    ]
    ledger = folder / _LEDGER
    missing = pictures_to_draw(pictures, ledger)
    for done in draw_pictures(missing, ledger, processes=jobs, prepare=dedicate_process):
        tell(done, len(missing))
    return ReleaseReport(items=len(items), drawn=len(missing), kept=len(items) - len(missing), disputed=disputed)


def _write_records(items: Sequence[Item], edition: Edition, folder: Path) -> int:
    """Write all but the pictures; return how many values the baseline disputes."""
    rows = validate(items, edition)
    write_atomically(folder / "validation_rows.csv", rows_csv(rows).encode())
    write_atomically(folder / "validation_summary.csv", summary_csv(rows).encode())
    lines = "".join(f"{item_line(item)}\n" for item in items)
    write_atomically(folder / f"plotchain_{edition.name}.jsonl", lines.encode())
    return sum(not row.passed for row in rows)


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
    rows = []
    for item in items:
        family = edition.family(item.family)
        baseline = family.baseline(StoredParams(item.params))
        decimals = family.decimals(family.restore(item.params))
        for name, stored in item.truth.items():
            error = _distance(float(str(stored)), baseline[name], decimals[name])
            rows.append(
                ValidationRow(family=item.family, id=item.id, field=name, passed=error == 0.0, abs_err=error)
            )
    return rows


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
