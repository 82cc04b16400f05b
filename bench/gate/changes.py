"""Which cases changed: those newly failing by how far they are off now, newly passing by how far they were."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

from bench.gate.result import CaseChange
from bench.models.types import natural_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bench.gate.outcomes import CaseOutcome
    from bench.gate.pairing import Pair, SuitePairs

__all__ = ["newly_failing", "newly_passing"]


def newly_failing(suites: Iterable[SuitePairs]) -> list[CaseChange]:
    """List cases that the old model passed and the new one fails; an answer without a number is worst of all."""
    changed = (_change(pair) for pair in _complete(suites) if _passed(pair.old) and not _passed(pair.new))
    return sorted(changed, key=lambda change: (_badness(change.new_error), *_order(change)))


def newly_passing(suites: Iterable[SuitePairs]) -> list[CaseChange]:
    """List cases that the old model failed and the new one passes."""
    changed = (_change(pair) for pair in _complete(suites) if _passed(pair.new) and not _passed(pair.old))
    return sorted(changed, key=lambda change: (_badness(change.old_error), *_order(change)))


def _complete(suites: Iterable[SuitePairs]) -> list[Pair]:
    return [pair for suite in suites for pair in suite.pairs if not pair.missing_runs]


def _passed(outcome: CaseOutcome) -> bool:
    """Whether more than half of the repeats passed; half is not enough."""
    return 2 * _passes(outcome) > len(outcome.results)


def _passes(outcome: CaseOutcome) -> int:
    return outcome.results.count("passed")


def _change(pair: Pair) -> CaseChange:
    return CaseChange(
        suite=pair.old.suite,
        family=pair.old.family,
        item_id=pair.old.item_id,
        task=pair.old.task,
        old_passes=_passes(pair.old),
        new_passes=_passes(pair.new),
        old_error=_typical(pair.old.errors),
        new_error=_typical(pair.new.errors),
    )


def _typical(errors: Sequence[float | None]) -> float | None:
    """Return the median; a repeat without a number lies above all others."""
    middle = median(float("inf") if error is None else error for error in errors)
    return None if middle == float("inf") else middle


def _badness(error: float | None) -> tuple[bool, float]:
    return (error is not None, 0.0 if error is None else -error)


def _order(change: CaseChange) -> tuple[object, ...]:
    return (change.suite, natural_key(change.item_id), change.task or "")
