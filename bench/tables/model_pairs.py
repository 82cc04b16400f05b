"""`comparisons.csv`: every two models of a run on the same cases, by suite and overall, with 95 % limits."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from bench.gate.comparisons import OVERALL, figures
from bench.gate.outcomes import case_outcomes
from bench.gate.pairing import paired_suites
from bench.tables.columns import COMPARISONS
from bench.tables.csv_files import write_csv
from bench.tables.field_rows import grouped

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from bench.gate.pairing import SuitePairs
    from bench.gate.result import Figures
    from bench.results.record import Record
    from bench.tables.csv_files import Cell

__all__ = ["FILE", "ModelPair", "model_pair_rows", "model_pairs", "write_model_pairs"]

FILE = "comparisons.csv"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPair:
    """Two models on the cases that both have, of one suite or all; `figures.delta` is second - first.

    Models are (provider, name). `missing_n` counts cases in which a run of either is missing.
    """

    first: tuple[str, str]
    second: tuple[str, str]
    suite: str
    missing_n: int
    figures: Figures


def model_pairs(records: Iterable[Record]) -> list[ModelPair]:
    """Compare every two models, sorted by names; for several suites overall first."""
    by_model = grouped(records, lambda record: (record.provider, record.model))
    if len(by_model) < 2:  # noqa: PLR2004 - no pair, as in most runs
        return []
    repeats = max((record.repeat + 1 for own in by_model.values() for record in own), default=1)
    outcomes = {pair: case_outcomes(by_model[pair], repeats) for pair in sorted(by_model)}
    return [
        found
        for first, second in combinations(outcomes, 2)
        for found in _compared(first, second, paired_suites(outcomes[first], outcomes[second], repeats))
    ]


def _compared(
    first: tuple[str, str], second: tuple[str, str], suites: Sequence[SuitePairs]
) -> Iterable[ModelPair]:
    groups = [(suite.name, [suite]) for suite in suites]
    for name, own in [(OVERALL, list(suites)), *groups] if len(suites) > 1 else groups:
        found = figures(own)
        if found is not None:
            missing = sum(pair.missing_runs > 0 for suite in own for pair in suite.pairs)
            yield ModelPair(first=first, second=second, suite=name, missing_n=missing, figures=found)


def write_model_pairs(folder: Path, records: Iterable[Record]) -> None:
    """Write the table where there are several models.

    Raises:
        OSError: it cannot be written.
    """
    rows = model_pair_rows(model_pairs(records))
    if rows:
        write_csv(folder / FILE, COMPARISONS, rows)


def model_pair_rows(pairs: Iterable[ModelPair]) -> list[dict[str, Cell]]:
    """Return a row for each pair and suite."""
    return [
        {
            "first_provider": pair.first[0],
            "first_model": pair.first[1],
            "second_provider": pair.second[0],
            "second_model": pair.second[1],
            "suite": pair.suite,
            "cases_n": pair.figures.n,
            "missing_n": pair.missing_n,
            "first_rate": pair.figures.old_rate,
            "second_rate": pair.figures.new_rate,
            "losses": pair.figures.losses,
            "gains": pair.figures.gains,
            "delta": pair.figures.delta,
            "delta_low": pair.figures.limits.low,
            "delta_high": pair.figures.limits.high,
            "design_effect": pair.figures.deff,
        }
        for pair in pairs
    ]
