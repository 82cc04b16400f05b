"""A run's folder is read back as it was written; anything else in it is met with one clear line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.errors import DataError, UserError
from bench.results.record import record_order
from bench.results.run_folder import RECORDS, TRUTHS, read_records, read_run, write_records, write_truths
from tests.bench.tables.records import make_record, records

if TYPE_CHECKING:
    from pathlib import Path

    from bench.results.record import Record

MANIFEST = {"format": 1, "options": {}, "models": [], "items": {}, "scorers_sha256": "ab"}


def make_run(folder: Path, manifest: Any = MANIFEST, kept: tuple[Record, ...] = ()) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "run.json").write_text(manifest if isinstance(manifest, str) else json.dumps(manifest), "utf-8")
    write_records(folder, kept)
    return folder


@settings(deadline=None, max_examples=25)
@given(kept=st.lists(records(), max_size=5))
def test_records_come_back_equal_and_sorted(tmp_path_factory: pytest.TempPathFactory, kept: list[Record]) -> None:
    folder = tmp_path_factory.mktemp("run")
    write_records(folder, kept)
    adapter = [record.from_json(record.to_json()) for record in sorted(kept, key=record_order)]
    assert list(read_records(folder / RECORDS)) == adapter


def test_the_order_of_arrival_changes_no_byte(tmp_path: Path) -> None:
    kept = [make_record(item_id=f"x_{index}", case_id=f"x_{index}") for index in (10, 2, 1)]
    write_records(tmp_path / "a", kept)
    write_records(tmp_path / "b", kept[::-1])
    assert (tmp_path / "a" / RECORDS).read_bytes() == (tmp_path / "b" / RECORDS).read_bytes()
    assert [record.item_id for record in read_records(tmp_path / "a" / RECORDS)] == ["x_1", "x_2", "x_10"]


def test_line_breaks_within_texts_end_no_line(tmp_path: Path) -> None:
    write_records(tmp_path, [make_record(prompt="a\u2028b\x85c\nd")])
    assert len((tmp_path / RECORDS).read_text("utf-8").splitlines()) == 1
    assert read_records(tmp_path / RECORDS)[0].prompt == "a\u2028b\x85c\nd"


def test_a_run_is_read_back_whole(tmp_path: Path) -> None:
    folder = make_run(tmp_path, kept=(make_record(),))
    write_truths(folder, {("geometry", "b"): {"count": 2}, ("geometry", "a"): {"count": 1}})
    run = read_run(folder)
    assert run.manifest == MANIFEST
    assert run.records == (make_record(),)
    assert run.truths == {("geometry", "a"): {"count": 1}, ("geometry", "b"): {"count": 2}}


def test_suites_whose_records_say_all_leave_no_truths(tmp_path: Path) -> None:
    write_truths(tmp_path, {})
    assert not (tmp_path / TRUTHS).exists()
    assert read_run(make_run(tmp_path)).truths == {}


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"expected the folder of a run, found none at '.*nothing'"):
        read_run(tmp_path / "nothing")


def test_a_folder_without_a_manifest(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"no run\.json in .*: expected the folder of a run that was written"):
        read_run(tmp_path)


def test_a_run_of_an_earlier_version_has_no_records(tmp_path: Path) -> None:
    (make_run(tmp_path) / RECORDS).unlink()
    with pytest.raises(UserError, match=r"no records\.jsonl in .*run the same command again"):
        read_run(tmp_path)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", r"run\.json: expected a JSON object, got malformed JSON"),
        ("[]", r"run\.json: expected a JSON object, got list"),
        ("[" * 100_000, r"run\.json: expected a JSON object, got malformed JSON"),
        ("{}", r"run\.json: expected a run's manifest, but it lacks format, options, models, items"),
        (
            {**MANIFEST, "options": []},
            r"run\.json: expected a run's manifest, but options must be an object, got \[\]",
        ),
        (
            {**MANIFEST, "models": [{}]},
            r"run\.json: expected a run's manifest, but models\[0\]\.provider is missing",
        ),
    ],
)
def test_a_manifest_that_is_none(tmp_path: Path, content: Any, said: str) -> None:
    with pytest.raises(DataError, match=said):
        read_run(make_run(tmp_path, content))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("[]", r"records\.jsonl:2: expected a JSON object, got list"),
        ("{}", r"records\.jsonl:2: a record \(case None\) cannot be read: case_id is missing"),
        ("\xff", r"records\.jsonl:2: expected a JSON object, got malformed JSON"),
    ],
)
def test_a_line_that_is_no_record(tmp_path: Path, line: str, said: str) -> None:
    folder = make_run(tmp_path, kept=(make_record(),))
    with (folder / RECORDS).open("ab") as file:
        file.write(line.encode("latin-1") + b"\n")
    with pytest.raises(DataError, match=said):
        read_run(folder)


def test_a_truth_that_is_none(tmp_path: Path) -> None:
    (make_run(tmp_path) / TRUTHS).write_text('{"suite": "geometry", "item_id": "a", "truth": 3}\n', "utf-8")
    with pytest.raises(
        DataError, match=r"truths\.jsonl:1: expected an item's truth, but truth must be an object, got 3"
    ):
        read_run(tmp_path)


def test_records_that_cannot_be_opened(tmp_path: Path) -> None:
    (tmp_path / RECORDS).mkdir()
    with pytest.raises(UserError, match=r"records\.jsonl cannot be read: Is a directory"):
        read_records(tmp_path / RECORDS)
