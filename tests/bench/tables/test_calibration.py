"""A judge against labels: agreement, kappa, false accepts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bench.models.types import Response
from bench.tables.calibration import agreement, calibration_rows, calibration_text, write_calibration
from scorers.score import FieldScore, Score, Unscored
from tests.bench.tables.records import make_record

if TYPE_CHECKING:
    from pathlib import Path

    from bench.results.record import Record


def verdict(said: bool, label: bool, place: int, family: str = "right") -> Record:
    field = FieldScore(
        field="text_ok", scope="final", prediction=float(said), truth=float(label), abs_err=float(said != label),
        rel_err=None, abs_tol=0.0, rel_tol=0.0, passed=said == label, why="",
    )  # fmt: skip
    score = Score(fields=(field,), parsed=True, answer=None, rule="judge")
    return case(score, place, family)


def case(score: Score, place: int, family: str) -> Record:
    reply = Response(status="answered", text="t")
    return make_record(reply, score=score, item_id=f"c-{place}", suite="calibration", family=family, model="j")


NONE = Score(fields=(), parsed=True, answer=None, rule="", unscored=Unscored(cause="judge", why="no verdict"))
# 20 good ones accepted, 5 rejected; 10 bad ones accepted, 15 rejected: Cohen's textbook example, kappa 0.4.
COUNTS = {(True, True): 20, (False, True): 5, (True, False): 10, (False, False): 15}
RECORDS = [
    verdict(said, label, place)
    for (said, label), n in COUNTS.items()
    for place in range(100 * (2 * said + label), 100 * (2 * said + label) + n)
]


def test_agreement_kappa_and_false_accepts() -> None:
    found = agreement(RECORDS)
    assert found.agreeing.rate == 0.7
    assert found.kappa == pytest.approx(0.4)
    assert found.false_accepts.rate == 0.4
    assert found.unscored == 0


def test_a_judge_that_says_nothing_usable_has_no_figures() -> None:
    found = agreement([case(NONE, 0, "right")])
    assert (found.scored, found.unscored, found.kappa, found.agreeing.rate) == (0, 1, None, None)
    assert (
        "0 of 1 verdicts usable; agreement unknown, kappa not defined" in calibration_text([case(NONE, 0, "x")])[0]
    )


@pytest.mark.parametrize("label", [True, False])
def test_kappa_is_not_defined_where_all_labels_are_alike(label: bool) -> None:
    assert agreement([verdict(True, label, 0), verdict(False, label, 1)]).kappa is None


def test_accepting_everything_is_found_out() -> None:
    records = [verdict(True, at < 3, at) for at in range(10)]
    found = agreement(records)
    assert (found.false_accepts.rate, found.kappa) == (1.0, 0.0)


def test_rows_are_for_all_and_for_each_kind(tmp_path: Path) -> None:
    records = [verdict(True, True, 0), verdict(False, False, 1, "gap"), case(NONE, 2, "gap")]
    rows = calibration_rows(records)
    assert [(row["kind"], row["n"], row["scored_n"]) for row in rows] == [
        ("all", 3, 2),
        ("gap", 2, 1),
        ("right", 1, 1),
    ]
    write_calibration(records, tmp_path)
    assert (tmp_path / "calibration.csv").is_file()
