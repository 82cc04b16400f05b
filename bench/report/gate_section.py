"""The gate's verdict, read from its file and shown on the page: what it rests on, what changed, worst first."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from bench.errors import DataError
from bench.gate.result import CaseChange, Comparison, FamilyChange, Further, GateResult, Noise, RunFacts
from bench.gate.text import about_sentences, error_text
from bench.options import Margins
from bench.report.rendering import case_name, section
from bench.statistics.comparison import Figures
from bench.statistics.intervals import Limits
from bench.tables.summary import figure_cells, points

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from bench.report.rendering import Section

__all__ = ["gate_from_json", "gate_section", "stored_gate"]

CASES_SHOWN = 200
UNFOLDED = 10


def gate_section(result: GateResult) -> Section:
    """Return the section."""
    rows = [result.overall, *result.suites] if result.overall and len(result.suites) > 1 else result.suites
    return section(
        "gate",
        "Upgrade gate",
        result=result,
        comparisons=[_comparison_cells(one) for one in rows],
        sentences=list(about_sentences(result)),
        newly_failing=_changes(result.newly_failing),
        newly_passing=_changes(result.newly_passing),
        families=[family for family in result.families if family.losses or family.gains],
        unfolded=UNFOLDED,
    )


def _comparison_cells(one: Comparison) -> list[str]:
    figures = ["–"] * 6
    if one.complete is not None:
        old, new, *others = figure_cells(one.complete)
        figures = [f"{old} %", f"{new} %", *others]
    return [one.name, str(one.n), str(one.missing_n), *figures, points(one.worst_low), points(-one.margin)]


def _changes(changes: Sequence[CaseChange]) -> dict[str, object]:
    """Return how many cases changed, and those that are shown."""
    cases = [
        {
            "name": case_name(change.item_id, change.task),
            "suite": change.suite,
            "family": change.family,
            "old_error": error_text(change.old_error),
            "new_error": error_text(change.new_error),
        }
        for change in changes[:CASES_SHOWN]
    ]
    return {"n": len(changes), "cases": cases}


def stored_gate(path: Path) -> GateResult | None:
    """Read a gate's result back; None where there is no such file.

    Raises:
        DataError: the file holds something else.
    """
    if not path.is_file():
        return None
    try:
        return gate_from_json(json.loads(path.read_bytes()))
    except (KeyError, TypeError, ValueError) as error:
        raise DataError(f"{path}: expected a gate's result ({type(error).__name__}: {error})") from error


def gate_from_json(content: Mapping[str, Any]) -> GateResult:
    """Build the result that `GateResult.to_json` described.

    Raises:
        KeyError: a part is missing.
        TypeError: a part is missing, unknown or of another type.
        ValueError: a value is out of its range.
    """
    noise = content["noise"]
    return GateResult(
        **{name: content[name] for name in ("verdict", "reason", "why", "within_margin")},
        old=RunFacts(**content["old"]),
        new=RunFacts(**content["new"]),
        margins=Margins(**content["margins"]),
        overall=None if content["overall"] is None else _comparison(content["overall"]),
        suites=tuple(map(_comparison, content["suites"])),
        families=tuple(FamilyChange(**one) for one in content["families"]),
        newly_failing=tuple(CaseChange(**one) for one in content["newly_failing"]),
        newly_passing=tuple(CaseChange(**one) for one in content["newly_passing"]),
        noise=None if noise is None else Noise(**noise),
        further=tuple(Further(**one) for one in content["further"]),
        notes=tuple(content["notes"]),
    )


def _comparison(content: Mapping[str, Any]) -> Comparison:
    figures = content["complete"]
    return Comparison(**{**content, "complete": None if figures is None else _figures(figures)})


def _figures(content: Mapping[str, Any]) -> Figures:
    items = content["these_items"]
    limits = Limits(**content["limits"])
    return Figures(**{**content, "limits": limits, "these_items": None if items is None else Limits(**items)})
