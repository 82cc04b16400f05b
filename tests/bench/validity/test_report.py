"""The report's files and sentences, made from rows."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING

from bench.validity.report import (
    COLUMNS,
    FamilyValidity,
    FieldValidity,
    ValidityReport,
    findings,
    judged,
    markdown,
    write_report,
)

if TYPE_CHECKING:
    from pathlib import Path

    from syrupy.assertion import SnapshotAssertion

FIELDS = (
    judged(
        FieldValidity(
            suite="plotchain",
            family="bode_phase",
            field="cutoff_hz",
            items=30,
            one_px_smallest=4.22,
            one_px_median=8.2,
            all_px_smallest=2.55,
            all_px_median=5.0,
            below_1_px=0,
            below_2_px=0,
            beyond_axes=0,
            blind_same_seed=0.2,
            blind_other_seeds=0.1,
            in_question=0.0,
            constant_place=1.0,
            place=(0.5,),
            other_axes=0.04,
            reader=0.9,
            reader_by_group={"clean": 1.0, "moderate": 1.0, "edge": 2 / 3},
        )
    ),
    judged(
        FieldValidity(
            suite="plotchain",
            family="spectrogram",
            field="cp_duration_s",
            items=30,
            one_px_smallest=0.5,
            one_px_median=3.0,
            all_px_smallest=0.5,
            all_px_median=3.0,
            below_1_px=4,
            below_2_px=6,
            beyond_axes=30,
            blind_same_seed=1.0,
            blind_other_seeds=1.0,
            in_question=1.0,
            constant_place=0.4,
            place=(1.03, 0.2),
            other_axes=0.7,
            reader=1.0,
            reader_by_group={"clean": 1.0},
        )
    ),
    judged(
        FieldValidity(
            suite="geometry",
            family="all classes",
            field="DEFECT",
            items=45,
            blind_same_seed=0.5,
            blind_other_seeds=0.5,
            chance=0.5,
            reader=1.0,
            reader_by_group={"HSFR": 1.0, "HSDN": 1.0},
        )
    ),
)
FAMILIES = (
    FamilyValidity(suite="plotchain", family="bode_phase", pictures=30, distinct=26, clashing=0),
    FamilyValidity(
        suite="plotchain", family="spectrogram", pictures=30, distinct=29, clashing=2, ordered=("a < b",)
    ),
    FamilyValidity(suite="geometry", family="HSFR", pictures=3, distinct=3, clashing=0),
)
REPORT = ValidityReport(
    edition="v4", seed=0, policy="plotread", fields=FIELDS, families=FAMILIES, findings=findings(FIELDS, FAMILIES)
)


def test_findings_say_every_kind_of_weakness(snapshot: SnapshotAssertion) -> None:
    assert REPORT.findings == snapshot


def test_nothing_wrong_is_nothing_found() -> None:
    sound = judged(FieldValidity(suite="plotchain", family="f", field="g", items=3, below_1_px=0, below_2_px=0))
    assert findings([sound], []) == ()
    assert findings([], []) == ()


def test_few_pixels_are_a_finding_though_no_item_is_below_one() -> None:
    fine = judged(FieldValidity(suite="plotchain", family="f", field="g", items=3, below_1_px=0, below_2_px=2))
    assert findings([fine], []) == ("plotchain: of 3 readings 0 must be better than one pixel, 2 better than two",)


def test_the_report_as_markdown(snapshot: SnapshotAssertion) -> None:
    assert markdown(REPORT) == snapshot


def test_columns_are_pinned(snapshot: SnapshotAssertion) -> None:
    assert snapshot == COLUMNS


def test_three_files_hold_the_same(tmp_path: Path) -> None:
    write_report(REPORT, tmp_path / "deep" / "folder")

    folder = tmp_path / "deep" / "folder"
    assert sorted(path.name for path in folder.iterdir()) == ["validity.csv", "validity.json", "validity.md"]
    with (folder / "validity.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    content = json.loads((folder / "validity.json").read_text("utf-8"))
    assert [row["field"] for row in rows] == [row["field"] for row in content["fields"]]
    assert rows[1]["verdict"] == "leaks; finer than a pixel; not shown"
    assert rows[1]["leaks_by"] == "constant; question; place; axes"
    assert rows[0]["reader_by_group"] == "clean 1.000; moderate 1.000; edge 0.667"
    assert rows[0]["place"] == "0.500"
    assert content["families"][0]["copies"] == 4
    assert (folder / "validity.md").read_text("utf-8") == markdown(REPORT)
