"""Paired results for tests: from counts, and by Hypothesis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st

from bench.statistics.tests import CasePair

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["case_pairs", "from_clusters", "from_counts", "from_passes", "swapped"]


def from_counts(losses: int, gains: int, n: int) -> list[CasePair]:
    """Single cases, asked once."""
    outcomes = [(1, 0)] * losses + [(0, 1)] * gains + [(1, 1)] * (n - losses - gains)
    return from_passes(*zip(*outcomes, strict=True))


def from_passes(old: Iterable[int], new: Iterable[int]) -> list[CasePair]:
    """Single cases, each with its passes."""
    return [
        CasePair(old_passes=before, new_passes=after, cluster=str(place))
        for place, (before, after) in enumerate(zip(old, new, strict=True))
    ]


def from_clusters(sizes: Sequence[int], losses: Sequence[int], gains: Sequence[int]) -> list[CasePair]:
    """Clusters of cases, asked once."""
    found = []
    for place, (size, lost, gained) in enumerate(zip(sizes, losses, gains, strict=True)):
        outcomes = [(1, 0)] * lost + [(0, 1)] * gained + [(0, 0)] * (size - lost - gained)
        found += [CasePair(old_passes=old, new_passes=new, cluster=str(place)) for old, new in outcomes]
    return found


def swapped(cases: Iterable[CasePair]) -> list[CasePair]:
    """The same results with old and new exchanged."""
    return [
        CasePair(old_passes=case.new_passes, new_passes=case.old_passes, cluster=case.cluster) for case in cases
    ]


@st.composite
def case_pairs(draw: st.DrawFn, *, repeats: int, most: int = 40, clustered: bool = True) -> list[CasePair]:
    """Any paired results."""
    passes = st.integers(0, repeats)
    n = draw(st.integers(1, most))
    names = st.integers(0, 8 if clustered else 0)
    return [
        CasePair(
            old_passes=draw(passes),
            new_passes=draw(passes),
            cluster=str(draw(names)) if clustered else str(place),
        )
        for place in range(n)
    ]
