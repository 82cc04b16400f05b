"""Algebraic numbers as expressions in which equal parts are one node.

Short rational numbers are folded, like terms and equal factors are joined, roots of rational numbers are reduced
and multiplied together: so most equal values become one expression, and the degree of the others stays small.
That is all the simplification there is; whether two expressions are equal is decided in
`scorers.auxsolidmath.separation`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction

from scorers.auxsolidmath.enclosure import NoRealValueError
from scorers.auxsolidmath.expression import Expression, Operation

__all__ = ["Algebra"]

_SHORT = 10**60
_SHORT_DIGITS = 60
_LARGEST_FACTOR = 1_000
_SQUARE = 2


@dataclass(slots=True)
class Algebra:
    """Builds the expressions of one comparison."""

    nodes: dict[tuple[object, ...], Expression] = field(default_factory=dict)

    def number(self, value: Fraction | int) -> Expression:
        """Return a rational number."""
        return self._node("number", (), Fraction(value))

    def cosine_of_turns(self, turns: Fraction) -> Expression:
        """Return cos(2 pi turns), a number where it is rational."""
        turns = turns % 1
        turns = min(turns, 1 - turns)
        if turns in _RATIONAL_COSINES:
            return self.number(_RATIONAL_COSINES[turns])
        return self._node("cosine of turns", (), turns)

    def add(self, *parts: Expression) -> Expression:
        """Return the sum, like terms joined."""
        terms: dict[int, Fraction] = {}
        bases: dict[int, Expression] = {}
        for part in _flat(parts, "add"):
            factor, base = self._scaled(part)
            joined = terms.get(id(base), Fraction(0)) + factor
            if not _is_short(joined):
                factor, base, joined = Fraction(1), part, terms.get(id(part), Fraction(0)) + 1
            terms[id(base)], bases[id(base)] = joined, base
        kept = [self._times(bases[key], factor) for key, factor in terms.items() if factor]
        return self._joined("add", kept, 0)

    def multiply(self, *parts: Expression) -> Expression:
        """Return the product; equal factors and roots of numbers are joined, and with a zero it is zero."""
        constant = Fraction(1)
        counts: dict[int, int] = {}
        bases: dict[int, Expression] = {}
        surd = 1
        for part in _flat(parts, "multiply"):
            if part.operation == "number" and _is_short(constant * part.number):
                constant *= part.number
            elif _is_surd(part) and surd * part.parts[0].number < _SHORT:
                surd *= part.parts[0].number.numerator
            else:
                counts[id(part)], bases[id(part)] = counts.get(id(part), 0) + 1, part
        if constant == 0:
            return self.number(0)
        kept = [bases[key] if count == 1 else self.power(bases[key], count) for key, count in counts.items()]
        if surd != 1:
            outside, inside = _split_power(surd, _SQUARE)
            constant *= outside
            kept += [self._node("root", (self.number(inside),), Fraction(_SQUARE))] if inside != 1 else []
        return self._times(self._joined("multiply", sorted(kept, key=id), 1), constant)

    def subtract(self, left: Expression, right: Expression) -> Expression:
        """Return left - right."""
        return self.add(left, self.multiply(self.number(-1), right))

    def divide(self, upper: Expression, lower: Expression) -> Expression:
        """Return the quotient.

        Raises:
            NoRealValueError: the divisor is the number zero.
        """
        factor, base = self._scaled(lower)
        if factor == 0:
            raise NoRealValueError("a division by zero")
        if base.operation == "number":
            return self.multiply(upper, self.number(1 / factor))
        if _is_surd(base):
            factor *= base.parts[0].number
            return self.multiply(upper, base, self.number(1 / factor))
        return self._node("divide", (self.multiply(upper, self.number(1 / factor)), base))

    def power(self, base: Expression, exponent: int) -> Expression:
        """Return base ^ exponent; whole powers of a root come out of it.

        Raises:
            NoRealValueError: zero to a power that is not positive.
        """
        if base.operation == "number":
            if base.number == 0 and exponent <= 0:
                raise NoRealValueError("zero to a power that is not positive")
            if _digits(base.number) * abs(exponent) <= _SHORT_DIGITS:
                return self.number(base.number**exponent)
        if base.operation == "root" and exponent >= base.number:
            whole, rest = divmod(exponent, int(base.number))
            outside = self.power(base.parts[0], whole)
            return outside if rest == 0 else self.multiply(outside, self.power(base, rest))
        return base if exponent == 1 else self._node("power", (base,), Fraction(exponent))

    def root(self, radicand: Expression, index: int) -> Expression:
        """Return the root; of a rational number it is reduced.

        Raises:
            NoRealValueError: an even root of a negative number.
        """
        if radicand.operation != "number":
            return self._node("root", (radicand,), Fraction(index))
        value = radicand.number
        if value < 0 and index % 2 == 0:
            raise NoRealValueError(f"a root of index {index} of a negative number")
        whole = abs(value.numerator) * value.denominator ** (index - 1)
        if whole >= _SHORT:
            return self._node("root", (radicand,), Fraction(index))
        outside, inside = _split_power(whole, index)
        factor = Fraction(outside if value >= 0 else -outside, value.denominator)
        if inside == 1 or factor == 0:
            return self.number(factor)
        return self._times(self._node("root", (self.number(inside),), Fraction(index)), factor)

    def _scaled(self, part: Expression) -> tuple[Fraction, Expression]:
        """Take a short rational factor out: part = factor * base."""
        if part.operation == "number":
            return part.number, self.number(1)
        if part.operation == "multiply" and part.parts[-1].operation == "number":
            return part.parts[-1].number, self._joined("multiply", list(part.parts[:-1]), 1)
        return Fraction(1), part

    def _times(self, base: Expression, factor: Fraction) -> Expression:
        """Return factor * base, the factor last."""
        if base.operation == "number" and _is_short(base.number * factor):
            return self.number(base.number * factor)
        if factor == 1:
            return base
        if base.operation == "add":
            return self.add(*(self._times(part, factor) for part in base.parts))
        parts = base.parts if base.operation == "multiply" and base.parts[-1].operation != "number" else (base,)
        return self._node("multiply", (*parts, self.number(factor)))

    def _joined(self, operation: Operation, parts: list[Expression], empty: int) -> Expression:
        if not parts:
            return self.number(empty)
        return parts[0] if len(parts) == 1 else self._node(operation, tuple(parts))

    def _node(
        self, operation: Operation, parts: tuple[Expression, ...], value: Fraction = Fraction(0)
    ) -> Expression:
        key = (operation, value, *map(id, parts))
        if key not in self.nodes:
            self.nodes[key] = Expression(operation=operation, parts=parts, number=value)
        return self.nodes[key]


_RATIONAL_COSINES = {
    Fraction(0): Fraction(1),
    Fraction(1, 6): Fraction(1, 2),
    Fraction(1, 4): Fraction(0),
    Fraction(1, 3): Fraction(-1, 2),
    Fraction(1, 2): Fraction(-1),
}


def _flat(parts: tuple[Expression, ...], operation: str) -> list[Expression]:
    return [inner for part in parts for inner in (part.parts if part.operation == operation else (part,))]


def _is_surd(part: Expression) -> bool:
    """Whether it is the square root of a whole number."""
    radicand = part.parts[0] if part.operation == "root" and part.number == _SQUARE else part
    return radicand is not part and radicand.operation == "number" and radicand.number.denominator == 1


def _is_short(value: Fraction) -> bool:
    return max(abs(value.numerator), value.denominator) < _SHORT


def _digits(value: Fraction) -> int:
    return len(str(max(abs(value.numerator), value.denominator)))


def _split_power(whole: int, index: int) -> tuple[int, int]:
    """Write a whole number as outside^index * inside; prime factors up to 1,000 and whole powers are found."""
    outside, inside, factor = 1, whole, 2
    while factor <= _LARGEST_FACTOR and factor**index <= inside:
        while inside % factor**index == 0:
            inside //= factor**index
            outside *= factor
        factor += 1
    rest = _whole_root(inside, index)
    return (outside * rest, 1) if rest is not None else (outside, inside)


def _whole_root(value: int, index: int) -> int | None:
    nearest = math.isqrt(value) if index == _SQUARE else round(value ** (1 / index))
    return next(
        (whole for whole in (nearest - 1, nearest, nearest + 1) if whole >= 0 and whole**index == value), None
    )
