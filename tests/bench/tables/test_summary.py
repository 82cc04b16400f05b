"""The terminal summary: its numbers and its look."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from hypothesis import given
from hypothesis import strategies as st

from bench.models.types import FailureClass, Response, Usage
from bench.tables.summary import StatusCount, summarise
from bench.tables.text import WIDTH, format_summary
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
    (summary,) = summarise(a_run())
    groups = {(group.suite, group.family): group for group in summary.groups}
    assert list(groups) == [
        ("geometry", "HSDN"),
        ("geometry", None),
        ("plotchain", "bode_magnitude"),
        ("plotchain", "bode_phase"),
        ("plotchain", None),
    ]
    family = groups["plotchain", "bode_magnitude"]
    assert (family.n, family.passed, family.field_n, family.field_passed) == (3, 2, 9, 7)
    assert (family.null_n, family.finals_only_n) == (1, 1)
    assert (groups["geometry", "HSDN"].n, groups["geometry", "HSDN"].passed) == (2, 1)
    assert summary.trouble == (
        StatusCount(status="refused", kind=None, n=1),
        StatusCount(status="unparsed", kind=None, n=1),
        StatusCount(status="failed", kind="network", n=2),
    )
    assert (summary.input_tokens, summary.output_tokens, summary.reasoning_tokens) == (1_200_345, 40_000, 30_000)


def test_look_of_a_run(snapshot: SnapshotAssertion) -> None:
    assert "\n".join(format_summary(summarise(a_run()))) == snapshot


def test_look_of_two_models_without_tokens(snapshot: SnapshotAssertion) -> None:
    several = [make_record(model="a"), make_record(model="an-extremely-long-model-name\n/with/slashes")]
    assert "\n".join(format_summary(summarise(several))) == snapshot


def test_look_of_the_published_run(published_plotchain: Path, snapshot: SnapshotAssertion) -> None:
    run = published_records(published_plotchain, "gpt4o_plotread_20260104_temp0")
    assert "\n".join(format_summary(summarise(run))) == snapshot


def test_many_kinds_of_trouble_are_all_shown() -> None:
    kinds: tuple[FailureClass, ...] = get_args(FailureClass)
    run = [
        make_record(Response(status="failed", failure=kind, error="x"), repeat=place)
        for place, kind in enumerate(kinds)
    ]
    text = " ".join(line.strip() for line in format_summary(summarise(run)))
    for kind in kinds:
        assert f"1 failed ({kind})" in text


def test_no_records_no_lines() -> None:
    assert format_summary(summarise([])) == []


@given(st.lists(records(), max_size=5))
def test_any_run_fits_the_terminal(run: list[Record]) -> None:
    for line in format_summary(summarise(run)):
        assert len(line) <= WIDTH
        assert "\n" not in line
