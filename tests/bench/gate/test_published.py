"""The two published models against each other, and one of them against itself with a few answers turned round."""

from __future__ import annotations

import dataclasses
import random
from typing import TYPE_CHECKING

import pytest

from bench.gate.baseline import read_baseline, write_baseline
from bench.gate.decision import decide
from bench.options import parse_margins
from bench.results.comparability import case_outcomes
from tests.bench.gate.sides import flipped, run
from tests.bench.tables.records import published_records

if TYPE_CHECKING:
    from pathlib import Path

    from bench.results.comparability import RunOutcomes

LOST_BY_THE_OLDER_MODEL = {
    "bode_magnitude",
    "bode_phase",
    "pole_zero",
    "pump_curve",
    "sn_curve",
    "spectrogram",
    "step_response",
    "torque_speed",
}


@pytest.fixture(scope="module")
def older(published_plotchain: Path) -> RunOutcomes:
    return run(case_outcomes(published_records(published_plotchain, "gpt4o_plotread_20260104_temp0"), 1))


@pytest.fixture(scope="module")
def newer(published_plotchain: Path) -> RunOutcomes:
    cases = case_outcomes(published_records(published_plotchain, "gpt41_plotread_20260104_temp0"), 1)
    return run(cases, label="NEW")


@pytest.mark.parametrize("margin", ["6", "4/8", "strict"])
def test_the_newer_model_is_an_upgrade(older: RunOutcomes, newer: RunOutcomes, margin: str) -> None:
    result = decide(older, newer, margins=parse_margins(margin))
    assert (result.verdict, len(result.newly_failing), len(result.newly_passing)) == ("upgrade", 9, 171)
    assert not any(family.regressed for family in result.families)


def test_going_back_is_a_regression_and_the_families_are_named(older: RunOutcomes, newer: RunOutcomes) -> None:
    result = decide(newer, older)
    assert (result.verdict, result.within_margin) == ("regression", False)
    assert {family.family for family in result.families if family.regressed} == LOST_BY_THE_OLDER_MODEL
    assert all(family in result.why for family in LOST_BY_THE_OLDER_MODEL)
    worst = result.newly_failing[0]
    assert (worst.item_id, worst.old_error, worst.new_error) == ("pole_zero_004", 0.0, 60.0)


@pytest.mark.parametrize(("losses", "gains"), [(0, 0), (1, 0), (3, 1), (4, 4), (6, 3)])
def test_a_model_against_itself_with_a_handful_of_turned_answers(
    newer: RunOutcomes, losses: int, gains: int
) -> None:
    shuffled = list(newer.cases)
    random.Random(7).shuffle(shuffled)
    result = decide(
        newer, flipped(dataclasses.replace(newer, cases=tuple(shuffled)), losses, gains, label="AGAIN")
    )
    assert result.verdict == "upgrade"
    assert decide(newer, flipped(newer, losses, gains, label="AGAIN"), margins=parse_margins("1")).verdict in {
        "upgrade",
        "inconclusive",
    }


def test_the_baseline_of_450_plots_is_small_and_decides_alike(
    older: RunOutcomes, newer: RunOutcomes, tmp_path: Path
) -> None:
    write_baseline(tmp_path / "b.json", older)
    assert (tmp_path / "b.json").stat().st_size < 100_000
    assert read_baseline(tmp_path / "b.json", label="OLD") == older
    assert decide(read_baseline(tmp_path / "b.json", label="OLD"), newer) == decide(older, newer)
