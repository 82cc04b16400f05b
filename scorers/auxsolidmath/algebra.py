"""Algebraic numbers: interned expressions, and the exact test whether one is zero.

The test needs no symbolic simplification. Every real algebraic expression has a separation bound: it is zero, or at
least that far from zero. So it is enclosed with more and more digits until it is surely not zero, or surely nearer
to zero than the bound, which proves that it is zero.

The bound is that of Burnikel, Funke, Mehlhorn, Schirra and Schmitt, "A separation bound for real algebraic
expressions" (Algorithmica 55, 2009): an expression is U / L with algebraic integers U and L whose conjugates are at
most u and l; with D the product of the indices of all its different roots it is zero or at least
1 / (u^(D-1) l). 2 cos(2 pi p/q) is an algebraic integer with conjugates of at most 2 in a field of degree phi(q).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction

from scorers.auxsolidmath.enclosure import NoRealValueError, OutOfReachError, enclose
from scorers.auxsolidmath.expression import Expression

__all__ = ["FIRST_DIGITS", "MOST_DIGITS", "Algebra", "UndecidedError", "first_enclosure", "is_zero"]

FIRST_DIGITS = 60
"""Digits of the first enclosure; two values that differ before are told apart by it."""

MOST_DIGITS = 6_000
"""Digits after which a comparison is given up."""

_FOLDED_DIGITS = 60
_LARGEST_FOLD = 10**_FOLDED_DIGITS


class UndecidedError(ArithmeticError):
    """Two values could not be told apart, nor proved equal, within the bounds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bound:
    """log10 of the bounds of numerator and denominator over all conjugates."""

    upper: float
    lower: float


@dataclass(slots=True)
class Algebra:
    """Builds expressions in which equal parts are one node, and small rational parts are numbers."""

    nodes: dict[tuple[object, ...], Expression] = field(default_factory=dict)

    def number(self, value: Fraction | int) -> Expression:
        """Return a rational number."""
        return self._node("number", (), Fraction(value))

    def cosine_of_turns(self, turns: Fraction) -> Expression:
        """Return cos(2 pi turns), a number where it is rational."""
        turns = turns % 1
        turns = min(turns, 1 - turns)
        rational = {Fraction(0): 1, Fraction(1, 6): Fraction(1, 2), Fraction(1, 4): 0,
                    Fraction(1, 3): Fraction(-1, 2), Fraction(1, 2): -1}  # fmt: skip
        if turns in rational:
            return self.number(rational[turns])
        return self._node("cosine of turns", (), turns)

    def add(self, *parts: Expression) -> Expression:
        """Return the sum; zeros are left out."""
        kept, constant = self._split(parts, "add")
        if constant != 0 or not kept:
            kept.append(self.number(constant))
        return kept[0] if len(kept) == 1 else self._node("add", tuple(kept))

    def multiply(self, *parts: Expression) -> Expression:
        """Return the product; ones are left out, and with a zero it is zero."""
        kept, constant = self._split(parts, "multiply")
        if constant == 0:
            return self.number(0)
        if constant != 1 or not kept:
            kept.append(self.number(constant))
        return kept[0] if len(kept) == 1 else self._node("multiply", tuple(kept))

    def subtract(self, left: Expression, right: Expression) -> Expression:
        """Return left - right."""
        return self.add(left, self.multiply(self.number(-1), right))

    def divide(self, upper: Expression, lower: Expression) -> Expression:
        """Return the quotient.

        Raises:
            NoRealValueError: the divisor is the number zero.
        """
        if lower.operation == "number":
            if lower.number == 0:
                raise NoRealValueError("a division by zero")
            return self.multiply(upper, self.number(1 / lower.number))
        return self._node("divide", (upper, lower))

    def power(self, base: Expression, exponent: int) -> Expression:
        """Return base ^ exponent.

        Raises:
            NoRealValueError: zero to a power that is not positive.
        """
        if base.operation == "number":
            if base.number == 0 and exponent <= 0:
                raise NoRealValueError("zero to a power that is not positive")
            if _size(base.number) * abs(exponent) <= _FOLDED_DIGITS:
                return self.number(base.number**exponent)
        return self._node("power", (base,), Fraction(exponent))

    def root(self, radicand: Expression, index: int) -> Expression:
        """Return the root, a number where it is rational."""
        if radicand.operation == "number":
            rational = _rational_root(radicand.number, index)
            if rational is not None:
                return self.number(rational)
        return self._node("root", (radicand,), Fraction(index))

    def _split(self, parts: tuple[Expression, ...], operation: str) -> tuple[list[Expression], Fraction]:
        """Fold rational parts into one constant while it stays short."""
        constant = Fraction(0 if operation == "add" else 1)
        kept = []
        for part in parts:
            if part.operation == "number":
                folded = constant + part.number if operation == "add" else constant * part.number
                if max(abs(folded.numerator), folded.denominator) < _LARGEST_FOLD:
                    constant = folded
                    continue
            kept.append(part)
        return kept, constant

    def _node(self, operation: str, parts: tuple[Expression, ...], value: Fraction = Fraction(0)) -> Expression:
        key = (operation, value, *map(id, parts))
        if key not in self.nodes:
            self.nodes[key] = Expression(operation=operation, parts=parts, number=value)  # type: ignore[arg-type]
        return self.nodes[key]


