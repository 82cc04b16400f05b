"""When a case passes: every threshold of the suite, in one table."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["THRESHOLDS", "Thresholds"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """What a passing answer may miss the truth by; bounds are inclusive.

    | task | passes when |
    |---|---|
    | COUNT | the count is exact |
    | PATTERN, REGULARITY | the label is the truth |
    | SIZE, SPACING | every length within `length_rel` of the truth |
    | LOCATE | F1 at least `locate_f1` |
    | DEFECT | the verdict is right, and both counts within `defect_count` |

    A predicted position counts for a dot within one dot diameter, at most `locate_share` of the lattice spacing
    or, without a lattice, of sqrt(area / count).
    """

    count_within: int = 2
    length_rel: float = 0.20
    locate_f1: float = 0.9
    locate_share: float = 0.25
    defect_count: int = 1


THRESHOLDS = Thresholds()
