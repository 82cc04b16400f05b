"""Comparing an answer that must be one value: a number, an angle, a value in parameters, a ratio."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorers.auxsolidmath.comparing import Comparison, Policy, compared, distinct

if TYPE_CHECKING:
    from scorers.auxsolidmath.reading import Claim

__all__ = ["compare_singles"]


def compare_singles(claims: tuple[Claim, ...], gold: tuple[Claim, ...], policy: Policy) -> Comparison:
    """Compare the claimed values with a gold of one value; several different ones are a hedge, and wrong.

    Raises:
        NoRealValueError: a claim has no real value.
        UndecidedError: it cannot be told within the bounds.
    """
    if len(claims) > 1:
        claims = distinct(claims)
    if len(claims) > 1:
        matches = [claim for claim in claims if not compared(claim, gold[0], policy).matched]
        if matches:
            return Comparison(verdict="wrong", why=f"{len(claims)} different values, where one is asked for")
    return compared(claims[0], gold[0], policy)
