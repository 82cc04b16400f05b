"""Tables' columns are a contract: a change must be seen here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.tables import columns
from bench.tables.leaderboard import leaderboard_rows
from bench.tables.model_pairs import model_pair_rows, model_pairs
from bench.tables.plotchain import item_level_rows, overall_rows, per_item_rows, summary_rows
from tests.bench.tables.records import make_record

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

TABLES = {
    "per_item.csv": columns.PER_ITEM,
    "item_level.csv": columns.ITEM_LEVEL,
    "summary.csv": columns.SUMMARY,
    "overall.csv": columns.OVERALL,
    "leaderboard.csv": columns.LEADERBOARD,
    "comparisons.csv": columns.COMPARISONS,
    "auxsolidmath/per_item.csv": columns.AUXSOLIDMATH_PER_ITEM,
    "auxsolidmath/summary.csv": columns.AUXSOLIDMATH_SUMMARY,
    "auxsolidmath/paired.csv": columns.AUXSOLIDMATH_PAIRED,
    "calibration/calibration.csv": columns.CALIBRATION,
}


def test_columns_are_pinned(snapshot: SnapshotAssertion) -> None:
    assert {name: "\n".join(table) for name, table in TABLES.items()} == snapshot


def test_published_columns_come_first() -> None:
    for name, published in columns.PUBLISHED.items():
        assert TABLES[name][: len(published)] == published


def test_no_column_stands_twice() -> None:
    for table in TABLES.values():
        assert len(set(table)) == len(table)


def test_rows_have_exactly_their_tables_columns() -> None:
    records = [make_record()]
    rows = {
        "per_item.csv": per_item_rows(records),
        "item_level.csv": item_level_rows(records),
        "summary.csv": summary_rows(records),
        "overall.csv": overall_rows(records),
        "leaderboard.csv": leaderboard_rows(records, edition="v4"),
        "comparisons.csv": model_pair_rows(model_pairs([*records, make_record(model="gpt-y")])),
    }
    for name, found in rows.items():
        assert set(found[0]) == set(TABLES[name])
