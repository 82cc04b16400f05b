"""How many more cases or repeats would decide, and what they cost by what the runs themselves cost."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from bench.gate.result import Further
from bench.statistics.comparison import OVERALL, counted
from bench.statistics.levels import ALPHA_SUITES, POWER
from bench.statistics.planning import (
    cases_for_regression,
    cases_for_upgrade,
    growth_for_upgrade,
    repeats_for,
    required_discordance,
)
from bench.statistics.tests import overall_deff

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bench.options import Margins
    from bench.statistics.comparison import SuitePairs
    from bench.statistics.tests import Paired

__all__ = ["Plan", "Repeats", "further_evidence"]

Repeats = int | Literal["never"] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What all needs are computed with; `cost_per_run_usd` is of one request to both models."""

    margins: Margins
    repeats: int
    power: float
    alpha: float
    cost_per_run_usd: float | None

    def needs(self, name: str, n: int, *, upgrade: int, regression: int, repeats: Repeats = None) -> Further:
        """Return what is needed beyond n cases with the present repeats, and its cost."""
        further = max(upgrade, regression, n) - n
        more_repeats = max(0, repeats - self.repeats) if isinstance(repeats, int) else None
        return Further(
            name=name,
            n=n,
            upgrade_cases=upgrade,
            regression_cases=regression,
            further_cases=further,
            cost_usd=self._cost(further * self.repeats),
            repeats=repeats,
            repeats_cost_usd=None if more_repeats is None else self._cost(n * more_repeats),
        )

    def _cost(self, runs: int) -> float | None:
        return None if self.cost_per_run_usd is None else runs * self.cost_per_run_usd


def further_evidence(
    suites: Sequence[SuitePairs],
    *,
    margins: Margins,
    run_noise: Mapping[str, float],
    cost_per_run_usd: float | None,
) -> list[Further]:
    """Return what all suites together (where there are several) and each of them need.

    `run_noise` is by suite the share of cases in which two runs of the old model differ.
    """
    counts = {suite.name: count for suite in suites if (count := counted(suite, "complete")) is not None}
    if not counts:
        return []
    plan = Plan(
        margins=margins,
        repeats=suites[0].repeats,
        power=1 - (1 - POWER) / len(counts),
        alpha=ALPHA_SUITES / (len(counts) + (len(counts) > 1)),
        cost_per_run_usd=cost_per_run_usd,
    )
    each = [_suite(name, count, plan, run_noise.get(name)) for name, count in counts.items()]
    return [_overall(list(counts.values()), plan), *each] if len(counts) > 1 else each


def _overall(counts: Sequence[Paired], plan: Plan) -> Further:
    n, margin = sum(count.n for count in counts), plan.margins.overall / 100
    discordance = sum(count.losses + count.gains for count in counts) / n
    return plan.needs(
        OVERALL,
        n,
        upgrade=math.ceil(n * growth_for_upgrade(counts, margin, power=plan.power)),
        regression=cases_for_regression(
            discordance, -margin, alpha=plan.alpha, deff=overall_deff(counts), power=plan.power
        ),
    )


def _suite(name: str, count: Paired, plan: Plan, run_noise: float | None) -> Further:
    margin = plan.margins.suite / 100
    return plan.needs(
        name,
        count.n,
        upgrade=cases_for_upgrade(count.discordance, margin, deff=count.deff, power=plan.power),
        regression=cases_for_regression(
            count.discordance, -margin, alpha=plan.alpha, deff=count.deff, power=plan.power
        ),
        repeats=None if run_noise is None else _repeats(count, margin, run_noise, plan),
    )


def _repeats(count: Paired, margin: float, run_noise: float, plan: Plan) -> Repeats:
    """Return the repeats with which the present cases certify the margin."""
    required = required_discordance(count.n, margin, deff=count.cluster_effect, power=plan.power)
    lasting = count.discordance * count.repeat_effect - run_noise / plan.repeats  # what repeats cannot average out
    return repeats_for(max(lasting, 0.0) + run_noise, run_noise, required) or "never"
