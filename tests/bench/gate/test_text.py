"""What the gate says, for a terminal and as Markdown."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING

import pytest

from bench.gate.decision import decide
from bench.gate.text import (
    append_step_summary,
    format_gate,
    gate_markdown,
    report_properties,
    write_gate,
)
from bench.options import Margins
from bench.tables.summary import WIDTH, figure_cells
from tests.bench.gate.sides import case, flipped, run, sides, suite_sides

if TYPE_CHECKING:
    from pathlib import Path

    from syrupy.assertion import SnapshotAssertion

    from bench.gate.result import GateResult


def several() -> GateResult:
    """Two suites, a second run, something missing."""
    plots, dots = suite_sides("plotchain", 35, 28, 300), suite_sides("geometry", 9, 14, 120, cases_per_item=4)
    old, new = run([*plots[0], *dots[0]]), run([*plots[1], *dots[1]], label="NEW")
    cases = [
        dataclasses.replace(one, results=("missing",)) if place == 3 else one
        for place, one in enumerate(new.cases)
    ]
    again = flipped(old, 8, 8, label="AA")
    return decide(
        old, dataclasses.replace(new, cases=tuple(cases)), second_run=again, margins=Margins(overall=2, suite=4)
    )


def nothing_compared() -> GateResult:
    """All of the new model's runs are missing; a second run of the old one tells its noise."""
    old, new = sides(9, 60, 450)
    cases = [dataclasses.replace(one, results=("missing",)) for one in new.cases]
    return decide(old, dataclasses.replace(new, cases=tuple(cases)), second_run=flipped(old, 8, 8, label="AA"))


RESULTS = {
    "upgrade": decide(*sides(9, 60, 450)),
    "regression": decide(*sides(90, 30, 450)),
    "within": decide(*sides(12, 0, 450)),
    "several": several(),
    "nothing compared": nothing_compared(),
    "unlike": decide(sides(1, 1, 9)[0], run([case()], label="NEW")),
    "empty": decide(sides(1, 1, 9)[0], run([], label="NEW")),
}


@pytest.mark.parametrize("name", RESULTS)
def test_terminal(name: str, snapshot: SnapshotAssertion) -> None:
    lines = format_gate(RESULTS[name])
    assert max(map(len, lines)) <= WIDTH
    assert "\n".join(lines) == snapshot


@pytest.mark.parametrize("name", RESULTS)
def test_markdown(name: str, snapshot: SnapshotAssertion) -> None:
    assert gate_markdown(RESULTS[name]) == snapshot


def test_names_can_neither_break_a_table_nor_become_markup() -> None:
    hostile = "a|b<img src=x>`c`\n# d\x1b[31m"
    old = run([case(hostile, family=hostile, suite=hostile)], label=hostile, model=hostile)
    new = run([case(hostile, "failed", family=hostile, suite=hostile)], label="NEW", model=hostile)
    result = decide(old, new)
    markdown, text = gate_markdown(result), "\n".join(format_gate(result))
    assert "<img" not in markdown.replace("\\<", "")
    assert all(not line.startswith("# d") for line in markdown.splitlines())
    assert "\x1b" not in markdown + text


def test_gate_json_holds_everything_and_is_read_back(tmp_path: Path) -> None:
    for result in RESULTS.values():
        write_gate(tmp_path, result)
        content = json.loads((tmp_path / "gate.json").read_text("utf-8"))
        assert content["exit_code"] == result.exit_code
        assert content["why"] == result.why
        assert len(content["newly_failing"]) == len(result.newly_failing)
        assert set(report_properties(result)) >= {"eyechart_gate", "eyechart_gate_exit_code"}


def test_without_a_job_there_is_no_job_summary() -> None:
    append_step_summary(RESULTS["upgrade"], {})
    append_step_summary(RESULTS["upgrade"], {"GITHUB_STEP_SUMMARY": ""})


def test_without_a_complete_case_every_figure_is_blank() -> None:
    overall = several().overall
    assert overall is not None

    assert figure_cells(None) == ("",) * len(figure_cells(overall.complete))
