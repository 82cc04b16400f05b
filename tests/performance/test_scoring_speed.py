"""How long scoring takes: 450 replies, hostile texts, and the tables of a run. Prints what it measured."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import pytest

from bench.tables.leaderboard import leaderboard_rows
from bench.tables.plotchain import write_plotchain_tables
from scorers.plotchain import score_plotchain
from tests.bench.tables.records import answer, make_record
from tests.scorers.ledger import HOSTILE

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from scorers.score import Score
    from tests.scorers.ledger import Hostile

pytestmark = pytest.mark.performance

ITEMS = 450
HOSTILE_CHARS = 10_000_000
HOSTILE_LIMIT_S = 5.0
TRUTH: dict[str, object] = {"cutoff_hz": 100.0, "dc_gain_db": 20.0, "cp_mag_at_fc_db": 17.0}


def _score(text: str) -> Score:
    return score_plotchain(
        text,
        family="bode_magnitude",
        truth=TRUTH,
        final_fields=("cutoff_hz", "dc_gain_db"),
        checkpoint_fields=("cp_mag_at_fc_db",),
        policy="plotread",
    )


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def test_scoring_450_replies() -> None:
    text = f"```json\n{json.dumps(TRUTH, indent=2)}\n```"
    taken = _seconds(lambda: [_score(text) for _ in range(ITEMS)])
    print(f"\n{ITEMS} scores: {taken:.3f} s, {1e6 * taken / ITEMS:.0f} us each")
    assert taken < 1.0


@pytest.mark.parametrize("hostile", HOSTILE, ids=lambda hostile: hostile.name)
def test_ten_million_hostile_characters(hostile: Hostile) -> None:
    long = hostile.text * (HOSTILE_CHARS // len(hostile.text) + 1)
    taken = _seconds(lambda: _score(long))
    print(f"\n{len(long):,} characters: {taken:.3f} s")
    assert taken < HOSTILE_LIMIT_S


def test_tables_of_450_records(tmp_path: Path) -> None:
    records = [make_record(answer(), item_id=f"bode_magnitude_{place:03d}") for place in range(ITEMS)]
    tables = _seconds(lambda: write_plotchain_tables(records, tmp_path))
    board = _seconds(lambda: leaderboard_rows(records, edition="v4"))
    print(f"\n{ITEMS} records: four tables {tables:.3f} s, leaderboard {board:.3f} s")
    assert tables + board < 5.0
