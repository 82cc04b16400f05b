"""Problems listed without making them, and without loading what makes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from generators.auxsolidmath.registry import FAMILIES, PROVING

if TYPE_CHECKING:
    from generators.auxsolidmath.family import Difficulty, Kind

__all__ = ["EASY", "HARD", "ProblemRef", "list_problems"]

EASY, HARD = 150, 152
"""Standard numbers of problems."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemRef:
    """What is known of a problem before it is made; `index` counts within its family."""

    id: str
    family: str
    index: int
    difficulty: Difficulty
    kind: Kind


def list_problems(*, easy: int = EASY, hard: int = HARD) -> list[ProblemRef]:
    """List problems: easy before hard, then by family, then by index. Every seed has the same ids.

    The first n problems of a split are spread evenly over its families: fewer are a part of more.

    Raises:
        ValueError: a number below 0.
    """
    counts: dict[Difficulty, int] = {"easy": easy, "hard": hard}
    if min(counts.values()) < 0:
        raise ValueError(f"expected at least 0 easy and 0 hard problems, got {easy!r} and {hard!r}")
    refs = [
        ProblemRef(
            id=f"auxsolidmath_{difficulty}-{name}-{place // len(FAMILIES[difficulty]):03d}",
            family=name,
            index=place // len(FAMILIES[difficulty]),
            difficulty=difficulty,
            kind="PROVING" if name in PROVING else "CALCULATION",
        )
        for difficulty in FAMILIES
        for place in range(counts[difficulty])
        for name in [FAMILIES[difficulty][place % len(FAMILIES[difficulty])]]
    ]
    return sorted(refs, key=lambda ref: (list(FAMILIES).index(ref.difficulty), ref.family, ref.index))
