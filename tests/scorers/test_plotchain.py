"""Scoring a PlotChain reply: boundaries, what counts as a number, and the published figures."""

from __future__ import annotations

import csv
import json
import math
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from scorers.plotchain import score_plotchain
from scorers.tolerances import POLICIES, TABLE, Policy, Tolerance

if TYPE_CHECKING:
    from pathlib import Path

    from scorers.score import FieldScore, Score

STEP_TRUTH: dict[str, object] = {
    "percent_overshoot": 52.4,
    "settling_time_s": 1.65,
    "steady_state": 1.0,
    "cp_peak_time_s": 0.8,
}
STEP_FINALS = ("percent_overshoot", "settling_time_s", "steady_state")
STEP_CHECKPOINTS = ("cp_peak_time_s", "cp_not_in_truth")


def score_step(text: str | None, **more: Any) -> Score:
    return score_plotchain(
        text,
        family="step_response",
        truth=STEP_TRUTH,
        final_fields=STEP_FINALS,
        checkpoint_fields=STEP_CHECKPOINTS,
        policy=more.pop("policy", "plotread"),
        **more,
    )


def settling(value: object, **more: Any) -> FieldScore:
    return score_step(json.dumps({"settling_time_s": value}), **more).fields[1]


def one_field(family: str, field: str, truth: float, prediction: float, policy: Policy) -> FieldScore:
    found = score_plotchain(
        json.dumps({field: prediction}),
        family=family,
        truth={field: truth},
        final_fields=[field],
        checkpoint_fields=[],
        policy=policy,
    )
    return found.fields[0]


def test_fields_are_finals_then_checkpoints_that_the_truth_has() -> None:
    found = score_step("{}")
    assert [(row.field, row.scope) for row in found.fields] == [
        ("percent_overshoot", "final"),
        ("settling_time_s", "final"),
        ("steady_state", "final"),
        ("cp_peak_time_s", "checkpoint"),
    ]


def test_an_answer_equal_to_the_truth_passes() -> None:
    found = score_step(json.dumps(STEP_TRUTH))
    assert found.passed
    assert found.checkpoints_passed
    assert found.answer == STEP_TRUTH
    assert found.rule == "direct"
    assert found.fields[0].why == "|error| 0 <= 3.668"


def test_plain_doubles_without_slack_decide_at_the_boundary() -> None:
    """2.0 is 0.35 from 1.65 on paper and 0.3500000000000001 in doubles: a published fail."""
    row = settling(2.0)
    assert not row.passed
    assert row.why == "|error| 0.3500000000000001 > 0.35"


@pytest.mark.parametrize(
    ("bound", "why"),
    [
        (Tolerance(absolute=0.25, relative=0.0), "|error| 0.25 <= 0.25"),
        (Tolerance(absolute=0.0, relative=0.125), "|error| 0.25 <= 0.25"),
    ],
)
def test_both_boundaries_are_inclusive(bound: Tolerance, why: str) -> None:
    score = score_plotchain(
        '{"settling_time_s": 2.25}',
        family="step_response",
        truth={"settling_time_s": 2.0},
        final_fields=["settling_time_s"],
        checkpoint_fields=[],
        policy="plotread",
        tolerances={"settling_time_s": bound},
    )
    assert score.passed
    assert score.fields[0].why == why


def test_an_items_own_tolerances_come_before_the_table() -> None:
    score = score_step(json.dumps(STEP_TRUTH), tolerances={"steady_state": Tolerance(absolute=9.0, relative=8.0)})
    assert [row.abs_tol for row in score.fields] == [2.5, 0.35, 9.0, 0.1]


def test_either_bound_is_enough() -> None:
    assert one_field("step_response", "percent_overshoot", 100.0, 106.0, "plotread").passed
    assert one_field("step_response", "percent_overshoot", 1.0, 3.2, "plotread").passed
    assert not one_field("step_response", "percent_overshoot", 1.0, 3.2, "strict").passed


