"""A run's report: from what is in memory when it ends, or from its folder later."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from bench.errors import DataError
from bench.gate.result import CaseChange, Comparison, FamilyChange, Figures, Further, GateResult, Noise, RunFacts
from bench.options import Margins
from bench.report.contents import Contents
from bench.report.gate_section import gate_section
from bench.report.page import REPORT, write_report
from bench.report.validity_section import validity_section
from bench.statistics.intervals import Limits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from bench.report.contents import Section
    from bench.report.run_pictures import RunPictures
    from bench.results.record import Record
    from bench.validity.report import ValidityReport

__all__ = ["gate_from_json", "stored_gate", "write_run_report"]


def write_run_report(
    folder: Path,
    *,
    manifest: Mapping[str, Any],
    records: Sequence[Record],
    cost_usd: Callable[[Record], float | None],
    seen: RunPictures,
    gate: GateResult | None,
    validity: ValidityReport | None = None,
    out: Path | None = None,
) -> Path:
    """Write the report of a run into its folder, or as `out`; return its path.

    Raises:
        OSError: it cannot be written.
    """
    contents = Contents(
        manifest=manifest,
        records=records,
        cost_usd=cost_usd,
        picture=seen.picture,
        overlay=seen.overlay,
        drawing=seen.drawing,
        sections=tuple(_sections(gate, validity)),
    )
    return write_report(out or folder / REPORT, contents, seen.shelf)


def _sections(gate: GateResult | None, validity: ValidityReport | None) -> Iterator[Section]:
    if gate is not None:
        yield gate_section(gate)
    if validity is not None:
        yield validity_section(validity)


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
    limits = {
        "limits": Limits(**content["limits"]),
        "these_items": None if items is None else Limits(**items),
    }
    return Figures(**{**content, **limits})
