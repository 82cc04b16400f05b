"""The gate on the page: verdict, what changed, links to the cases; and the result read back from its file."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from bench.errors import DataError
from bench.gate.decision import decide
from bench.gate.text import write_gate
from bench.report.gate_section import gate_from_json, gate_section, stored_gate
from bench.results.comparability import outcomes_of
from bench.results.run_folder import StoredRun
from tests.bench.report.pages import HOSTILE, MANIFEST, Page, page_of
from tests.bench.tables.records import failed, make_record

if TYPE_CHECKING:
    from pathlib import Path

    from syrupy.assertion import SnapshotAssertion

    from bench.gate.result import GateResult
    from bench.results.record import Record


def stored(folder: Path, run: list[Record]) -> StoredRun:
    manifest: dict[str, Any] = {**MANIFEST, "cases_selected": len(run), "format": 1}
    return StoredRun(path=folder, manifest=manifest, records=tuple(run), truths={})


def a_gate(folder: Path, losses: int, n: int = 60) -> GateResult:
    """Compare a model that passed all cases with one that fails the first ones."""
    right = make_record().score
    wrong = replace(right, fields=tuple(replace(row, passed=False, abs_err=9.0) for row in right.fields))
    names = [f"bode_magnitude_{place:03d}" for place in range(n)]
    old = [make_record(item_id=name, case_id=name) for name in names]
    new = [
        make_record(item_id=name, case_id=name, model="gpt-y", score=wrong if place < losses else right)
        for place, name in enumerate(names)
    ]
    return decide(
        outcomes_of(stored(folder, old), label="old"),
        outcomes_of(stored(folder, new), label="new"),
        margins=None,
        second_run=None,
    )


def test_what_the_page_says_of_a_regression(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    result = a_gate(tmp_path, 30)
    section = gate_section(result)
    found = page_of(tmp_path, [make_record()], sections=[section])
    assert result.verdict == "regression"
    assert found.texts["gate"] == snapshot
    links = [attributes["href"] for tag, attributes in found.tags if tag == "a" and attributes["href"]]
    assert "#gallery?case=bode_magnitude_000&suite=plotchain" in links
    assert "20 more" in found.texts["gate"]


def test_a_verdict_without_a_comparison_has_a_section(tmp_path: Path) -> None:
    names = [f"x_{place}" for place in range(9)]
    old = [make_record(item_id=name, case_id=name) for name in names]
    new = [make_record(failed(), item_id=name, case_id=name) for name in names]
    result = decide(
        outcomes_of(stored(tmp_path, old), label="old"),
        outcomes_of(stored(tmp_path, new), label="new"),
        margins=None,
        second_run=None,
    )
    assert result.verdict == "invalid"
    assert "invalid" in gate_section(result).body


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_names_are_text(tmp_path: Path, text: str) -> None:
    result = a_gate(tmp_path, 30)
    hostile = replace(
        result,
        why=text,
        notes=(text,),
        newly_failing=tuple(replace(one, item_id=text, family=text) for one in result.newly_failing),
        families=tuple(replace(one, family=text) for one in result.families),
        old=replace(result.old, label=text, model=text),
    )
    tags = [tag for tag, _ in Page(gate_section(hostile).body).tags]
    assert tags == [tag for tag, _ in Page(gate_section(replace(result, notes=("n",))).body).tags]


@pytest.mark.parametrize("losses", [0, 30])
def test_a_result_reads_back_from_its_file(tmp_path: Path, losses: int) -> None:
    result = a_gate(tmp_path, losses)
    write_gate(tmp_path, result)
    assert stored_gate(tmp_path / "gate.json") == result
    assert gate_from_json(json.loads(json.dumps(result.to_json()))) == result


def test_without_a_gate_there_is_no_result(tmp_path: Path) -> None:
    assert stored_gate(tmp_path / "gate.json") is None


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"noise": null, "verdict": 1}'])
def test_a_file_that_holds_no_result_is_one_clear_line(tmp_path: Path, content: str) -> None:
    (tmp_path / "gate.json").write_text(content)
    with pytest.raises(DataError, match=r"gate\.json: expected a gate's result"):
        stored_gate(tmp_path / "gate.json")
