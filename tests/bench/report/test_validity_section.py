"""The validity report on the page: read back from its file, escaped, refused in one line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from bench.errors import DataError
from bench.report.validity_section import read_validity, validity_section
from bench.validity.report import FamilyValidity, FieldValidity, ValidityReport, judged, write_report

if TYPE_CHECKING:
    from pathlib import Path

REPORT = ValidityReport(
    edition="v4",
    seed=0,
    policy="plotread",
    fields=(
        judged(
            FieldValidity(
                suite="plotchain",
                family="bode_phase",
                field="cutoff_hz",
                items=30,
                one_px_smallest=4.22,
                one_px_median=8.2,
                blind_other_seeds=0.1,
                constant_place=1.0,
                place=(0.5,),
                reader_by_group={"clean": 1.0, "edge": 0.5},
            )
        ),
    ),
    families=(FamilyValidity(suite="plotchain", family="bode_phase", pictures=30, distinct=26, clashing=1),),
    findings=("plotchain: 4 pictures are copies <of> others",),
)


def test_what_was_written_is_read_back_equal(tmp_path: Path) -> None:
    write_report(REPORT, tmp_path)
    assert read_validity(tmp_path) == REPORT


def test_the_section_shows_findings_fields_and_pictures() -> None:
    section = validity_section(REPORT)
    assert section.id == "validity"
    for text in ("copies &lt;of&gt; others", "cutoff_hz", "4.22 / 8.2", "leaks (place)", "26", "PlotChain v4"):
        assert text in section.body


@pytest.mark.parametrize(
    "content", ["", "[]", '{"edition": "v4"}', json.dumps({**REPORT.to_json(), "fields": [{}]})]
)
def test_another_file_is_refused_in_one_line(tmp_path: Path, content: str) -> None:
    (tmp_path / "validity.json").write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=r"validity\.json: expected a validity report"):
        read_validity(tmp_path)


def test_a_folder_without_a_report_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="name the folder of a validity report"):
        read_validity(tmp_path)
