"""The exact test whether an algebraic number is zero.

The test needs no symbolic simplification. Every real algebraic expression has a separation bound: it is zero, or
at least that far from zero. So it is enclosed with more and more digits until it is surely not zero, or surely
nearer to zero than the bound, which proves that it is zero.

The bound is that of Burnikel, Funke, Mehlhorn, Schirra and Schmitt, "A separation bound for real algebraic
expressions" (Algorithmica 55, 2009): an expression is U / L with algebraic integers U and L whose conjugates are
at most u and l; with D the product of the indices of all its different roots it is zero or at least
1 / (u^(D-1) l). 2 cos(2 pi p/q) is an algebraic integer with conjugates of at most 2 in a field of degree phi(q).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from scorers.auxsolidmath.enclosure import OutOfReachError, enclose

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from fractions import Fraction

    from scorers.auxsolidmath.expression import Expression, Operation

__all__ = ["FIRST_DIGITS", "MOST_DIGITS", "UndecidedError", "first_sign", "is_zero"]

FIRST_DIGITS = 60
"""Digits of the first enclosure; two values that differ before are told apart by it."""

MOST_DIGITS = 3_000
"""Digits after which a comparison is given up."""


class UndecidedError(ArithmeticError):
    """Two values could not be told apart, nor proved equal, within the bounds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bound:
    """log10 of the bounds of numerator and denominator over all conjugates."""

    upper: float
    lower: float


def is_zero(expression: Expression) -> bool:
    """Whether an algebraic number, built by one `Algebra`, is exactly zero.

    Raises:
        NoRealValueError: it has no real value.
        UndecidedError: it would take more than `MOST_DIGITS` digits to tell.
    """
    if expression.operation == "number":
        return expression.number == 0
    needed = _separation_digits(expression)
    digits = FIRST_DIGITS
    while True:
        try:
            enclosure = enclose(expression, digits)
        except OutOfReachError:
            enclosure = None
        if enclosure is not None:
            if enclosure.sign:
                return False
            if enclosure.reach < Decimal(1).scaleb(-min(needed, MOST_DIGITS)) and needed <= MOST_DIGITS:
                return True
        if digits >= MOST_DIGITS:
            raise UndecidedError(f"not decided within {MOST_DIGITS} digits")
        digits = min(MOST_DIGITS, max(3 * digits, min(needed, MOST_DIGITS) + FIRST_DIGITS // 2))


def first_sign(expression: Expression, letters: Mapping[str, Fraction]) -> int:
    """Return the sign of any expression, or 0 where the digits do not tell it from zero.

    Raises:
        NoRealValueError: it has no real value.
        UndecidedError: too large, or always too near a singular place.
    """
    for digits in (FIRST_DIGITS, 8 * FIRST_DIGITS):
        try:
            return enclose(expression, digits, letters).sign
        except OutOfReachError as error:
            reason = error
    raise UndecidedError(f"no value within reach: {reason}")


def _separation_digits(expression: Expression) -> int:
    """Return n with: the expression is zero, or at least 10^-n in absolute value."""
    bounds: dict[int, _Bound] = {}
    degrees: dict[int, int] = {}
    circle = [1]
    bound = _bound(expression, bounds, degrees, circle)
    degree = math.prod(degrees.values()) * _totient(math.lcm(*circle))
    digits = (degree - 1) * max(bound.upper, 0.0) + max(bound.lower, 0.0)
    return min(math.ceil(digits) + 2, 10 * MOST_DIGITS) if digits < MOST_DIGITS else 10 * MOST_DIGITS


def _bound(node: Expression, bounds: dict[int, _Bound], degrees: dict[int, int], circle: list[int]) -> _Bound:
    if id(node) not in bounds:
        parts = [_bound(part, bounds, degrees, circle) for part in node.parts]
        if node.operation == "root":
            degrees[id(node)] = int(node.number)
        elif node.operation == "cosine of turns":
            circle.append(node.number.denominator)
        bounds[id(node)] = _bound_of(node, parts)
    return bounds[id(node)]


def _bound_of(node: Expression, parts: list[_Bound]) -> _Bound:
    if node.operation in _BOUNDS:
        return _BOUNDS[node.operation](node, parts)
    upper = math.log10(abs(node.number.numerator)) if node.number else 0.0
    return _Bound(upper=upper, lower=math.log10(node.number.denominator))


def _bound_of_sum(_: Expression, parts: list[_Bound]) -> _Bound:
    lower = sum(part.lower for part in parts)
    upper = max(part.upper + lower - part.lower for part in parts) + math.log10(len(parts))
    return _Bound(upper=upper, lower=lower)


def _bound_of_product(_: Expression, parts: list[_Bound]) -> _Bound:
    return _Bound(upper=sum(part.upper for part in parts), lower=sum(part.lower for part in parts))


def _bound_of_quotient(_: Expression, parts: list[_Bound]) -> _Bound:
    return _Bound(upper=parts[0].upper + parts[1].lower, lower=parts[0].lower + parts[1].upper)


def _bound_of_power(node: Expression, parts: list[_Bound]) -> _Bound:
    times = abs(int(node.number))
    upper, lower = times * parts[0].upper, times * parts[0].lower
    return _Bound(upper=upper, lower=lower) if node.number > 0 else _Bound(upper=lower, lower=upper)


def _bound_of_root(node: Expression, parts: list[_Bound]) -> _Bound:
    part, index = parts[0], int(node.number)
    if part.upper >= part.lower:
        return _Bound(upper=(part.upper + (index - 1) * part.lower) / index, lower=part.lower)
    return _Bound(upper=part.upper, lower=((index - 1) * part.upper + part.lower) / index)


_BOUNDS: Mapping[Operation, Callable[[Expression, list[_Bound]], _Bound]] = {
    "add": _bound_of_sum,
    "cosine of turns": lambda _, __: _Bound(upper=math.log10(2), lower=math.log10(2)),
    "divide": _bound_of_quotient,
    "multiply": _bound_of_product,
    "power": _bound_of_power,
    "root": _bound_of_root,
}


def _totient(value: int) -> int:
    result, rest, prime = value, value, 2
    while prime * prime <= rest:
        if rest % prime == 0:
            result -= result // prime
            while rest % prime == 0:
                rest //= prime
        prime += 1
    return result - result // rest if rest > 1 else result
