"""Pi, arc tangent and cosine to any number of digits, in plain decimals.

Each result is within 10^-digits of the true value for arguments up to 10^6: all are computed with `_GUARD` digits
more. Every operation names its context: the thread's own one (28 digits) rounds even a change of sign.
"""

from __future__ import annotations

from decimal import Context, Decimal
from functools import lru_cache

__all__ = ["arctangent", "cosine", "pi"]

_GUARD = 20
_HALVINGS = 6


@lru_cache(maxsize=64)
def pi(digits: int) -> Decimal:
    """Return pi by Machin's formula, 16 arctan(1/5) - 4 arctan(1/239), in whole numbers."""
    scale = digits + _GUARD
    whole = 16 * _inverse_arctangent(5, scale) - 4 * _inverse_arctangent(239, scale)
    return Decimal(whole).scaleb(-scale, _context(scale + 2))


def _inverse_arctangent(inverse: int, digits: int) -> int:
    """Return arctan(1/inverse) times 10^digits."""
    term: int = 10**digits // inverse
    square = inverse * inverse
    result, odd, sign = term, 1, 1
    while term:
        term //= square
        odd, sign = odd + 2, -sign
        result += sign * (term // odd)
    return result


@lru_cache(maxsize=64)
def _context(digits: int) -> Context:
    return Context(prec=digits, Emax=100_000, Emin=-100_000)


def arctangent(x: Decimal, digits: int) -> Decimal:
    """Return arctan(x), by halving the angle and then the power series."""
    context = _context(digits + _GUARD)
    one = Decimal(1)
    if x.copy_abs() > one:
        right_angle = context.divide(pi(digits + _GUARD), Decimal(2))
        return context.subtract(right_angle.copy_sign(x), arctangent(context.divide(one, x), digits))
    for _ in range(_HALVINGS):
        length = context.sqrt(context.add(one, context.multiply(x, x)))
        x = context.divide(x, context.add(one, length))
    square = context.multiply(x, x)
    result, term, odd = x, x, 1
    limit = Decimal(1).scaleb(-digits - _GUARD)
    while term.copy_abs() > limit:
        term = context.multiply(term, square).copy_negate()
        odd += 2
        result = context.add(result, context.divide(term, Decimal(odd)))
    return context.multiply(result, Decimal(2**_HALVINGS))


def cosine(x: Decimal, digits: int) -> Decimal:
    """Return cos(x), x in radians, by the power series within half a turn."""
    context = _context(digits + _GUARD)
    turn = context.multiply(pi(digits + _GUARD), Decimal(2))
    turns = context.divide(x, turn).to_integral_value()
    x = context.subtract(x, context.multiply(turn, turns))
    square = context.multiply(x, x)
    result = term = Decimal(1)
    even = 0
    limit = Decimal(1).scaleb(-digits - _GUARD)
    while term.copy_abs() > limit:
        even += 2
        term = context.divide(context.multiply(term, square), Decimal(even * (even - 1))).copy_negate()
        result = context.add(result, term)
    return result