def _size(value: Fraction) -> int:
    return len(str(max(abs(value.numerator), value.denominator)))


def _rational_root(value: Fraction, index: int) -> Fraction | None:
    if value < 0 and index % 2 == 0:
        raise NoRealValueError(f"a root of index {index} of a negative number")
    upper, lower = _whole_root(abs(value.numerator), index), _whole_root(value.denominator, index)
    if upper is None or lower is None:
        return None
    return Fraction(upper if value >= 0 else -upper, lower)


def _whole_root(value: int, index: int) -> int | None:
    if value.bit_length() > 1_000:  # noqa: PLR2004 - beyond the doubles only equal roots of short numbers matter
        return None
    nearest = math.isqrt(value) if index == 2 else round(value ** (1 / index))  # noqa: PLR2004
    return next((whole for whole in (nearest - 1, nearest, nearest + 1) if whole >= 0 and whole**index == value), None)


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


def first_enclosure(expression: Expression, letters: dict[str, Fraction]) -> int:
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


def _bound(
    node: Expression, bounds: dict[int, _Bound], degrees: dict[int, int], circle: list[int]
) -> _Bound:
    if id(node) not in bounds:
        parts = [_bound(part, bounds, degrees, circle) for part in node.parts]
        if node.operation == "root":
            degrees[id(node)] = int(node.number)
        elif node.operation == "cosine of turns":
            circle.append(node.number.denominator)
        bounds[id(node)] = _bound_of(node, parts)
    return bounds[id(node)]


def _bound_of(node: Expression, parts: list[_Bound]) -> _Bound:
    if node.operation == "add":
        lower = sum(part.lower for part in parts)
        upper = max(part.upper + lower - part.lower for part in parts) + math.log10(len(parts))
        return _Bound(upper=upper, lower=lower)
    if node.operation == "multiply":
        return _Bound(upper=sum(part.upper for part in parts), lower=sum(part.lower for part in parts))
    if node.operation == "divide":
        return _Bound(upper=parts[0].upper + parts[1].lower, lower=parts[0].lower + parts[1].upper)
    if node.operation == "power":
        times = abs(int(node.number))
        upper, lower = times * parts[0].upper, times * parts[0].lower
        return _Bound(upper=upper, lower=lower) if node.number > 0 else _Bound(upper=lower, lower=upper)
    if node.operation == "root":
        return _bound_of_root(parts[0], int(node.number))
    if node.operation == "cosine of turns":
        return _Bound(upper=math.log10(2), lower=math.log10(2))
    upper = math.log10(abs(node.number.numerator)) if node.number else 0.0
    return _Bound(upper=upper, lower=math.log10(node.number.denominator))


def _bound_of_root(part: _Bound, index: int) -> _Bound:
    if part.upper >= part.lower:
        return _Bound(upper=(part.upper + (index - 1) * part.lower) / index, lower=part.lower)
    return _Bound(upper=part.upper, lower=((index - 1) * part.upper + part.lower) / index)


def _totient(value: int) -> int:
    result, rest, prime = value, value, 2
    while prime * prime <= rest:
        if rest % prime == 0:
            result -= result // prime
            while rest % prime == 0:
                rest //= prime
        prime += 1
    return result - result // rest if rest > 1 else result
