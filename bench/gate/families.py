"""Regressions of single families: sign-flip tests over items, corrected for their number by Holm's method."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.gate.pairing import filled
from bench.gate.result import FamilyChange
from bench.statistics.tests import holm, losses_and_gains, sign_flip_mid_p
from bench.tables.field_rows import grouped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.gate.pairing import Filling, SuitePairs
    from bench.statistics.tests import CasePair

__all__ = ["ALPHA_FAMILIES", "family_changes"]

ALPHA_FAMILIES = 0.02


def family_changes(suites: Sequence[SuitePairs], filling: Filling) -> list[FamilyChange]:
    """Test every family of every suite; those that regressed first, then by p, suite and name.

    Missing runs are filled for the test alone: cases, losses and gains are those that were measured.
    """
    families = [(suite, family, pairs) for suite in suites for family, pairs in suite.families().items()]
    tested = [(*one, cases) for one in families if (cases := filled(one[2], filling))]
    adjusted = holm([sign_flip_mid_p(_by_item(cases)) for *_, cases in tested])
    changes = [
        _change(suite, family, filled(pairs, "complete"), p)
        for (suite, family, pairs, _), p in zip(tested, adjusted, strict=True)
    ]
    return sorted(changes, key=lambda change: (change.p, change.suite, change.family))


def _change(suite: SuitePairs, family: str, measured: Sequence[CasePair], p: float) -> FamilyChange:
    losses, gains = losses_and_gains(measured, repeats=suite.repeats)
    return FamilyChange(
        suite=suite.name,
        family=family,
        n=len(measured),
        losses=losses,
        gains=gains,
        p=p,
        regressed=p <= ALPHA_FAMILIES,
    )


def _by_item(cases: Sequence[CasePair]) -> list[int]:
    """Return the whole differences of items, which are what can be exchanged."""
    return [sum(case.gained for case in own) for own in grouped(cases, lambda case: case.cluster).values()]
