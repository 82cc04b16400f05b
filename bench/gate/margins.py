"""By how much a new model may be worse and still count as no worse: fixed before the run, in percentage points."""

from __future__ import annotations

import math
from dataclasses import dataclass

__all__ = ["Margins", "default_margins", "parse_margins"]

STRICT = "strict"
_LARGEST = 100.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Margins:
    """Percentage points: `overall` for all suites together, `suite` for each one."""

    overall: float
    suite: float

    def __post_init__(self) -> None:
        if not all(math.isfinite(points) and 0 < points <= _LARGEST for points in (self.overall, self.suite)):
            raise ValueError(f"margins are points above 0 and up to 100, got {self.overall!r} and {self.suite!r}")

    def __str__(self) -> str:
        return f"{self.overall:g}/{self.suite:g}"


def default_margins(suites_n: int) -> Margins:
    """Return the margins with which an unchanged model usually passes: 4/8 for several suites, 6 for one alone."""
    return Margins(overall=4.0, suite=8.0) if suites_n > 1 else Margins(overall=6.0, suite=6.0)


def parse_margins(text: str) -> Margins:
    """Read "overall/suite" points such as 4/8, one number for both, or "strict", which is 2/2.

    Raises:
        ValueError: another form, or points that are not above 0 and up to 100.
    """
    if text.strip().lower() == STRICT:
        return Margins(overall=2.0, suite=2.0)
    overall, slash, suite = text.partition("/")
    try:
        return Margins(overall=float(overall), suite=float(suite if slash else overall))
    except ValueError:
        raise ValueError(
            f'points above 0 and up to 100 as overall/suite, such as 4/8, or "{STRICT}" (2/2)'
        ) from None