def test_strict_is_stricter() -> None:
    assert settling(1.93).passed
    assert not settling(1.93, policy="strict").passed


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (None, "no number: null"),
        (True, "no number: true"),
        (False, "no number: false"),
        ([1.65], "no number: a list"),
        ({"value": 1.65}, "no number: an object"),
        ("52%", "no number: '52%'"),
        ("1.65 s", "no number: '1.65 s'"),
        ("", "no number: ''"),
        ("x" * 500, f"no number: '{'x' * 40}'"),
        (math.nan, "no number: 'NaN'"),
        (math.inf, "no number: 'Infinity'"),
    ],
)
def test_no_number_is_a_fail_that_is_counted(value: object, why: str) -> None:
    row = settling(value)
    assert (row.prediction, row.abs_err, row.rel_err, row.passed) == (None, None, None, False)
    assert row.why == why


def test_a_missing_field_is_a_fail_that_is_counted() -> None:
    row = score_step('{"steady_state": 1}').fields[1]
    assert (row.prediction, row.passed, row.why) == (None, False, "no number: field missing")


def test_a_plain_number_in_quotes_is_a_number() -> None:
    row = settling(" 1.65 ")
    assert row.prediction == 1.65
    assert row.passed
    assert row.why == "|error| 0 <= 0.35"


@pytest.mark.parametrize("text", ["", "I cannot see the image.", "[1, 2]", "{"])
def test_a_text_without_an_object_is_unparsed(text: str) -> None:
    found = score_step(text)
    assert not found.parsed
    assert not found.passed
    assert {row.why for row in found.fields} == {"no JSON object"}


def test_no_reply_fails_every_field() -> None:
    found = score_step(None, stored_answer=STEP_TRUTH)
    assert (found.parsed, found.answer, found.rule, found.passed) == (False, None, "no reply", False)
    assert {row.why for row in found.fields} == {"no reply"}


def test_a_stored_answer_stands_in_for_a_text_without_an_object() -> None:
    found = score_step("", stored_answer={**STEP_TRUTH, "huge": 10**400})
    assert found.parsed
    assert found.passed
    assert found.rule == "stored answer"


def test_the_text_comes_before_a_stored_answer() -> None:
    found = score_step('{"settling_time_s": 9}', stored_answer=STEP_TRUTH)
    assert not found.passed


def test_an_error_beyond_the_doubles_is_left_out_of_means() -> None:
    row = one_field("pole_zero", "pole_imag", 0.0, 1e300, "plotread")
    assert (row.prediction, row.abs_err, row.rel_err, row.passed) == (1e300, 1e300, None, False)


@pytest.mark.parametrize("truth", [None, True, "1", math.nan, math.inf])
def test_a_truth_must_be_a_finite_number(truth: object) -> None:
    with pytest.raises(ValueError, match=r"the truth of 'x' must be a finite number, got "):
        score_plotchain(
            "{}", family="f", truth={"x": truth}, final_fields=["x"], checkpoint_fields=[], policy="strict"
        )


@given(st.text(), st.sampled_from(POLICIES))
def test_any_text_gets_a_score(text: str, policy: Policy) -> None:
    found = score_step(text, policy=policy)
    assert len(found.fields) == 4
    assert found.parsed == (found.answer is not None)


ROWS = st.sampled_from([(family, field) for family, fields in TABLE.items() for field in fields])
TRUTHS = st.floats(min_value=-1e4, max_value=1e4).map(lambda value: round(value, 3))


def _forms(field: str, value: float) -> list[str]:
    return [
        json.dumps({field: value}),
        json.dumps({field: repr(value)}),
        f"```json\n{{\n  {json.dumps(field)}: {value!r}  // unit,\n}}\n```",
        f"{{'{field}': {value!r},}}",
        f'Reading the axes gives {{"{field}": {value!r}/1}}.',
        f'<think>{{"{field}": 1e9}}</think>{{"answer": {{"{field}": {value!r}}}}}',
    ]


