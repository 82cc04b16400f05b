"""PlotChain's tables: equal to the published ones, and what each status does to them."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING, Any

import pytest

from bench.models.types import Response
from bench.tables.plotchain import (
    ITEM_LEVEL,
    OVERALL,
    PER_ITEM,
    SUMMARY,
    item_level_rows,
    overall_rows,
    per_item_rows,
    summary_rows,
    write_plotchain_tables,
)
from tests.bench.tables.records import answer, failed, make_record, published_records

if TYPE_CHECKING:
    from pathlib import Path

    from bench.tables.csv_files import Table
    from scorers.tolerances import Policy

TABLES: dict[str, Table[Any]] = {
    "per_item.csv": PER_ITEM,
    "item_level.csv": ITEM_LEVEL,
    "summary.csv": SUMMARY,
    "overall.csv": OVERALL,
}
GPT41, GPT4O = "gpt41_plotread_20260104_temp0", "gpt4o_plotread_20260104_temp0"
KEYS = ("provider", "model", "type", "scope", "id", "field")


def _table(path: Path, columns: tuple[str, ...]) -> dict[tuple[str, ...], list[str | float]]:
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    found = {
        tuple(row[key] for key in KEYS if key in columns): [_value(row[column]) for column in columns]
        for row in rows
    }
    assert len(found) == len(rows)
    return found


def _value(cell: str) -> str | float:
    try:
        return float(cell)
    except ValueError:
        return cell


@pytest.mark.parametrize("run", [GPT41, GPT4O])
def test_replayed_raw_files_give_the_published_tables(published_plotchain: Path, tmp_path: Path, run: str) -> None:
    write_plotchain_tables(published_records(published_plotchain, run), tmp_path)
    for name, table in TABLES.items():
        published = published_plotchain / "results" / run / name
        columns = tuple(published.read_text(encoding="utf-8").splitlines()[0].split(","))
        assert table.columns[: len(columns)] == columns
        theirs, ours = _table(published, columns), _table(tmp_path / name, columns)
        assert ours.keys() == theirs.keys()
        for key, row in theirs.items():
            assert ours[key] == [
                pytest.approx(value, rel=1e-12, abs=1e-12) if isinstance(value, float) else value for value in row
            ]


@pytest.mark.parametrize(
    ("run", "policy", "item_final", "item_checkpoint"),
    [
        (GPT41, "plotread", 0.6844444444, 0.7076923077),
        (GPT4O, "plotread", 0.3244444444, 0.5923076923),
        (GPT41, "strict", 0.6356, None),
        (GPT4O, "strict", 0.3044, None),
    ],
)
def test_item_rates_are_over_the_items_that_have_such_fields(
    published_plotchain: Path, run: str, policy: Policy, item_final: float, item_checkpoint: float | None
) -> None:
    (row,) = overall_rows(published_records(published_plotchain, run, policy))
    assert row["policy"] == policy
    assert row["item_final_pass_rate"] == pytest.approx(item_final, abs=5e-5)
    assert row["item_checkpoint_n"] == 390
    if item_checkpoint is not None:
        assert row["item_checkpoint_pass_rate"] == pytest.approx(item_checkpoint, abs=5e-11)


def test_a_published_empty_text_is_kept_apart_and_counts_as_wrong() -> None:
    """A published run of another model holds empty texts with error null, scored as misreads."""
    records = [make_record(), make_record(Response(status="answered"), item_id="bode_magnitude_001")]
    (row,) = overall_rows(records)
    assert (row["answered_n"], row["unparsed_n"], row["n"]) == (1, 1, 6)
    assert (row["overall_pass_rate"], row["answered_pass_rate"], row["null_rate"]) == (0.5, 1.0, 0.5)
    assert (row["mean_abs_err"], row["item_final_pass_rate"]) == (0.0, 0.5)


@pytest.mark.parametrize(
    ("reply", "status", "why", "error"),
    [
        (Response(status="refused", text="no"), "refused", "no reply", None),
        (Response(status="truncated", text=answer().text), "truncated", "no reply", None),
        (Response(status="answered", text="I see a plot."), "unparsed", "no JSON object", None),
        (failed("=HYPERLINK(...)"), "failed", "no reply", "=HYPERLINK(...)"),
    ],
)
def test_each_way_of_not_answering_has_its_rows(reply: Response, status: str, why: str, error: str | None) -> None:
    rows = per_item_rows([make_record(reply)])
    assert len(rows) == 3
    for row in rows:
        assert (row["status"], row["why"], row["error"], row["pred"], row["pass"]) == (
            status,
            why,
            error,
            None,
            False,
        )
    (item,) = item_level_rows([make_record(reply)])
    assert (item["final_null_n"], item["checkpoint_null_n"], item["all_final_pass"]) == (2, 1, False)


def test_a_servers_text_is_no_formula_in_the_file(tmp_path: Path) -> None:
    write_plotchain_tables([make_record(failed("=cmd|' /C calc'!A0"), model="-x")], tmp_path)
    with (tmp_path / "per_item.csv").open(encoding="utf-8", newline="") as file:
        row = next(csv.DictReader(file))
    assert (row["error"], row["model"]) == ("'=cmd|' /C calc'!A0", "'-x")


def test_an_item_without_checkpoints_passes_them_all_but_leaves_their_rate() -> None:
    bare = make_record(checkpoint_fields=())
    (item,) = item_level_rows([bare])
    assert (item["checkpoint_n"], item["all_checkpoint_pass"]) == (0, True)
    (row,) = overall_rows([bare])
    assert (row["item_checkpoint_n"], row["item_checkpoint_pass_rate"]) == (0, None)
    assert (row["checkpoint_n"], row["checkpoint_pass_rate"]) == (0, None)


def test_right_finals_with_a_wrong_checkpoint_are_marked() -> None:
    guess = make_record(answer(cp_mag_at_fc_db=0.0))
    (item,) = item_level_rows([guess])
    assert item["finals_pass_checkpoints_fail"] is True
    (row,) = overall_rows([guess])
    assert row["finals_pass_checkpoints_fail_n"] == 1


def test_summary_splits_by_difficulty_and_shows_bias() -> None:
    records = [
        make_record(answer(cutoff_hz=104.0)),
        make_record(answer(cutoff_hz=90.0), item_id="bode_magnitude_001", difficulty="edge"),
        make_record(answer(cutoff_hz=None), item_id="bode_magnitude_002", difficulty="edge"),
    ]
    rows = {row["field"]: row for row in summary_rows(records)}
    row = rows["cutoff_hz"]
    assert (row["clean_pass_rate"], row["moderate_pass_rate"], row["edge_pass_rate"]) == (1.0, None, 0.0)
    assert (row["mean_signed_err"], row["mean_abs_err"], row["median_abs_err"]) == (-3.0, 7.0, 7.0)
    assert [row["null_rate"], row["pass_rate"]] == pytest.approx([1 / 3, 1 / 3])
    assert [(row["scope"], row["field"]) for row in summary_rows(records)] == [
        ("checkpoint", "cp_mag_at_fc_db"),
        ("final", "cutoff_hz"),
        ("final", "dc_gain_db"),
    ]


def test_rows_are_sorted_by_item_number_model_and_repeat() -> None:
    order = [("x_2", "b", 0), ("x_10", "a", 0), ("x_2", "a", 1), ("x_2", "a", 0)]
    records = [make_record(item_id=item, model=model, repeat=repeat) for item, model, repeat in order]
    found = [(row["id"], row["model"], row["repeat"]) for row in item_level_rows(records)]
    assert found == [("x_2", "a", 0), ("x_2", "a", 1), ("x_2", "b", 0), ("x_10", "a", 0)]


def test_other_suites_stay_out_of_the_files(tmp_path: Path) -> None:
    paths = write_plotchain_tables([make_record(suite="geometry")], tmp_path)
    assert [path.name for path in paths] == ["per_item.csv", "item_level.csv", "summary.csv", "overall.csv"]
    for path in paths:
        assert len(path.read_text(encoding="utf-8").splitlines()) == 1


def test_hostile_answers_do_not_break_the_tables(tmp_path: Path) -> None:
    texts: list[Any] = [1e308, -1e308, "=1+1", "\ud800", None, [], {}, 10**30, True]
    records = [make_record(answer(cutoff_hz=value), repeat=place) for place, value in enumerate(texts)]
    for path in write_plotchain_tables(records, tmp_path):
        with path.open(encoding="utf-8", newline="") as file:
            assert list(csv.DictReader(file))
    assert json.dumps([record.to_json() for record in records], allow_nan=False)
