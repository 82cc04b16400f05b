"""Tables as CSV: each column declared once; files that no spreadsheet runs and a program reads back exactly.

Rates in tables are fractions from 0 to 1. An empty cell means: nothing to compute it from.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, TypeVar

from bench.results.files import write_atomically
from scorers.json_values import without_lone_surrogates

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

__all__ = ["Cell", "Column", "Table", "cell_text", "csv_text", "text_of_cell", "write_csv"]

Cell = str | bool | int | float | None
Source = TypeVar("Source")
Column = tuple[str, Callable[[Source], Cell]]
"""A column's name, and what a row made from a source says in it."""

# A spreadsheet takes a cell that begins so as a formula; the full-width signs are folded to these.
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\n", "＝", "＋", "－", "＠")


class Table(Generic[Source]):
    """A table whose rows are made from sources of one kind."""

    def __init__(self, *columns: Column[Source]) -> None:
        self.columns = tuple(name for name, _ in columns)
        self._cells = dict(columns)

    def rows(self, sources: Iterable[Source]) -> list[dict[str, Cell]]:
        """Return a row for each source."""
        return [{name: cell(source) for name, cell in self._cells.items()} for source in sources]


def cell_text(cell: Cell) -> str:
    """Write one cell: floats with all digits, True or False, nothing for None, NaN and infinities.

    A text that a spreadsheet could run as a formula (it begins with `=`, `+`, `-`, `@`, tab, a line
    break, or one of these after spaces) gets an apostrophe before it, and so does one that begins with an
    apostrophe and then so: `text_of_cell` takes it off again. Numbers stay numbers. NUL and
    halves of surrogate pairs become U+FFFD, carriage returns line feeds (Python 3.11's csv leaves a cell
    with a lone carriage return unquoted, and cannot read it back).
    """
    if cell is None:
        return ""
    if isinstance(cell, float):
        return repr(cell) if math.isfinite(cell) else ""
    if not isinstance(cell, str):
        return str(cell)
    text = without_lone_surrogates(cell).replace("\0", "\ufffd").replace("\r\n", "\n").replace("\r", "\n")
    return f"'{text}" if _is_guarded(text) else text


def text_of_cell(cell: str) -> str:
    """Return the text that `cell_text` wrote as this cell."""
    return cell[1:] if cell.startswith("'") and _is_guarded(cell[1:]) else cell


def _is_guarded(text: str) -> bool:
    bare = text.lstrip("'")
    return bare.startswith(_FORMULA_STARTS) or bare.lstrip().startswith(_FORMULA_STARTS)


def csv_text(columns: Sequence[str], rows: Iterable[Mapping[str, Cell]]) -> str:
    """Write header and rows, LF line ends, quoted where needed.

    Raises:
        ValueError: a row lacks a column or has one that the table does not have.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    wanted = set(columns)
    for row in rows:
        if row.keys() != wanted:
            raise ValueError(f"a row has other columns than its table: {sorted(row.keys() ^ wanted)}")
        writer.writerow([cell_text(row[column]) for column in columns])
    return out.getvalue()


def write_csv(path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, Cell]]) -> None:
    """Write a table to a file, whole or not at all.

    Raises:
        OSError: it cannot be written.
        ValueError: a row lacks a column or has one that the table does not have.
    """
    write_atomically(path, csv_text(columns, rows))
