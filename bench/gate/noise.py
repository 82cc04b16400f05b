"""The noise floor of a comparison: from a second run of the old model, or from the old run's own repeats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.gate.pairing import filled
from bench.gate.result import Noise
from bench.statistics.tests import drift_p, noise_floor, repeat_noise

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bench.gate.pairing import SuitePairs
    from bench.statistics.tests import CasePair

__all__ = ["measured_noise", "run_noise_by_suite"]


def measured_noise(
    suites: Sequence[SuitePairs], second_run: Sequence[SuitePairs] | None, delta: float | None
) -> Noise | None:
    """Return the noise floor, `second_run` being the old run against its repetition; None where nothing tells."""
    repeats = suites[0].repeats
    if second_run is None and repeats == 1:
        return None
    source = suites if second_run is None else second_run
    cases = [case for suite in source for case in filled(suite.pairs, "complete")]
    if not cases:
        return None
    floor = noise_floor(
        _discordant(cases, repeats, second=second_run is not None),
        len(cases),
        repeats=repeats,
    )
    return Noise(
        source="repeats" if second_run is None else "second run",
        n=len(cases),
        rate=floor.rate,
        upper=floor.upper,
        band=floor.band,
        within=delta is not None and abs(delta) <= floor.band,
        drift_p=None if second_run is None else drift_p(cases),
    )


def run_noise_by_suite(
    suites: Sequence[SuitePairs], second_run: Sequence[SuitePairs] | None
) -> Mapping[str, float]:
    """Return by suite the share of cases in which two single runs of the old model differ, where that is known."""
    repeats = suites[0].repeats
    if second_run is None and repeats == 1:
        return {}
    source = suites if second_run is None else second_run
    cases = {suite.name: filled(suite.pairs, "complete") for suite in source}
    return {
        name: _discordant(own, repeats, second=second_run is not None) / len(own)
        for name, own in cases.items()
        if own
    }


def _discordant(cases: Sequence[CasePair], repeats: int, *, second: bool) -> float:
    """Return in how many cases two single runs of the old model differ, in the mean over pairs of runs."""
    if not second:
        return repeat_noise([case.old_passes for case in cases], repeats=repeats)
    return sum(
        case.old_passes * (repeats - case.new_passes) + case.new_passes * (repeats - case.old_passes)
        for case in cases
    ) / (repeats * repeats)
