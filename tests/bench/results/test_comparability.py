"""What a record counts as in the gate, and how far an answer was off."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.errors import DataError, UserError
from bench.gate.baseline import read_baseline, write_baseline
from bench.models.types import Drawing, Response
from bench.options import Margins, parse_margins
from bench.results.aggregate import LARGEST, error_in_tolerances, worst_final_error
from bench.results.comparability import RESULTS, case_outcomes, models_of, outcomes_of
from bench.results.run_folder import StoredRun
from scorers.score import FieldScore, Score, Unscored
from tests.bench.gate.sides import case, run
from tests.bench.tables.records import answer, failed, make_record

if TYPE_CHECKING:
    from bench.results.record import Record


def unscored(cause: Any) -> Score:
    return Score(fields=(), parsed=True, answer=None, rule="", unscored=Unscored(cause=cause, why="no verdict"))


def undrawn(status: Any) -> Drawing:
    return Drawing(status=status, source="openai:painter")


@pytest.mark.parametrize(
    ("record", "result"),
    [
        (make_record(), "passed"),
        (make_record(answer(cutoff_hz=900.0)), "failed"),
        (make_record(Response(status="refused", text="no")), "failed"),
        (make_record(Response(status="truncated", text="{")), "failed"),
        (make_record(Response(status="answered", text="a plot")), "failed"),
        (make_record(failed()), "missing"),
        (make_record(score=unscored("design")), "unscored"),
        (make_record(score=unscored("judge")), "missing"),
        (make_record(failed(), score=unscored("design")), "missing"),
        (make_record(Response(status="refused"), drawing=undrawn("refused")), "failed"),
        (make_record(Response(status="refused"), drawing=undrawn("failed")), "missing"),
    ],
)
def test_trouble_on_the_way_is_missing_and_a_bad_answer_failed(record: Record, result: str) -> None:
    assert case_outcomes([record], 1)[0].results == (result,)


def test_repeats_that_were_not_asked_are_missing() -> None:
    (found,) = case_outcomes([make_record(repeat=2)], 3)
    assert found.results == ("missing", "missing", "passed")


def field(**changes: Any) -> FieldScore:
    values: dict[str, Any] = {
        "field": "x", "scope": "final", "prediction": 1.0, "truth": 1.0, "abs_err": 0.0, "rel_err": 0.0,
        "abs_tol": 0.5, "rel_tol": 0.1, "passed": True, "why": "",
    }  # fmt: skip
    return FieldScore(**{**values, **changes})


@pytest.mark.parametrize(
    ("row", "error"),
    [
        (field(abs_err=1.0, rel_err=0.3), 2.0),
        (field(abs_err=1.0, rel_err=0.05), 0.5),
        (field(abs_err=1.0, rel_err=None), 2.0),
        (field(abs_err=1.0, abs_tol=0.0, rel_err=0.3), pytest.approx(3.0)),
        (field(abs_err=1.0, abs_tol=0.0, rel_tol=0.0), None),
        (field(prediction=None, abs_err=None, rel_err=None), None),
        (field(abs_err=1e308, rel_err=1e308), LARGEST),
    ],
)
def test_an_error_is_counted_in_the_kinder_tolerance(row: FieldScore, error: float | None) -> None:
    assert error_in_tolerances(row) == error


def test_the_worst_final_field_counts_and_one_without_a_number_is_worse_than_any() -> None:
    rows = (
        field(abs_err=1.0, rel_err=1.0),
        field(abs_err=2.0, rel_err=1.0),
        field(scope="checkpoint", abs_err=9.0),
    )
    assert worst_final_error(Score(fields=rows, parsed=True, answer=None, rule="")) == 4.0
    lacking = (*rows, field(prediction=None, abs_err=None, rel_err=None))
    assert worst_final_error(Score(fields=lacking, parsed=True, answer=None, rule="")) is None


def stored(*records: Record, **manifest: Any) -> StoredRun:
    content = {"format": 1, "options": {"repeats": 1}, "models": [{}], "items": {}, "scorers_sha256": "ab"}
    return StoredRun(path=Path("run"), manifest={**content, **manifest}, records=records, truths={})


def test_one_of_several_models_is_chosen_by_either_name() -> None:
    both = stored(make_record(), make_record(model="gpt-y", case_id="b"))
    assert models_of(both) == [("openai", "gpt-x"), ("openai", "gpt-y")]
    for name in ("gpt-y", "openai:gpt-y"):
        assert outcomes_of(both, label="RUN", model=name).model == "gpt-y"
    with pytest.raises(UserError, match="RUN: holds results of openai:gpt-x, openai:gpt-y; the gate compares one"):
        outcomes_of(both, label="RUN")
    with pytest.raises(
        UserError, match="RUN: expected one model 'z', found results of openai:gpt-x, openai:gpt-y"
    ):
        outcomes_of(both, label="RUN", model="z")
    with pytest.raises(UserError, match="RUN: holds no result that could be compared"):
        outcomes_of(stored(), label="RUN")


def test_a_judge_that_was_calibrated_is_no_model_of_the_run() -> None:
    judged = stored(make_record(), make_record(suite="calibration", model="judge"))
    assert outcomes_of(judged, label="RUN").model == "gpt-x"


def test_verdicts_are_part_of_what_a_run_cost() -> None:
    assert outcomes_of(stored(make_record(), cost_usd=2.0), label="RUN").cost_usd == 2.0
    judged = stored(make_record(), cost_usd=2.0, judged={"cost_usd": 0.5})
    assert outcomes_of(judged, label="RUN").cost_usd == 2.5
    unknown = stored(make_record(), cost_usd=2.0, judged={"cost_usd": None})
    assert outcomes_of(unknown, label="RUN").cost_usd is None


TEXTS = st.text(max_size=12)
CASES = st.builds(
    lambda results, errors, **named: case(
        named.pop("item_id"), *results, errors=tuple(errors[: len(results)]), **named
    ),
    st.lists(st.sampled_from(RESULTS), min_size=1, max_size=3),
    st.lists(st.none() | st.floats(0, 1e6), min_size=3, max_size=3),
    suite=TEXTS,
    family=TEXTS,
    item_id=TEXTS,
    task=st.none() | TEXTS,
)


@given(st.lists(CASES, max_size=5))
def test_a_baseline_comes_back_equal(tmp_path_factory: pytest.TempPathFactory, cases: list[Any]) -> None:
    file = tmp_path_factory.mktemp("baseline") / "b.json"
    before = run(cases)
    write_baseline(file, before)
    assert read_baseline(file, label=before.label) == before


def test_a_baseline_with_a_broken_case_names_it(tmp_path: Path) -> None:
    write_baseline(tmp_path / "b.json", run([case(), case("x_2")]))
    text = (tmp_path / "b.json").read_text("utf-8")
    (tmp_path / "b.json").write_text(text.replace('["passed"]', '["won"]', 1), "utf-8")
    with pytest.raises(
        DataError, match=r"b\.json: the baseline cannot be read: ValueError: case 0: case 'step_resp"
    ):
        read_baseline(tmp_path / "b.json", label="OLD")


def test_margins_are_read_as_overall_and_suite() -> None:
    assert parse_margins("4/8") == Margins(overall=4.0, suite=8.0)
    assert parse_margins("2.5") == Margins(overall=2.5, suite=2.5)
    assert parse_margins(" Strict ") == Margins(overall=2.0, suite=2.0)


@pytest.mark.parametrize("text", ["", "4/", "/8", "0/8", "-1/8", "4/101", "nan/8", "inf", "4/8/9", "lax"])
def test_anything_else_is_no_margin(text: str) -> None:
    with pytest.raises(ValueError, match="points above 0 and up to 100 as overall/suite"):
        parse_margins(text)
