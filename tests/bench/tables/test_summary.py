"""The terminal summary: its numbers and its look."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from hypothesis import given, settings
from hypothesis import strategies as st

from bench.models.types import FailureClass, Response, Usage
from bench.tables.summary import WIDTH, format_summary
from tests.bench.tables.records import answer, failed, make_record, published_records, records

if TYPE_CHECKING:
    from pathlib import Path

    from syrupy.assertion import SnapshotAssertion

    from bench.results.record import Record


def a_run() -> list[Record]:
    usage = Usage(input_tokens=1_200_345, output_tokens=40_000, reasoning_tokens=30_000)
    return [
        make_record(Response(status="answered", text=answer().text, usage=usage)),
        make_record(answer(cp_mag_at_fc_db=0.0), item_id="bode_magnitude_001"),
        make_record(answer(cutoff_hz=None), item_id="bode_magnitude_002"),
        make_record(failed(), item_id="bode_phase_000", family="bode_phase"),
        make_record(failed(), item_id="bode_phase_001", family="bode_phase"),
        make_record(Response(status="refused"), item_id="bode_phase_002", family="bode_phase"),
        make_record(Response(status="answered"), item_id="bode_phase_003", family="bode_phase"),
        make_record(suite="geometry", family="HSDN", item_id="d", task="COUNT"),
        make_record(answer(cutoff_hz=1.0), suite="geometry", family="HSDN", item_id="d", task="LOCATE"),
    ]


def test_numbers_of_a_run() -> None:
    lines = format_summary(a_run())
    numbers = {line[:32].strip(): line[32:].split() for line in lines[1:6]}
    assert numbers == {
        "HSDN": ["1/2", "50.0", "%", "83.3", "%", "0.0", "%", "0"],
        "geometry, all": ["1/2", "50.0", "%", "83.3", "%", "0.0", "%", "0"],
        "bode_magnitude": ["2/3", "66.7", "%", "77.8", "%", "11.1", "%", "1"],
        "bode_phase": ["0/4", "0.0", "%", "0.0", "%", "100.0", "%", "0"],
        "plotchain, all": ["2/7", "28.6", "%", "33.3", "%", "61.9", "%", "1"],
    }
    assert lines[6:] == [
        "9 replies, counted as wrong: 1 refused, 1 unparsed, 2 failed (network)",
        "tokens: 1,200,345 in, 40,000 out (30,000 of them reasoning)",
    ]


def test_look_of_a_run(snapshot: SnapshotAssertion) -> None:
    assert "\n".join(format_summary(a_run())) == snapshot


def test_look_of_two_models_without_tokens(snapshot: SnapshotAssertion) -> None:
    several = [make_record(model="a"), make_record(model="an-extremely-long-model-name\n/with/slashes")]
    assert "\n".join(format_summary(several)) == snapshot


def test_look_of_the_published_run(published_plotchain: Path, snapshot: SnapshotAssertion) -> None:
    run = published_records(published_plotchain, "gpt4o_plotread_20260104_temp0")
    assert "\n".join(format_summary(run)) == snapshot


def test_many_kinds_of_trouble_are_all_shown() -> None:
    kinds: tuple[FailureClass, ...] = get_args(FailureClass)
    run = [
        make_record(Response(status="failed", failure=kind, error="x"), repeat=place)
        for place, kind in enumerate(kinds)
    ]
    text = " ".join(line.strip() for line in format_summary(run))
    for kind in kinds:
        assert f"1 failed ({kind})" in text


def test_no_records_no_lines() -> None:
    assert format_summary([]) == []


@settings(max_examples=20, deadline=None)
@given(st.lists(records(), max_size=5))
def test_any_run_fits_the_terminal(run: list[Record]) -> None:
    for line in format_summary(run):
        assert len(line) <= WIDTH
        assert "\n" not in line
