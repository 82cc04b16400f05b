"""What the gate leaves: gate.json, gate.md, a CI job's summary and properties of the test report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from bench.errors import UserError
from bench.gate.markdown import gate_markdown
from bench.results.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.gate.result import GateResult

__all__ = ["GATE_JSON", "GATE_MARKDOWN", "append_step_summary", "report_properties", "write_gate"]

GATE_JSON = "gate.json"
GATE_MARKDOWN = "gate.md"
STEP_SUMMARY = "GITHUB_STEP_SUMMARY"


def write_gate(folder: Path, result: GateResult) -> None:
    """Write both files into a folder.

    Raises:
        OSError: it cannot be written.
    """
    write_atomically(folder / GATE_MARKDOWN, gate_markdown(result))
    write_atomically(folder / GATE_JSON, json.dumps(result.to_json(), indent=1, allow_nan=False) + "\n")


def append_step_summary(result: GateResult, environ: Mapping[str, str]) -> None:
    """Append the Markdown to the file that a CI job's environment names; without one do nothing.

    Raises:
        UserError: the file cannot be written.
    """
    named = environ.get(STEP_SUMMARY)
    if not named:
        return
    try:
        with Path(named).open("a", encoding="utf-8") as file:
            file.write(gate_markdown(result))
    except OSError as error:
        raise UserError(
            f"{STEP_SUMMARY}: the summary cannot be appended to {named!r} ({error.strerror or error})"
        ) from error


def report_properties(result: GateResult) -> dict[str, str]:
    """Return name and text of what a JUnit file says of the gate."""
    overall = None if result.overall is None else result.overall.complete
    return {
        "eyechart_gate": result.verdict,
        "eyechart_gate_exit_code": str(result.exit_code),
        "eyechart_gate_why": result.why,
        "eyechart_gate_margins": str(result.margins),
        "eyechart_gate_delta": "" if overall is None else f"{overall.delta:.6f}",
        "eyechart_gate_newly_failing": str(len(result.newly_failing)),
        "eyechart_gate_newly_passing": str(len(result.newly_passing)),
    }
