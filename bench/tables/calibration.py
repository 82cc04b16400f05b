"""How far a judge agrees with labelled solutions: agreement, Cohen's kappa, false accepts and false rejects.

Source of kappa: J. Cohen (1960), Educational and Psychological Measurement 20, 37-46. Intervals are Wilson's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.statistics.intervals import wilson_interval
from bench.tables.averages import rate
from bench.tables.columns import CALIBRATION
from bench.tables.csv_files import write_csv
from bench.tables.field_rows import grouped

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from bench.results.record import Record
    from bench.statistics.intervals import Interval
    from bench.tables.csv_files import Cell

__all__ = ["Agreement", "agreement", "calibration_rows", "calibration_text", "write_calibration"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Verdicts on `text_ok` against labels; `unscored` replies held no usable verdict."""

    accepted_good: int
    rejected_good: int
    accepted_bad: int
    rejected_bad: int
    unscored: int

    @property
    def scored(self) -> int:
        """How many verdicts there are."""
        return self.accepted_good + self.rejected_good + self.accepted_bad + self.rejected_bad

    @property
    def agreeing(self) -> Interval:
        """The share that is as labelled."""
        return wilson_interval(self.accepted_good + self.rejected_bad, self.scored)

    @property
    def false_accepts(self) -> Interval:
        """The share of bad solutions that the judge accepts."""
        return wilson_interval(self.accepted_bad, self.accepted_bad + self.rejected_bad)

    @property
    def kappa(self) -> float | None:
        """Agreement beyond chance; None where all labels are alike, for then chance is all there is."""
        n = self.scored
        accepted, good = self.accepted_good + self.accepted_bad, self.accepted_good + self.rejected_good
        if good in {0, n}:
            return None
        chance = (accepted * good + (n - accepted) * (n - good)) / n**2
        observed = (self.accepted_good + self.rejected_bad) / n
        return (observed - chance) / (1 - chance)


def agreement(records: Iterable[Record]) -> Agreement:
    """Count verdicts against labels."""
    counts = {(said, label): 0 for said in (True, False) for label in (True, False)}
    unscored = 0
    for record in records:
        row = next((row for row in record.score.fields if row.field == "text_ok"), None)
        if row is None or row.prediction is None:
            unscored += 1
        else:
            counts[bool(row.prediction), bool(row.truth)] += 1
    return Agreement(
        accepted_good=counts[True, True],
        rejected_good=counts[False, True],
        accepted_bad=counts[True, False],
        rejected_bad=counts[False, False],
        unscored=unscored,
    )


def write_calibration(records: Iterable[Record], folder: Path) -> None:
    """Write calibration.csv.

    Raises:
        OSError: the folder cannot be written.
    """
    write_csv(folder / "calibration.csv", CALIBRATION, calibration_rows(records))


def calibration_rows(records: Iterable[Record]) -> list[dict[str, Cell]]:
    """One row per judge for all its cases, then one for each kind of solution."""
    judges = grouped(records, lambda record: f"{record.provider}:{record.model}")
    rows = []
    for judge in sorted(judges):
        rows.append(_row(judge, "all", judges[judge]))
        kinds = grouped(judges[judge], lambda record: record.family)
        rows += [_row(judge, kind, kinds[kind]) for kind in sorted(kinds)]
    return rows


def _row(judge: str, kind: str, records: Sequence[Record]) -> dict[str, Cell]:
    found = agreement(records)
    good = found.accepted_good + found.rejected_good
    return {
        "judge": judge,
        "kind": kind,
        "n": len(records),
        "unscored_n": found.unscored,
        "scored_n": found.scored,
        "coverage": found.scored / len(records),
        "agreement": found.agreeing.rate,
        "agreement_low": found.agreeing.low,
        "agreement_high": found.agreeing.high,
        "kappa": found.kappa,
        "should_fail_n": found.accepted_bad + found.rejected_bad,
        "false_accepts": found.accepted_bad,
        "false_accept_rate": found.false_accepts.rate,
        "false_accept_low": found.false_accepts.low,
        "false_accept_high": found.false_accepts.high,
        "should_pass_n": good,
        "false_rejects": found.rejected_good,
        "false_reject_rate": found.rejected_good / good if good else None,
        "reasoning_agreement": _part(records, "reasoning_rigorous"),
        "conclusion_agreement": _part(records, "conclusion_correct"),
    }


def _part(records: Iterable[Record], name: str) -> float | None:
    return rate(row.passed for record in records for row in record.score.fields if row.field == name)


def calibration_text(records: Iterable[Record]) -> list[str]:
    """Return lines for the terminal: how far each judge agrees with the labels."""
    judges = grouped(records, lambda record: f"{record.provider}:{record.model}")
    return [line for judge in sorted(judges) for line in _lines(judge, agreement(judges[judge]))]


def _lines(judge: str, found: Agreement) -> list[str]:
    total = found.scored + found.unscored
    kappa = "not defined" if found.kappa is None else f"{found.kappa:.2f}"
    bad, good = found.accepted_bad + found.rejected_bad, found.accepted_good + found.rejected_good
    return [
        f"judge {judge}: {found.scored} of {total} verdicts usable; "
        f"agreement {_share(found.agreeing)}, kappa {kappa}",
        f"false accepts {found.accepted_bad} of {bad}: {_share(found.false_accepts)}; "
        f"false rejects {found.rejected_good} of {good}",
    ]


def _share(interval: Interval) -> str:
    if interval.rate is None or interval.low is None or interval.high is None:
        return "unknown"
    return f"{100 * interval.rate:.1f} % ({100 * interval.low:.1f} to {100 * interval.high:.1f})"
