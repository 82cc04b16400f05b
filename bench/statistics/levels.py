"""The levels, powers and margins that decide, in one place: fixed before a run."""

from __future__ import annotations

from bench.options import Margins

__all__ = [
    "ALPHA_FAMILIES",
    "ALPHA_SUITES",
    "ALPHA_TWO_SIDED",
    "ALPHA_UPGRADE",
    "DRIFT_LEVEL",
    "MOST_MISSING",
    "POWER",
    "default_margins",
]

ALPHA_UPGRADE = 0.045
"""One-sided level of the upgrade's lower limits: not .05, to absorb the interval's overshoot."""

ALPHA_SUITES = 0.03
"""Level of "worse overall or in a suite", shared by these tests (Holm)."""

ALPHA_FAMILIES = 0.02
"""Level of "worse in a family", shared by all families (Holm)."""

ALPHA_TWO_SIDED = 0.05
"""Level of the intervals that are shown."""

DRIFT_LEVEL = 0.05
"""Level at which two runs of one model differ by more than chance."""

MOST_MISSING = 0.05
"""Share of a suite's runs that may be missing."""

POWER = 0.8
"""Chance with which sample sizes certify a margin when nothing has changed."""


def default_margins(suites_n: int) -> Margins:
    """Return the margins with which an unchanged model usually passes: 4/8 for several suites, 6 for one alone."""
    return Margins(overall=4.0, suite=8.0) if suites_n > 1 else Margins(overall=6.0, suite=6.0)
