"""Columns are a contract; cells are exact numbers, and texts that no spreadsheet runs."""

from __future__ import annotations

import csv
import io
import math
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bench.tables import auxsolidmath, plotchain
from bench.tables.calibration import CALIBRATION
from bench.tables.csv_files import Cell, cell_text, csv_text, text_of_cell, write_csv
from bench.tables.geometry import GEOMETRY_LEADERBOARD
from bench.tables.leaderboard import COMPARISONS, LEADERBOARD
from scorers.json_values import without_lone_surrogates

if TYPE_CHECKING:
    from pathlib import Path

    from syrupy.assertion import SnapshotAssertion

    from bench.tables.csv_files import Table


TABLES: dict[str, Table[Any]] = {
    "per_item.csv": plotchain.PER_ITEM,
    "item_level.csv": plotchain.ITEM_LEVEL,
    "summary.csv": plotchain.SUMMARY,
    "overall.csv": plotchain.OVERALL,
    "leaderboard.csv": LEADERBOARD,
    "comparisons.csv": COMPARISONS,
    "auxsolidmath/per_item.csv": auxsolidmath.PER_ITEM,
    "auxsolidmath/summary.csv": auxsolidmath.SUMMARY,
    "auxsolidmath/paired.csv": auxsolidmath.PAIRED,
    "calibration/calibration.csv": CALIBRATION,
    "geometry/leaderboard.csv": GEOMETRY_LEADERBOARD,
}


def test_columns_are_pinned(snapshot: SnapshotAssertion) -> None:
    assert {name: "\n".join(table.columns) for name, table in TABLES.items()} == snapshot


def test_no_column_stands_twice() -> None:
    for table in TABLES.values():
        assert len(set(table.columns)) == len(table.columns)


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (None, ""),
        (True, "True"),
        (False, "False"),
        (3, "3"),
        (-3, "-3"),
        (0.1 + 0.2, "0.30000000000000004"),
        (-2.5, "-2.5"),
        (20.0, "20.0"),
        (math.nan, ""),
        (math.inf, ""),
        ("gpt-4.1", "gpt-4.1"),
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\t=1"),
        ("\r=1", "'\n=1"),
        ("a\rb\r\nc", "a\nb\nc"),
        ("\n=1", "'\n=1"),
        ("  =1", "'  =1"),
        ("\u00a0=1", "'\u00a0=1"),
        ("＝1", "'＝1"),
        ("a=1", "a=1"),
        ("'=1", "''=1"),
        ("'quoted'", "'quoted'"),
        ("\0x", "\ufffdx"),
        ("\ud800", "\ufffd"),
    ],
)
def test_cell(cell: Cell, text: str) -> None:
    assert cell_text(cell) == text


@example(["a\rb"])
@example(["\r\n"])
@example([""])
@settings(max_examples=40, deadline=None)
@given(st.lists(st.text() | st.floats() | st.integers() | st.booleans() | st.none(), min_size=1, max_size=5))
def test_any_row_is_read_back_as_its_cells(cells: list[Cell]) -> None:
    columns = [f"c{place}" for place in range(len(cells))]
    written = csv_text(columns, [dict(zip(columns, cells, strict=True))])
    header, row = csv.reader(io.StringIO(written, newline=""))
    assert header == columns
    assert row == [cell_text(cell) for cell in cells]


@given(st.text())
def test_no_text_begins_like_a_formula(text: str) -> None:
    assert not cell_text(text).lstrip().startswith(("=", "+", "-", "@"))


@example("'=1")
@example("' =1")
@example("''＝")
@given(st.text(st.sampled_from("'=+-@ \n\ta＝")) | st.text())
def test_the_guard_comes_off_again(text: str) -> None:
    kept = without_lone_surrogates(text).replace("\0", "\ufffd").replace("\r\n", "\n").replace("\r", "\n")
    assert text_of_cell(cell_text(text)) == kept


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_floats_come_back_exactly(value: float) -> None:
    assert float(cell_text(value)) == value


def test_a_row_must_fit_its_table(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"other columns than its table: \['a', 'b'\]"):
        write_csv(tmp_path / "x.csv", ["a"], [{"b": 1}])
    assert list(tmp_path.iterdir()) == []