@given(row=ROWS, truth=TRUTHS, policy=st.sampled_from(POLICIES))
def test_the_truth_in_any_accepted_form_passes(row: tuple[str, str], truth: float, policy: Policy) -> None:
    family, field = row
    for text in _forms(field, truth):
        found = score_plotchain(
            text,
            family=family,
            truth={field: truth},
            final_fields=[field],
            checkpoint_fields=[],
            policy=policy,
        )
        assert found.passed, text
        assert found.fields[0].abs_err == 0.0


@given(
    row=ROWS, truth=TRUTHS, share=st.floats(0, 1), offset=st.floats(-1e4, 1e4), policy=st.sampled_from(POLICIES)
)
def test_a_closer_prediction_never_fails_where_a_farther_one_passes(
    row: tuple[str, str], truth: float, share: float, offset: float, policy: Policy
) -> None:
    family, field = row
    far, near = truth + offset, truth + share * offset
    assume(abs(near - truth) <= abs(far - truth))
    if one_field(family, field, truth, far, policy).passed:
        assert one_field(family, field, truth, near, policy).passed


PUBLISHED = {
    ("gpt41_plotread_20260104_temp0", "plotread"): (0.7983730389, 0.8186274510, 0.7689015692, 0.6844444444),
    ("gpt4o_plotread_20260104_temp0", "plotread"): (0.6159209762, 0.5696078431, 0.6833095578, 0.3244444444),
    ("gpt41_plotread_20260104_temp0", "strict"): (0.7734, 0.7863, 0.7546, 0.6356),
    ("gpt4o_plotread_20260104_temp0", "strict"): (0.5979, 0.5471, 0.6719, 0.3044),
}


def _scores(release: Path, run: str, policy: Policy) -> dict[str, Score]:
    with (release / "plotchain.jsonl").open(encoding="utf-8") as file:
        items = {item["id"]: item for item in map(json.loads, file)}
    (raw,) = (release / "results" / run).glob("raw_*.jsonl")
    with raw.open(encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return {
        row["id"]: score_plotchain(
            row["raw_text"],
            family=row["type"],
            truth=items[row["id"]]["ground_truth"],
            final_fields=items[row["id"]]["generation"]["final_fields"],
            checkpoint_fields=items[row["id"]]["generation"]["checkpoint_fields"],
            policy=policy,
        )
        for row in rows
    }


def _rate(flags: list[bool]) -> float:
    return sum(flags) / len(flags)


@pytest.mark.parametrize(("run", "policy"), list(PUBLISHED))
def test_published_rates_are_reproduced(published_plotchain: Path, run: str, policy: Policy) -> None:
    scores = _scores(published_plotchain, run, policy)
    rows = [row for score in scores.values() for row in score.fields]
    figures = (
        _rate([row.passed for row in rows]),
        _rate([row.passed for row in rows if row.scope == "final"]),
        _rate([row.passed for row in rows if row.scope == "checkpoint"]),
        _rate([score.passed for score in scores.values()]),
    )
    digits = 1e-10 if policy == "plotread" else 5e-5
    assert figures == pytest.approx(PUBLISHED[run, policy], abs=digits)


@pytest.mark.parametrize("run", sorted({run for run, _ in PUBLISHED}))
def test_published_verdicts_are_reproduced_row_by_row(published_plotchain: Path, run: str) -> None:
    ours = {
        (item, row.field): (row.passed, row.prediction)
        for item, score in _scores(published_plotchain, run, "plotread").items()
        for row in score.fields
    }
    with (published_plotchain / "results" / run / "per_item.csv").open(encoding="utf-8") as file:
        published = {
            (row["id"], row["field"]): (row["pass"] == "True", float(row["pred"]) if row["pred"] else None)
            for row in csv.DictReader(file)
        }
    assert ours == published
