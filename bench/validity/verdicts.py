"""From what was measured of a field to what is said about it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bench.statistics.intervals import wilson_interval

if TYPE_CHECKING:
    from bench.validity.report import FieldValidity, Leak, Verdict

__all__ = ["LEAK_RATE", "judged"]

LEAK_RATE = 0.10
"""A field leaks when more than this share of such items passes, above chance, without what should be looked at.

It must be so with 95 % confidence: the low end of Wilson's interval counts (7 of 30 items are needed).
"""


def judged(field: FieldValidity) -> FieldValidity:
    """Return the field with its leaks and verdicts; more than one may hold, none of them is `sound`."""
    leaks = _leaks(field)
    verdicts: list[Verdict] = ["leaks"] if leaks else []
    if field.below_1_px:
        verdicts.append("finer than a pixel")
    if field.beyond_axes:
        verdicts.append("not shown")
    return replace(field, leaks_by=leaks, verdicts=tuple(verdicts) or ("sound",))


def _leaks(field: FieldValidity) -> tuple[Leak, ...]:
    rates: tuple[tuple[Leak, float | None], ...] = (
        ("constant", field.blind_other_seeds),
        ("question", field.in_question),
        ("place", field.constant_place),
        ("axes", field.other_axes),
    )
    return tuple(leak for leak, rate in rates if rate is not None and _at_least(rate, field) > LEAK_RATE)


def _at_least(rate: float, field: FieldValidity) -> float:
    """Return what a rate is above chance with 95 % confidence."""
    return (wilson_interval(rate * field.items, field.items).low or 0.0) - field.chance
