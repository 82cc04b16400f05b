"""Outcomes of runs for tests: from counts of losses and gains, spread over families."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bench.results.comparability import CaseOutcome, RunOutcomes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bench.results.comparability import Result

__all__ = ["case", "flipped", "run", "sides", "suite_sides"]

FAMILIES = 15


def case(item_id: str = "step_response_000", *results: Result, **changes: Any) -> CaseOutcome:
    """One case; passed once unless results are given."""
    given: tuple[Result, ...] = results or ("passed",)
    values: dict[str, Any] = {
        "suite": "plotchain",
        "family": item_id.rpartition("_")[0] or "family",
        "item_id": item_id,
        "task": None,
        "item_digest": "1f" * 8,
        "prompt_digest": "2e" * 8,
        "picture_digest": None,
        "results": given,
        "errors": tuple(0.5 if result == "passed" else 2.0 for result in given),
    }
    return CaseOutcome(**{**values, **changes})


def run(cases: Iterable[CaseOutcome], *, label: str = "OLD", **changes: Any) -> RunOutcomes:
    """One model's run of these cases."""
    kept = tuple(cases)
    values: dict[str, Any] = {
        "label": label,
        "provider": "openai",
        "model": f"model-{label.lower()}",
        "started": "2026-01-04T00:00:00+00:00",
        "selected": len(kept),
        "repeats": len(kept[0].results) if kept else 1,
        "cost_usd": 4.5,
        "scorers_sha256": "ab" * 32,
        "judge": None,
        "policies": {one.suite: "plotread" for one in kept},
        "question": {"shots": 0},
        "settings": {"temperature": 0.0},
        "cases": kept,
    }
    return RunOutcomes(**{**values, **changes})


def sides(
    losses: int, gains: int, n: int, *, passed: int | None = None, **changes: Any
) -> tuple[RunOutcomes, RunOutcomes]:
    """Old and new run of one suite without clusters; losses and gains go round the families."""
    old, new = suite_sides("plotchain", losses, gains, n, passed=passed)
    return run(old, label="OLD", **changes), run(new, label="NEW", **changes)


def flipped(outcomes: RunOutcomes, losses: int, gains: int, *, label: str) -> RunOutcomes:
    """The same run with the last `losses` passed cases failed and the last `gains` failed ones passed."""
    wanted = {"passed": losses, "failed": gains}
    cases = []
    for one in reversed(outcomes.cases):
        result = one.results[0]
        flips = wanted.get(result, 0) > 0
        wanted[result] = wanted.get(result, 0) - 1
        turned: Result = "failed" if result == "passed" else "passed"
        cases.append(replace(one, results=(turned,)) if flips else one)
    return replace(outcomes, cases=tuple(reversed(cases)), label=label)


def suite_sides(
    suite: str, losses: int, gains: int, n: int, *, passed: int | None = None, cases_per_item: int = 1
) -> tuple[list[CaseOutcome], list[CaseOutcome]]:
    """Old and new cases of a suite; of the concordant ones `passed` pass (half without it)."""
    same = n - losses - gains
    both = same // 2 if passed is None else passed
    outcomes = [(1, 0)] * losses + [(0, 1)] * gains + [(1, 1)] * both + [(0, 0)] * (same - both)
    return _cases(suite, [old for old, _ in outcomes], cases_per_item), _cases(
        suite, [new for _, new in outcomes], cases_per_item
    )


def _cases(suite: str, passes: Sequence[int], cases_per_item: int) -> list[CaseOutcome]:
    return [
        case(
            f"f{place % FAMILIES:02d}_{place // cases_per_item:03d}",
            "passed" if passed else "failed",
            suite=suite,
            family=f"f{place % FAMILIES:02d}",
            task=f"T{place % cases_per_item}" if cases_per_item > 1 else None,
        )
        for place, passed in enumerate(passes)
    ]
