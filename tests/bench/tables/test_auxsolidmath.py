"""The solid-geometry tables: three kinds of items, two modes, pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from bench.models.types import Drawing, Response
from bench.tables.auxsolidmath import (
    METRICS,
    metric_value,
    paired_rows,
    per_item_rows,
    summary_rows,
    write_auxsolidmath_tables,
)
from scorers.score import FieldScore, Score, Unscored
from tests.bench.tables.records import make_record

if TYPE_CHECKING:
    from pathlib import Path

    from bench.results.record import Record
    from bench.tables.csv_files import Cell

DRAWN = Drawing(status="ok", source="openai:draw", diagnostics={"ink_kept": 0.9})
BLANK = Drawing(status="blank", source="openai:draw", note="no line in it")


def field(name: str, passed: bool) -> FieldScore:
    return FieldScore(
        field=name, scope="final", prediction=float(passed), truth=1.0, abs_err=float(not passed),
        rel_err=None, abs_tol=0.0, rel_tol=0.0, passed=passed, why=f"{name} {passed}",
    )  # fmt: skip


def judged(rigorous: bool, correct: bool) -> Score:
    fields = (field("reasoning_rigorous", rigorous), field("conclusion_correct", correct))
    return Score(fields=fields, parsed=True, answer={"text_reason": "why"}, rule="judge")


def exact(correct: bool) -> Score:
    answer: dict[str, object] = {"found": "1/2", "verdict": "exact"}
    return Score(fields=(field("conclusion_correct", correct),), parsed=True, answer=answer, rule="boxed")


def unscored(cause: Any) -> Score:
    return Score(fields=(), parsed=True, answer=None, rule="", unscored=Unscored(cause=cause, why=f"by {cause}"))


def record(score: Score, item: str = "auxsolidmath_easy-G01-000", **changes: Any) -> Record:
    two_stage = changes.pop("two_stage", False)
    return make_record(
        changes.pop("reply", Response(status="answered", text="t", latency_s=1.0)),
        **{
            "score": score,
            "item_id": item,
            "case_id": item,
            "suite": "auxsolidmath",
            "family": item.split("-")[1],
            "task": "auxsolidmath_easy" + ("_visual_cot" if two_stage else ""),
            "difficulty": "easy",
            "policy": "exact",
            "about": {"kind": "CALCULATION", "given_in": "text", "answer": "1/2", "answer_kind": "number"},
            **changes,
        },
    )


def found(records: list[Record], metric: str, **where: str) -> dict[str, Cell]:
    wanted = {"group_by": "all", "replies": "all", "metric": metric, **where}
    (row,) = [row for row in summary_rows(records) if all(row[name] == text for name, text in wanted.items())]
    return row


@pytest.mark.parametrize(
    ("score", "values"),
    [
        (judged(True, True), (True, True, True)),
        (judged(False, True), (False, False, True)),
        (judged(True, False), (False, True, False)),
        (exact(True), ("design", "design", True)),
        (exact(False), ("design", "design", False)),
        (unscored("design"), ("design", "design", "design")),
        (unscored("judge"), ("judge", "judge", "judge")),
    ],
)
def test_a_metric_holds_or_says_why_it_is_unknown(score: Score, values: tuple[Any, ...]) -> None:
    assert tuple(metric_value(record(score), metric) for metric in METRICS) == values


def test_an_unknown_metric_is_refused() -> None:
    with pytest.raises(ValueError, match=r"expected a metric out of auxsolidmath_text_acc, .* got 'acc'"):
        metric_value(record(exact(True)), "acc")


def test_under_exact_the_headline_is_the_conclusion_over_calculations() -> None:
    records = [record(exact(True)), record(exact(False), "auxsolidmath_easy-G01-001")]
    records.append(record(unscored("design"), "auxsolidmath_easy-G06-000", about={"kind": "PROVING"}))
    row = found(records, "conclusion_correct")
    assert [row[name] for name in ("n", "by_design_n", "unscored_n", "scored_n", "coverage", "rate")] == [
        3, 1, 0, 2, 1.0, 0.5,
    ]  # fmt: skip
    text_acc = found(records, "auxsolidmath_text_acc")
    assert (text_acc["rate"], text_acc["coverage"], text_acc["by_design_n"]) == (None, None, 3)


def test_a_missing_verdict_lowers_coverage_and_not_the_rate() -> None:
    records = [record(judged(True, True)), record(unscored("judge"), "auxsolidmath_easy-G01-001")]
    row = found(records, "auxsolidmath_text_acc")
    assert (row["rate"], row["coverage"], row["unscored_n"]) == (1.0, 0.5, 1)


def test_repeats_count_by_majority_of_those_that_are_scored() -> None:
    scores = [judged(True, True), unscored("judge"), judged(True, True), judged(False, True)]
    records = [record(score, repeat=place) for place, score in enumerate(scores)]
    row = found(records, "auxsolidmath_text_acc")
    assert (row["n"], row["scored_n"], row["rate"]) == (1, 1, 1.0)


def test_undrawn_cases_are_wrong_over_all_and_left_out_over_those_with_a_drawing() -> None:
    none = Response(status="refused", finish_reason="first stage: blank", attempts=0)
    records = [
        record(judged(True, True), two_stage=True, drawing=DRAWN),
        record(judged(False, False), "auxsolidmath_easy-G01-001", two_stage=True, drawing=BLANK, reply=none),
    ]
    everything = found(records, "auxsolidmath_text_acc")
    seen = found(records, "auxsolidmath_text_acc", replies="with_drawing")
    assert (everything["rate"], everything["drawing_ok_n"], everything["drawing_blank_n"]) == (0.5, 1, 1)
    assert (seen["n"], seen["rate"]) == (1, 1.0)
    rows = per_item_rows(records)
    assert [row["status"] for row in rows] == ["answered", "undrawn"]
    assert [row["ink_kept"] for row in rows] == [0.9, None]


def test_groups_are_task_family_difficulty_kind_and_where_lengths_stand() -> None:
    rows = summary_rows([record(exact(True)), record(exact(True), "auxsolidmath_easy-G10-000")])
    assert {(row["group_by"], row["group"]) for row in rows} == {
        ("all", "all"),
        ("task", "auxsolidmath_easy"),
        ("family", "G01"),
        ("family", "G10"),
        ("difficulty", "easy"),
        ("kind", "CALCULATION"),
        ("given_in", "text"),
    }


def test_modes_are_compared_item_by_item() -> None:
    old = {"000": True, "001": True, "002": False, "003": False}
    new = {"000": True, "001": False, "002": True, "004": True}
    records = [record(exact(passed), f"auxsolidmath_easy-G01-{at}") for at, passed in old.items()]
    records += [
        record(exact(passed), f"auxsolidmath_easy-G01-{at}", two_stage=True, drawing=DRAWN)
        for at, passed in new.items()
    ]
    (row,) = [
        row
        for row in paired_rows(records)
        if (row["difficulty"], row["replies"], row["metric"]) == ("all", "all", "conclusion_correct")
    ]
    names = ("pairs_n", "direct_rate", "visual_cot_rate", "difference", "gained", "lost", "shown")
    assert [row[name] for name in names] == [3, 2 / 3, 2 / 3, 0.0, 1, 1, "openai:draw"]
    assert isinstance(row["low"], float)
    assert isinstance(row["high"], float)
    assert row["low"] < 0 < row["high"]


def test_a_request_that_failed_is_no_loss_of_the_drawing() -> None:
    lost = Response(status="failed", failure="server", error="down")
    records = [
        record(exact(True)),
        record(exact(False), two_stage=True, reply=lost, drawing=Drawing(status="failed", source="x")),
    ]
    assert paired_rows(records) == []


def test_one_mode_alone_has_no_pairs(tmp_path: Path) -> None:
    records = [record(exact(True))]
    assert paired_rows(records) == []
    write_auxsolidmath_tables(records, tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"per_item.csv", "summary.csv"}


def test_the_reason_of_the_part_that_fails_is_shown() -> None:
    texts = [per_item_rows([record(score)])[0]["why"] for score in (judged(True, False), unscored("judge"))]
    assert texts == ["conclusion_correct False", "by judge"]
