"""What the gate found, as plain data for files, pages and the terminal. Rates and differences are proportions."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

from bench.statistics.levels import DRIFT_LEVEL, MOST_MISSING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.options import Margins
    from bench.statistics.comparison import Figures, SuitePairs

__all__ = [
    "EXIT_CODES",
    "CaseChange",
    "Comparison",
    "FamilyChange",
    "Findings",
    "Further",
    "GateResult",
    "Noise",
    "Reason",
    "RunFacts",
    "Verdict",
]

Verdict = Literal["upgrade", "regression", "inconclusive", "invalid"]
Reason = Literal["no worse", "worse", "missing", "precision", "unlike", "incomplete", "drift"]

EXIT_CODES: dict[Verdict, int] = {"upgrade": 0, "regression": 1, "inconclusive": 10, "invalid": 11}


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFacts:
    """One of the runs compared. `cost_usd` is None where a price is unknown."""

    label: str
    provider: str
    model: str
    started: str
    cases_n: int
    repeats: int
    cost_usd: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """One suite, or all of them (`name` "overall"), and what is decided about it.

    `n` counts cases, `missing_n` those in which a run of either model is missing; `complete` is of the rest.
    `worst_low` is the one-sided lower limit (level .045) of new - old with missing runs filled in against the new
    model: the upgrade is judged by it. `regression_p` is Holm's adjusted one-sided p with missing runs filled in
    favour of the new model.
    """

    name: str
    n: int
    missing_n: int
    complete: Figures | None
    margin: float
    worst_low: float
    holds_margin: bool
    regression_p: float
    regressed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyChange:
    """One family of a suite, with missing runs filled in favour of the new model.

    `p` is Holm's adjusted one-sided p.
    """

    suite: str
    family: str
    n: int
    losses: float
    gains: float
    p: float
    regressed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseChange:
    """A case whose verdict (by majority of repeats) changed.

    Passes are out of the runs' repeats. Errors are the worst final field's, in tolerances (1 is just right), the
    median of the repeats; None where an answer had no number, or where the task has no tolerance.
    """

    suite: str
    family: str
    item_id: str
    task: str | None
    old_passes: int
    new_passes: int
    old_error: float | None
    new_error: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Noise:
    """How much two runs of the old model differ: the share of cases, and the band of `delta` it explains."""

    source: Literal["second run", "repeats"]
    n: int
    rate: float
    upper: float
    band: float
    within: bool
    drift_p: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Further:
    """What would decide about one suite, or all (`name` "overall"), with a power of 80 % for all suites together.

    `upgrade_cases`: cases that certify the margin when nothing has changed; `regression_cases`: cases that find a
    drop as large as the margin. `further_cases` is what the larger of the two needs beyond the present ones.
    `repeats` of these cases would certify the margin: a number, "never", or None where run noise is unknown.
    Costs are of further requests to both models, None where a price is unknown.
    """

    name: str
    n: int
    upgrade_cases: int
    regression_cases: int
    further_cases: int
    cost_usd: float | None
    repeats: int | Literal["never"] | None
    repeats_cost_usd: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """All that the verdict is read off."""

    suites: Sequence[SuitePairs]
    margins: Margins
    comparisons: Sequence[Comparison]
    families: Sequence[FamilyChange]
    noise: Noise | None

    @property
    def regressed(self) -> bool:
        """Whether anything is proven worse, even with missing runs filled in favour of the new model."""
        return any(one.regressed for one in self.comparisons) or any(one.regressed for one in self.families)

    @property
    def holds_margins(self) -> bool:
        """Whether every margin holds, even with missing runs filled in against the new model."""
        return all(one.holds_margin for one in self.comparisons)

    @property
    def too_many_missing(self) -> SuitePairs | None:
        """The first suite of which too many runs are missing."""
        return next((suite for suite in self.suites if suite.missing_share > MOST_MISSING), None)

    @property
    def drifted(self) -> bool:
        """Whether two runs of the old model differ by more than chance."""
        return self.noise is not None and self.noise.drift_p is not None and self.noise.drift_p < DRIFT_LEVEL


@dataclass(frozen=True, slots=True, kw_only=True)
class GateResult:
    """The verdict and what it rests on; for an invalid one the comparison may be empty.

    `why` is one sentence. `within_margin`: a proven regression that is still smaller than the margins.
    Changed cases stand worst first: failing by how far they are off now, then by id.
    """

    verdict: Verdict
    reason: Reason
    why: str
    old: RunFacts
    new: RunFacts
    margins: Margins
    within_margin: bool = False
    overall: Comparison | None = None
    suites: tuple[Comparison, ...] = ()
    families: tuple[FamilyChange, ...] = ()
    newly_failing: tuple[CaseChange, ...] = ()
    newly_passing: tuple[CaseChange, ...] = ()
    noise: Noise | None = None
    further: tuple[Further, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def exit_code(self) -> int:
        """0 upgrade, 1 regression, 10 inconclusive, 11 invalid."""
        return EXIT_CODES[self.verdict]

    def to_json(self) -> dict[str, Any]:
        """Return JSON-safe content: all fields, and the exit code."""
        return {"format": 1, **asdict(self), "exit_code": self.exit_code}
