"""leaderboard.csv: repeats, statuses, intervals, cost."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import pytest

from bench.models.types import Response, Usage
from bench.tables.leaderboard import LEADERBOARD, item_passes, leaderboard_rows, write_leaderboard
from bench.tables.summary import format_summary
from scorers.score import Score, Unscored
from tests.bench.tables.records import answer, failed, make_record, published_records

if TYPE_CHECKING:
    from pathlib import Path

    from bench.results.record import Record
    from bench.tables.csv_files import Cell

RIGHT, WRONG = answer(), answer(cutoff_hz=0.0)


def repeats(*replies: Response, item: str = "bode_magnitude_000") -> list[Record]:
    return [make_record(reply, item_id=item, repeat=place) for place, reply in enumerate(replies)]


def one_row(records: list[Record]) -> dict[str, Cell]:
    (row,) = leaderboard_rows(records, edition="v4")
    return row


@pytest.mark.parametrize(
    ("replies", "passed"),
    [
        ([RIGHT], True),
        ([RIGHT, WRONG], False),
        ([RIGHT, RIGHT, WRONG], True),
        ([RIGHT, failed(), WRONG], False),
        ([RIGHT, RIGHT, failed(), failed()], False),
    ],
)
def test_an_item_passes_by_a_majority_of_its_repeats(replies: list[Response], passed: bool) -> None:
    assert item_passes(repeats(*replies)) == {"bode_magnitude_000": passed}


def test_what_is_not_answered_is_wrong_and_left_out_beside_it() -> None:
    row = one_row(
        [
            *repeats(RIGHT, failed(), failed()),
            *repeats(WRONG, item="bode_magnitude_001"),
            *repeats(Response(status="refused"), item="bode_magnitude_002"),
            *repeats(Response(status="truncated"), item="bode_magnitude_003"),
            *repeats(Response(status="answered"), item="bode_magnitude_004"),
        ]
    )
    counts = ("items_n", "asked_n", "answered_n", "refused_n", "truncated_n", "unparsed_n", "failed_n")
    assert [row[name] for name in counts] == [5, 7, 2, 1, 1, 1, 2]
    assert (row["item_pass_rate"], row["item_pass_rate_answered_only"]) == (0.0, 0.5)
    assert row["field_pass_rate"] == pytest.approx(5 / 21)
    assert row["field_pass_rate_answered_only"] == pytest.approx(5 / 6)


def test_rows_are_by_provider_model_suite_and_task() -> None:
    records = [
        make_record(),
        make_record(suite="geometry", task="LOCATE"),
        make_record(suite="geometry", task="COUNT"),
        make_record(model="a"),
    ]
    rows = leaderboard_rows(records, edition="v5")
    assert [(row["model"], row["suite"], row["task"], row["edition"]) for row in rows] == [
        ("a", "plotchain", None, "v5"),
        ("gpt-x", "geometry", "COUNT", None),
        ("gpt-x", "geometry", "LOCATE", None),
        ("gpt-x", "plotchain", None, "v5"),
    ]


def test_published_run(published_plotchain: Path) -> None:
    row = one_row(published_records(published_plotchain, "gpt41_plotread_20260104_temp0"))
    assert (row["items_n"], row["field_n"], row["final_n"], row["checkpoint_n"]) == (450, 1721, 1020, 701)
    assert row["item_pass_rate"] == pytest.approx(308 / 450)
    assert (row["item_pass_low"], row["item_pass_high"]) == pytest.approx((0.6401, 0.7257), abs=5e-5)
    assert isinstance(row["field_pass_low"], float)
    assert isinstance(row["field_pass_high"], float)
    clustered = row["field_pass_high"] - row["field_pass_low"]
    assert clustered > 1.4 * 2 * 1.96 * (0.798373 * 0.201627 / 1721) ** 0.5


def test_no_fields_leave_the_rates_empty() -> None:
    row = one_row([make_record(checkpoint_fields=())])
    assert (row["checkpoint_n"], row["checkpoint_pass_rate"], row["checkpoint_pass_low"]) == (0, None, None)


def priced(cost: float | None) -> Response:
    return Response(
        status="answered", text=RIGHT.text, usage=Usage(input_tokens=10, output_tokens=3, cost_usd=cost)
    )


@pytest.mark.parametrize(
    ("replies", "cost"),
    [
        ([priced(0.25), priced(0.5)], 0.75),
        ([priced(0.25), priced(None)], None),
        ([priced(0.25), failed()], None),
        ([failed()], None),
        ([priced(0.0)], 0.0),
    ],
)
def test_cost_is_empty_when_a_price_is_unknown(replies: list[Response], cost: float | None) -> None:
    assert one_row(repeats(*replies))["cost_usd"] == cost


def test_prices_may_come_from_elsewhere() -> None:
    records = repeats(priced(None), priced(None))
    (row,) = leaderboard_rows(records, edition="v4", cost_usd=lambda record: 1.0 + record.repeat)
    assert (row["cost_usd"], row["input_tokens"], row["reasoning_tokens"]) == (3.0, 20, None)


def test_the_file_has_the_fixed_columns(tmp_path: Path) -> None:
    path = tmp_path / "run" / "leaderboard.csv"
    write_leaderboard(path, [make_record()], edition="v4")
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        (row,) = reader
    assert tuple(reader.fieldnames or ()) == LEADERBOARD.columns
    assert (row["task"], row["item_pass_rate"], row["cost_usd"]) == ("", "1.0", "")


def test_unscored_replies_are_in_no_rate_and_counted_apart() -> None:
    unscored = Score(
        fields=(), parsed=True, answer=None, rule="", unscored=Unscored(cause="design", why="a proof")
    )
    records = [make_record(), make_record(item_id="other", case_id="other", score=unscored)]
    (row,) = leaderboard_rows(records, edition="v4")
    assert (row["asked_n"], row["items_n"], row["item_pass_rate"], row["unscored_n"]) == (2, 1, 1.0, 1)
    lines = format_summary(records)
    assert [line[32:].split()[0] for line in lines[1:3]] == ["1/1", "1/1"]
    assert "1 unscored, neither right nor wrong: a proof" in lines
