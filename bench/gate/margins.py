"""By how much a new model may be worse and still count as no worse: fixed before the run, in percentage points."""

from __future__ import annotations

from bench.options import Margins

__all__ = ["default_margins"]


def default_margins(suites_n: int) -> Margins:
    """Return the margins with which an unchanged model usually passes: 4/8 for several suites, 6 for one alone."""
    return Margins(overall=4.0, suite=8.0) if suites_n > 1 else Margins(overall=6.0, suite=6.0)
