"""How far a judge agrees with labelled solutions: agreement, Cohen's kappa, false accepts and false rejects.

Source of kappa: J. Cohen (1960), Educational and Psychological Measurement 20, 37-46. Intervals are Wilson's.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from bench.results.aggregate import grouped, rate
from bench.statistics.intervals import wilson_interval
from bench.tables.csv_files import Table, write_csv

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from bench.results.record import Record
    from bench.statistics.intervals import Interval
    from bench.tables.csv_files import Cell

__all__ = [
    "CALIBRATION",
    "Agreement",
    "_JudgedKind",
    "agreement",
    "calibration_rows",
    "calibration_text",
    "write_calibration",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Verdicts on `text_ok` against labels; `unscored` replies held no usable verdict."""

    accepted_good: int
    rejected_good: int
    accepted_bad: int
    rejected_bad: int
    unscored: int

    @property
    def good(self) -> int:
        """How many good solutions there are."""
        return self.accepted_good + self.rejected_good

    @property
    def bad(self) -> int:
        """How many bad ones there are."""
        return self.accepted_bad + self.rejected_bad

    @property
    def scored(self) -> int:
        """How many verdicts there are."""
        return self.good + self.bad

    @property
    def agreeing(self) -> Interval:
        """The share that is as labelled."""
        return wilson_interval(self.accepted_good + self.rejected_bad, self.scored)

    @property
    def false_accepts(self) -> Interval:
        """The share of bad solutions that the judge accepts."""
        return wilson_interval(self.accepted_bad, self.bad)

    @property
    def kappa(self) -> float | None:
        """Agreement beyond chance; None where all labels are alike, for then chance is all there is."""
        n, good = self.scored, self.good
        accepted = self.accepted_good + self.accepted_bad
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


@dataclass(frozen=True, kw_only=True)
class _JudgedKind:
    """One judge's verdicts on all solutions, or on those of one kind."""

    judge: str
    kind: str
    records: Sequence[Record]

    @cached_property
    def found(self) -> Agreement:
        return agreement(self.records)

    def part(self, name: str) -> float | None:
        return rate(row.passed for record in self.records for row in record.score.fields if row.field == name)


CALIBRATION: Table[_JudgedKind] = Table(
    ("judge", lambda one: one.judge),
    ("kind", lambda one: one.kind),  # all, or what sort: right, wrong, gap, empty, injection, false_rigour
    ("n", lambda one: len(one.records)),
    ("unscored_n", lambda one: one.found.unscored),  # no usable verdict
    ("scored_n", lambda one: one.found.scored),
    ("coverage", lambda one: one.found.scored / len(one.records)),
    ("agreement", lambda one: one.found.agreeing.rate),  # of text_ok with the label, over scored ones
    ("agreement_low", lambda one: one.found.agreeing.low),
    ("agreement_high", lambda one: one.found.agreeing.high),
    ("kappa", lambda one: one.found.kappa),  # Cohen's
    ("should_fail_n", lambda one: one.found.bad),
    ("false_accepts", lambda one: one.found.accepted_bad),
    ("false_accept_rate", lambda one: one.found.false_accepts.rate),
    ("false_accept_low", lambda one: one.found.false_accepts.low),
    ("false_accept_high", lambda one: one.found.false_accepts.high),
    ("should_pass_n", lambda one: one.found.good),
    ("false_rejects", lambda one: one.found.rejected_good),
    ("false_reject_rate", lambda one: one.found.rejected_good / one.found.good if one.found.good else None),
    ("reasoning_agreement", lambda one: one.part("reasoning_rigorous")),
    ("conclusion_agreement", lambda one: one.part("conclusion_correct")),
)


def write_calibration(records: Iterable[Record], folder: Path) -> None:
    """Write calibration.csv.

    Raises:
        OSError: the folder cannot be written.
    """
    write_csv(folder / "calibration.csv", CALIBRATION.columns, calibration_rows(records))


def calibration_rows(records: Iterable[Record]) -> list[dict[str, Cell]]:
    """One row per judge for all its cases, then one for each kind of solution."""
    return CALIBRATION.rows(one for judge, own in _by_judge(records) for one in _kinds(judge, own))


def _by_judge(records: Iterable[Record]) -> list[tuple[str, list[Record]]]:
    return sorted(grouped(records, lambda record: f"{record.provider}:{record.model}").items())


def _kinds(judge: str, records: Sequence[Record]) -> Iterator[_JudgedKind]:
    yield _JudgedKind(judge=judge, kind="all", records=records)
    for kind, own in sorted(grouped(records, lambda record: record.family).items()):
        yield _JudgedKind(judge=judge, kind=kind, records=own)


def calibration_text(records: Iterable[Record]) -> list[str]:
    """Return lines for the terminal: how far each judge agrees with the labels."""
    return [line for judge, own in _by_judge(records) for line in _lines(judge, agreement(own))]


def _lines(judge: str, found: Agreement) -> list[str]:
    total = found.scored + found.unscored
    kappa = "not defined" if found.kappa is None else f"{found.kappa:.2f}"
    return [
        f"judge {judge}: {found.scored} of {total} verdicts usable; "
        f"agreement {_share(found.agreeing)}, kappa {kappa}",
        f"false accepts {found.accepted_bad} of {found.bad}: {_share(found.false_accepts)}; "
        f"false rejects {found.rejected_good} of {found.good}",
    ]


def _share(interval: Interval) -> str:
    if interval.rate is None or interval.low is None or interval.high is None:
        return "unknown"
    return f"{100 * interval.rate:.1f} % ({100 * interval.low:.1f} to {100 * interval.high:.1f})"
