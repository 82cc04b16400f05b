"""Each suite and all suites together: differences, limits, tests, and whether the margins hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from bench.gate.pairing import counted, filled
from bench.gate.result import Comparison, Figures
from bench.statistics.intervals import overall_deff, overall_delta, overall_limits, overall_regression_p
from bench.statistics.planning import overall_resolvable_margin
from bench.statistics.tests import ALPHA_TWO_SIDED, ALPHA_UPGRADE, Paired, holm, paired, these_items_limits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.gate.pairing import Filling, SuitePairs
    from bench.options import Margins

__all__ = ["ALPHA_SUITES", "OVERALL", "Decided", "compare", "decided", "figures"]

ALPHA_SUITES = 0.03
OVERALL = "overall"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """What one way of filling decides: overall first, then the suites. One suite is one test, not two."""

    names: tuple[str, ...]
    lows: tuple[float, ...]
    p_values: tuple[float, ...]

    def holds(self, place: int, margins: Margins) -> bool:
        """Whether the lower limit lies above the margin."""
        return 100 * self.lows[place] > -(margins.overall if place == 0 else margins.suite)

    def all_hold(self, margins: Margins) -> bool:
        """Whether all lower limits lie above their margins: intersection-union, so no correction (Berger 1982)."""
        return all(self.holds(place, margins) for place in range(len(self.lows)))

    def regressed(self, place: int) -> bool:
        """Whether the new model is proven worse."""
        return self.p_values[place] <= ALPHA_SUITES


def decided(suites: Sequence[SuitePairs], filling: Filling) -> Decided | None:
    """Compute lower limits and Holm-adjusted p-values; None where a suite has no case left."""
    counts = [counted(suite, filling) for suite in suites]
    present = [count for count in counts if count is not None]
    return _decided([suite.name for suite in suites], present) if len(present) == len(suites) else None


def _filled(suites: Sequence[SuitePairs], filling: Literal["worst", "best"]) -> Decided:
    counts = [paired(filled(suite.pairs, filling), repeats=suite.repeats) for suite in suites]
    return _decided([suite.name for suite in suites], counts)


def _decided(names: Sequence[str], counts: Sequence[Paired]) -> Decided:
    tests = [overall_regression_p(counts), *(count.regression_p() for count in counts)]
    adjusted = [tests[0]] * 2 if len(counts) == 1 else holm(tests)
    return Decided(
        names=(OVERALL, *names),
        lows=(
            overall_limits(counts, ALPHA_UPGRADE).low,
            *(count.limits(ALPHA_UPGRADE).low for count in counts),
        ),
        p_values=tuple(adjusted),
    )


def compare(suites: Sequence[SuitePairs], *, margins: Margins) -> list[Comparison]:
    """Return overall and then each suite: figures of complete cases, decisions of the fillings."""
    worst, best = _filled(suites, "worst"), _filled(suites, "best")
    groups = [(OVERALL, suites), *((suite.name, [suite]) for suite in suites)]
    return [
        Comparison(
            name=name,
            n=sum(len(suite.pairs) for suite in own),
            missing_n=sum(pair.missing_runs > 0 for suite in own for pair in suite.pairs),
            complete=figures(own),
            margin=(margins.suite if place else margins.overall) / 100,
            worst_low=worst.lows[place],
            holds_margin=worst.holds(place, margins),
            regression_p=best.p_values[place],
            regressed=best.regressed(place),
        )
        for place, (name, own) in enumerate(groups)
    ]


def figures(suites: Sequence[SuitePairs]) -> Figures | None:
    """Return what the complete cases of these suites say; None where there is none."""
    counts = [count for suite in suites if (count := counted(suite, "complete")) is not None]
    if not counts:
        return None
    cases = [case for suite in suites for case in filled(suite.pairs, "complete")]
    repeats = suites[0].repeats
    return Figures(
        n=len(cases),
        old_rate=sum(case.old_passes for case in cases) / (repeats * len(cases)),
        new_rate=sum(case.new_passes for case in cases) / (repeats * len(cases)),
        losses=sum(count.losses for count in counts),
        gains=sum(count.gains for count in counts),
        delta=overall_delta(counts),
        limits=overall_limits(counts, ALPHA_TWO_SIDED / 2),
        deff=overall_deff(counts),
        resolvable=overall_resolvable_margin(counts),
        these_items=these_items_limits(cases, repeats=repeats) if repeats > 1 else None,
    )
