"""Tests of paired binary results, and Holm's correction for several of them.

Sources: M. W. Fagerland, S. Lydersen and P. Laake (2013), BMC Medical Research Methodology 13:91 (McNemar mid-p);
S. Holm (1979), Scandinavian Journal of Statistics 6, 65-70. The sign-flip distribution is exact when old and new
are exchangeable within an item; with single cases and one repeat its mid-p is McNemar's.
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["exact_mcnemar_p", "holm", "mcnemar_mid_p", "sign_flip_mid_p", "sign_flip_two_sided_p"]


def mcnemar_mid_p(losses: int, gains: int) -> float:
    """Return the one-sided mid-p of "new is worse".

    P(X >= losses) - P(X = losses) / 2, X binomial with losses + gains trials of probability 1/2.
    """
    return sign_flip_mid_p([-1] * losses + [1] * gains)


def exact_mcnemar_p(losses: int, gains: int) -> float:
    """Return McNemar's exact two-sided p."""
    return sign_flip_two_sided_p([-1] * losses + [1] * gains)


def sign_flip_mid_p(differences: Iterable[int]) -> float:
    """Return the one-sided mid-p of "new is worse" over all sign patterns of whole differences (new - old)."""
    present = [difference for difference in differences if difference]
    counts = _distribution(present)
    observed = sum(difference for difference in present if difference > 0)
    below, at = sum(counts[:observed]), counts[observed]
    return (2 * below + at) / (2 << len(present))


def sign_flip_two_sided_p(differences: Iterable[int]) -> float:
    """Return the exact two-sided p of "old and new differ": twice the smaller tail, at most 1."""
    present = [difference for difference in differences if difference]
    counts = _distribution(present)
    observed = sum(difference for difference in present if difference > 0)
    tail = min(sum(counts[: observed + 1]), sum(counts[observed:]))
    return min(1.0, 2 * tail / (1 << len(present)))


def _distribution(differences: Sequence[int]) -> list[int]:
    """Count the sign patterns by the sum of their positive part, which decides their total."""
    counts = [1]
    for size in map(abs, differences):
        counts = [stay + flip for stay, flip in zip(counts + [0] * size, [0] * size + counts, strict=True)]
    return counts


def holm(p_values: Sequence[float]) -> list[float]:
    """Return Holm's adjusted p-values, in the order given: reject those at or below the level."""
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    steps = (min(1.0, (len(order) - rank) * p_values[place]) for rank, place in enumerate(order))
    adjusted = dict(zip(order, accumulate(steps, max), strict=True))
    return [adjusted[place] for place in range(len(p_values))]
