"""The report finds by itself what is known to be weak in edition v4."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from bench.validity.__main__ import examine, main
from bench.validity.plotchain import PlotSet
from bench.validity.report import ValidityReport
from tests.bench.conftest import environment
from tests.conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from bench.validity.report import FieldValidity

BLINDLY_CERTAIN = {
    "step_response.steady_state",
    "step_response.cp_band_lower",
    "step_response.cp_band_upper",
    "bode_magnitude.cp_slope_db_per_decade",
    "bode_phase.cp_phase_deg_at_fc",
    "iv_diode.target_current_a",
    "iv_diode.turn_on_voltage_v_at_target_i",
    "spectrogram.switch_time_s",
    "spectrogram.cp_duration_s",
}

MANY = 8


def by_name(report: ValidityReport) -> Mapping[str, FieldValidity]:
    return {f"{row.family}.{row.field}": row for row in report.fields}


def mean_rate(report: ValidityReport, rate: str, suite: str = "plotchain") -> float:
    rows = [row for row in report.fields if row.suite == suite]
    return float(sum(row.items * getattr(row, rate) for row in rows) / sum(row.items for row in rows))


@pytest.fixture(scope="module", params=[3, pytest.param(MANY, marks=pytest.mark.sweep)])
def small(request: pytest.FixtureRequest) -> ValidityReport:
    return examine(PlotSet(items_per_family=request.param), looks=False)


def test_fields_that_a_constant_always_passes_are_found(small: ValidityReport) -> None:
    certain = {name for name, row in by_name(small).items() if row.blind_other_seeds == 1 and not row.chance}
    assert certain >= BLINDLY_CERTAIN
    assert all("leaks" in by_name(small)[name].verdicts for name in certain)


def test_corners_in_the_middle_of_the_axis_are_found(small: ValidityReport) -> None:
    for name in ("bode_magnitude.cutoff_hz", "bode_phase.cutoff_hz", "spectrogram.switch_time_s"):
        row = by_name(small)[name]
        assert row.constant_place == 1.0
        assert row.place == pytest.approx((0.5,), abs=0.01)
        assert "place" in row.leaks_by


def test_readings_finer_than_a_pixel_are_found(small: ValidityReport) -> None:
    fine = {name for name, row in by_name(small).items() if "finer than a pixel" in row.verdicts}
    assert "bandpass_response.bandwidth_hz" in fine
    if small.fields[0].items == MANY:
        assert "iv_diode.turn_on_voltage_v_at_target_i" in fine


def test_the_current_that_the_question_prints_is_found(small: ValidityReport) -> None:
    printed = {name for name, row in by_name(small).items() if (row.in_question or 0) > 0.5}
    assert printed == {"iv_diode.target_current_a"}


def test_a_duration_beyond_the_axis_is_not_shown(small: ValidityReport) -> None:
    unseen = {name for name, row in by_name(small).items() if "not shown" in row.verdicts}
    assert unseen == {"spectrogram.cp_duration_s"}


def test_every_task_and_every_calculated_family_has_a_row(small: ValidityReport) -> None:
    tasks = [row for row in small.fields if row.suite == "geometry"]
    assert [row.field for row in tasks] == [
        "COUNT",
        "LOCATE",
        "PATTERN",
        "SIZE",
        "DEFECT",
        "SPACING",
        "REGULARITY",
    ]
    assert {row.field: row.blind_other_seeds for row in tasks if row.chance} == pytest.approx(
        {"PATTERN": 0.5, "DEFECT": 0.5, "REGULARITY": 0.5}
    )
    assert all((row.one_px_smallest or 9) > 1 for row in tasks)
    assert all((row.blind_same_seed or 0) >= (row.blind_other_seeds or 0) for row in tasks)
    floors = [row for row in small.fields if row.suite == "auxsolidmath"]
    assert floors
    assert all(0 < (row.blind_same_seed or 0) < 0.5 for row in floors)


@pytest.mark.sweep
def test_edition_v5_has_no_constants_and_is_coarser_than_two_pixels() -> None:
    report = examine(PlotSet(edition="v5", items_per_family=8), looks=False)
    plots = [row for row in report.fields if row.suite == "plotchain"]

    assert mean_rate(report, "blind_other_seeds") < 0.03
    assert all((row.one_px_smallest or 0) > 4.4 for row in plots)
    assert all((row.all_px_smallest or 0) > 2 for row in plots)
    assert sum(row.constant_place is not None for row in plots) > 35
    assert sum("leaks" in row.verdicts for row in plots) <= 1  # of 60 fields with 8 items each one may by chance
    assert not {verdict for row in plots for verdict in row.verdicts} - {"sound", "leaks"}


def test_without_pictures_nothing_is_said_about_them(small: ValidityReport) -> None:
    assert small.families == ()
    assert all(row.reader is None and not row.reader_by_group for row in small.fields)


@pytest.mark.sweep
def test_the_command_writes_the_files_and_says_what_it_found(tmp_path: Path) -> None:
    out = tmp_path / "validity"
    command = [sys.executable, "-m", "bench.leaderboard.validity", "--out", str(out), "--items-per-family", "1"]
    run = subprocess.run(command, cwd=ROOT, env=environment(), capture_output=True, text=True, check=False)

    assert run.returncode == 0, run.stderr
    assert "validity: drawing and reading plots: 15 of 15" in run.stderr
    assert run.stdout.startswith("- plotchain: without looking")
    content = json.loads((out / "validity.json").read_text("utf-8"))
    assert len(content["families"]) == 21
    assert {row["reader"] for row in content["fields"] if row["suite"] == "geometry"} == {1.0}


def test_a_folder_that_cannot_be_written_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    report = ValidityReport(edition="v4", seed=0, policy="strict", fields=(), families=(), findings=())
    monkeypatch.setattr("bench.validity.__main__.examine", lambda *_, **__: report)
    (tmp_path / "file").write_text("")

    assert main(["--out", str(tmp_path / "file" / "deeper")]) == 1

    said = capsys.readouterr().err
    assert said.startswith("validity: ")
    assert said.count("\n") == 1


@pytest.mark.parametrize("count", ["0", "-3", "many"])
def test_a_wrong_number_of_items_is_refused(count: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--items-per-family", count, "--out", "nowhere"])

    assert ended.value.code == 2
    assert "--items-per-family" in capsys.readouterr().err


@pytest.mark.slow
def test_everything_known_to_be_weak_in_v4_is_found() -> None:
    """Figures: `plotchain-v4`'s own; pixels depend on what counts as a reading, so those have room."""
    report = examine(PlotSet())
    rows, families = by_name(report), {row.family: row for row in report.families}
    plots = [row for row in report.fields if row.suite == "plotchain"]

    assert sum(row.items for row in plots) == 1721
    assert mean_rate(report, "blind_same_seed") == pytest.approx(0.476, abs=0.01)
    assert mean_rate(report, "blind_other_seeds") == pytest.approx(0.402, abs=0.01)
    assert {name for name, row in rows.items() if row.blind_other_seeds == 1 and not row.chance} == BLINDLY_CERTAIN
    assert sum(row.copies for row in report.families if row.suite == "plotchain") == 59
    assert "dominant_frequency_hz < secondary_frequency_hz" in families["fft_spectrum"].ordered
    for name in ("bode_magnitude.cutoff_hz", "bode_phase.cutoff_hz", "spectrogram.switch_time_s"):
        assert rows[name].constant_place == 1.0
        assert rows[name].place == pytest.approx((0.5,), abs=0.01)
    assert 40 <= sum(row.below_1_px or 0 for row in plots) <= 60
    assert 120 <= sum(row.below_2_px or 0 for row in plots) <= 160
    assert rows["bandpass_response.bandwidth_hz"].all_px_smallest == pytest.approx(0.4, abs=0.1)
    assert {name for name, row in rows.items() if row.suite == "geometry" and row.reader != 1} == set()
    assert "iv_diode" in report.findings[2]
