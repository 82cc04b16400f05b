"""Expressions, their values to 300 digits, whether two have the same value, and decimals as rounded values.

Two values are equal when they agree to 200 digits; the other 100 are a guard for what roots and earlier sums lose.
This is decided in one place: a sum that is 200 digits smaller than its largest term is zero. So the root of such a
sum is zero too, not the root of a tiny negative number, and a division by it has no value. Sines, cosines and the
1 - x^2 of arc functions count as such sums.

Nothing is proved. Two different values would count as equal if they agreed to 200 digits, as √2 and
√2 + ((10^-12)^5)^4 do: an expression of 64 nodes and numbers of 30 digits comes so near to a gold only when it is
built to. Two equal values would count as different if a sum within had lost more than 100 digits without being
zero. Expressions with parameters are equal when they are so at three points, of positive values with denominators
beyond 10^9.

The work is bounded: the nodes of an expression are, and each takes a bounded number of operations on at most 330
digits. Values beyond 10^10,000 and angles beyond 10^6 are refused. Every operation names its context: the thread's
own one (28 digits) rounds even a change of sign.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from decimal import Context, Decimal, DivisionByZero, InvalidOperation, Overflow, Underflow
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

__all__ = [
    "ARCS",
    "ENOUGH_DIGITS",
    "PI",
    "DecimalLiteral",
    "E",
    "Expression",
    "NoRealValueError",
    "Operation",
    "Rounded",
    "UndecidedError",
    "difference",
    "is_nowhere_negative",
    "letter",
    "letters_of",
    "negative",
    "number",
    "operation",
    "power",
    "product",
    "quotient",
    "rational_value",
    "root",
    "rounded",
    "rounds_to",
    "same_value",
    "sign_of_difference",
    "total",
    "value_of",
    "walk",
]

Operation = Literal[
    "number", "pi", "e", "letter", "add", "multiply", "divide", "power", "root",
    "sin", "cos", "tan", "arcsin", "arccos", "arctan",
]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class DecimalLiteral:
    """How a number was written: `step` is the value of one unit of its last digit."""

    step: Fraction
    significant_digits: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Expression:
    """One node.

    `number` is the value of a number, a power's whole exponent, or a root's index.
    `written` tells of a number that was written as a decimal; it is no part of the value.
    """

    operation: Operation
    parts: tuple[Expression, ...] = ()
    number: Fraction = Fraction(0)
    name: str = ""
    written: DecimalLiteral | None = field(default=None, compare=False)


ARCS = frozenset({"arcsin", "arccos", "arctan"})
PI = Expression(operation="pi")
E = Expression(operation="e")


def number(value: int | Fraction, written: DecimalLiteral | None = None) -> Expression:
    """Return a rational number."""
    return Expression(operation="number", number=Fraction(value), written=written)


def letter(name: str) -> Expression:
    """Return a parameter."""
    return Expression(operation="letter", name=name)


def operation(name: Operation, *parts: Expression) -> Expression:
    """Return a node of the operation."""
    return Expression(operation=name, parts=parts)


def total(*parts: Expression) -> Expression:
    """Return the sum."""
    return Expression(operation="add", parts=parts)


def product(*parts: Expression) -> Expression:
    """Return the product."""
    return Expression(operation="multiply", parts=parts)


def quotient(upper: Expression, lower: Expression) -> Expression:
    """Return the quotient."""
    return Expression(operation="divide", parts=(upper, lower))


def negative(part: Expression) -> Expression:
    """Return the negative; of a written decimal it is one, too."""
    if part.operation == "number":
        return number(-part.number, part.written)
    return product(number(-1), part)


def difference(left: Expression, right: Expression) -> Expression:
    """Return left - right."""
    return total(left, negative(right))


def power(base: Expression, exponent: int) -> Expression:
    """Return base ^ exponent."""
    return Expression(operation="power", parts=(base,), number=Fraction(exponent))


def root(radicand: Expression, index: int) -> Expression:
    """Return the real root of that index."""
    return Expression(operation="root", parts=(radicand,), number=Fraction(index))


def walk(expression: Expression) -> Iterator[Expression]:
    """Yield the node and all below it."""
    yield expression
    for part in expression.parts:
        yield from walk(part)


def letters_of(expression: Expression) -> frozenset[str]:
    """Return the names of all parameters."""
    return frozenset(node.name for node in walk(expression) if node.operation == "letter")


_SHORT = 10**40


def rational_value(node: Expression) -> Fraction | None:
    """Return the value of an expression of short rational numbers and + - * / alone, else None."""
    if node.operation == "number":
        return node.number
    values = [value for part in node.parts if (value := rational_value(part)) is not None]
    if node.operation not in _RATIONAL or len(values) < len(node.parts) or not all(map(_is_short, values)):
        return None
    return _RATIONAL[node.operation](values)


def _is_short(value: Fraction) -> bool:
    return max(abs(value.numerator), value.denominator) <= _SHORT


_RATIONAL: Mapping[Operation, Callable[[list[Fraction]], Fraction | None]] = {
    "add": lambda values: sum(values, Fraction(0)),
    "divide": lambda values: values[0] / values[1] if values[1] else None,
    "multiply": lambda values: math.prod(values, start=Fraction(1)),
}


_DIGITS = 300
_EQUAL_DIGITS = 200
_GUARD = 30
_LARGEST_EXPONENT = 10_000
_LARGEST_ANGLE = 10**6
_HALVINGS = 6
_SEED_DIGITS = 28
_NEWTON_STEPS = 5

_TRAPS = [InvalidOperation, DivisionByZero, Overflow, Underflow]
_WORK = Context(prec=_DIGITS, Emax=_LARGEST_EXPONENT, Emin=-_LARGEST_EXPONENT, traps=_TRAPS)
_SERIES = Context(prec=_DIGITS + _GUARD, Emax=10 * _LARGEST_EXPONENT, Emin=-10 * _LARGEST_EXPONENT)
_SEED = Context(prec=_SEED_DIGITS, Emax=10 * _LARGEST_EXPONENT, Emin=-10 * _LARGEST_EXPONENT)
_ZERO, _ONE, _TWO = Decimal(0), Decimal(1), Decimal(2)
_SMALLEST_TERM = Decimal(1).scaleb(-_DIGITS - _GUARD)

_DENOMINATORS = (1_000_000_007, 1_000_000_009, 1_000_000_021)
_LETTER_VALUES = (Fraction(13, 20), Fraction(7, 5), Fraction(29, 9), Fraction(5, 7))


class NoRealValueError(ArithmeticError):
    """An expression has no real value: an even root or an arc function beyond its domain, a division by zero."""


class UndecidedError(ArithmeticError):
    """A value is beyond the bounds, so that nothing can be compared with it."""


def same_value(left: Expression, right: Expression) -> bool:
    """Whether both have the same value, at every point of their parameters.

    Raises:
        NoRealValueError: one has no real value.
        UndecidedError: one is out of reach.
    """
    gap = difference(left, right)
    return all(value_of(gap, point) == 0 for point in _points(gap))


def sign_of_difference(left: Expression, right: Expression) -> int:
    """Return the sign of left - right, both without parameters.

    Raises:
        NoRealValueError: one has no real value.
        UndecidedError: one is out of reach.
    """
    value = value_of(difference(left, right))
    return (value > 0) - (value < 0)


def is_nowhere_negative(expression: Expression) -> bool:
    """Whether the expression is at least zero, at every point of its parameters.

    Raises:
        NoRealValueError: it has no real value.
        UndecidedError: it is out of reach.
    """
    return all(value_of(expression, point) >= 0 for point in _points(expression))


def _points(expression: Expression) -> Iterator[dict[str, Fraction]]:
    """Yield points at which each parameter has a positive value of its own; one point without parameters."""
    names = sorted(letters_of(expression))
    for place, denominator in enumerate(_DENOMINATORS if names else _DENOMINATORS[:1]):
        yield {
            name: _LETTER_VALUES[(rank + place) % len(_LETTER_VALUES)] + rank + Fraction(place + 1, denominator)
            for rank, name in enumerate(names)
        }


def value_of(expression: Expression, letters: Mapping[str, Fraction] | None = None) -> Decimal:
    """Return the value to about 300 digits.

    Args:
        expression: the expression; angles are in radians.
        letters: the value of every parameter.

    Raises:
        NoRealValueError: there is no real value.
        UndecidedError: it is out of reach.
    """
    try:
        return _value(expression, letters or {})
    except (Overflow, Underflow) as error:
        raise UndecidedError("no value within reach: beyond 10^10,000") from error


def _value(node: Expression, letters: Mapping[str, Fraction]) -> Decimal:
    parts = [_value(part, letters) for part in node.parts]
    if node.operation in _FUNCTIONS:
        return _FUNCTIONS[node.operation](*parts)
    if node.operation == "power":
        return _power(parts[0], int(node.number))
    if node.operation == "root":
        return _root(parts[0], int(node.number))
    exact = letters[node.name] if node.operation == "letter" else node.number
    return _WORK.divide(Decimal(exact.numerator), Decimal(exact.denominator))


def _sum(*terms: Decimal) -> Decimal:
    """Add; what is 200 digits smaller than the largest term is zero."""
    result = _ZERO
    for term in terms:
        result = _WORK.add(result, term)
    return _unless_tiny(result, max(terms, key=Decimal.copy_abs))


def _unless_tiny(value: Decimal, largest: Decimal) -> Decimal:
    return _ZERO if value.adjusted() < largest.adjusted() - _EQUAL_DIGITS else value


def _product(*factors: Decimal) -> Decimal:
    result = _ONE
    for factor in factors:
        result = _WORK.multiply(result, factor)
    return result


def _quotient(upper: Decimal, lower: Decimal) -> Decimal:
    if lower == 0:
        raise NoRealValueError("a division by zero")
    return _WORK.divide(upper, lower)


def _power(base: Decimal, exponent: int) -> Decimal:
    if base == 0 and exponent <= 0:
        raise NoRealValueError("zero to a power that is not positive")
    return _WORK.power(base, exponent)


def _root(radicand: Decimal, index: int) -> Decimal:
    """Return a root; beyond square roots by Newton's method, from 20 digits on."""
    if radicand < 0 and index % 2 == 0:
        raise NoRealValueError(f"a root of index {index} of a negative number")
    if index == 2:  # noqa: PLR2004 - a square root
        return _WORK.sqrt(radicand)
    if radicand <= 0:
        return _root(radicand.copy_negate(), index).copy_negate() if radicand else _ZERO
    result = _SEED.power(_SEED.plus(radicand), _SEED.divide(_ONE, Decimal(index)))  # of all digits it takes 10 ms
    for _ in range(_NEWTON_STEPS):
        other = _SERIES.divide(radicand, _SERIES.power(result, index - 1))
        result = _SERIES.divide(_SERIES.add(_SERIES.multiply(result, Decimal(index - 1)), other), Decimal(index))
    return _WORK.plus(result)


@cache
def _pi() -> Decimal:
    """Return pi by Machin's formula, 16 arctan(1/5) - 4 arctan(1/239), in whole numbers."""
    digits = _DIGITS + _GUARD
    whole = 16 * _inverse_arctangent(5, digits) - 4 * _inverse_arctangent(239, digits)
    return Decimal(whole).scaleb(-digits, _SERIES)


def _inverse_arctangent(inverse: int, digits: int) -> int:
    """Return arctan(1/inverse) times 10^digits."""
    term: int = 10**digits // inverse
    result, odd, sign = term, 1, 1
    while term:
        term //= inverse * inverse
        odd, sign = odd + 2, -sign
        result += sign * (term // odd)
    return result


@cache
def _e() -> Decimal:
    return _SERIES.exp(_ONE)


def _cosine(angle: Decimal) -> Decimal:
    """Return the cosine by its power series within half a turn."""
    if angle.copy_abs() > _LARGEST_ANGLE:
        raise UndecidedError("no value within reach: an angle beyond 10^6")
    x = _SERIES.remainder_near(angle, _SERIES.multiply(_pi(), _TWO))
    square = _SERIES.multiply(x, x)
    result = term = _ONE
    even = 0
    while term.copy_abs() > _SMALLEST_TERM:
        even += 2
        term = _SERIES.divide(_SERIES.multiply(term, square), Decimal(even * (even - 1))).copy_negate()
        result = _SERIES.add(result, term)
    return _unless_tiny(_WORK.plus(result), _ONE)


def _sine(angle: Decimal) -> Decimal:
    return _cosine(_SERIES.subtract(_SERIES.divide(_pi(), _TWO), angle))


def _tangent(angle: Decimal) -> Decimal:
    return _quotient(_sine(angle), _cosine(angle))


def _arctangent(x: Decimal) -> Decimal:
    """Return the arc tangent, by halving the angle and then the power series."""
    if x.copy_abs() > _ONE:
        right_angle = _SERIES.divide(_pi(), _TWO).copy_sign(x)
        return _WORK.subtract(right_angle, _arctangent(_SERIES.divide(_ONE, x)))
    for _ in range(_HALVINGS):
        length = _SERIES.sqrt(_SERIES.add(_ONE, _SERIES.multiply(x, x)))
        x = _SERIES.divide(x, _SERIES.add(_ONE, length))
    square = _SERIES.multiply(x, x)
    result, term, odd = x, x, 1
    while term.copy_abs() > _SMALLEST_TERM:
        term = _SERIES.multiply(term, square).copy_negate()
        odd += 2
        result = _SERIES.add(result, _SERIES.divide(term, Decimal(odd)))
    return _WORK.multiply(result, Decimal(2**_HALVINGS))


def _arcsine(x: Decimal) -> Decimal:
    """Return the arc sine as 2 arctan(x / (1 + sqrt(1 - x^2)))."""
    rest = _sum(_ONE, _WORK.multiply(x, x).copy_negate())
    if rest < 0:
        raise NoRealValueError("an arc sine or cosine of a number beyond 1")
    half = _arctangent(_WORK.divide(x, _WORK.add(_ONE, _WORK.sqrt(rest))))
    return _WORK.multiply(half, _TWO)


def _arccosine(x: Decimal) -> Decimal:
    return _sum(_WORK.divide(_pi(), _TWO), _arcsine(x).copy_negate())


_FUNCTIONS: Mapping[Operation, Callable[..., Decimal]] = {
    "add": _sum,
    "arccos": _arccosine,
    "arcsin": _arcsine,
    "arctan": _arctangent,
    "cos": _cosine,
    "divide": _quotient,
    "e": lambda: _WORK.plus(_e()),
    "multiply": _product,
    "pi": lambda: _WORK.plus(_pi()),
    "sin": _sine,
    "tan": _tangent,
}


ENOUGH_DIGITS = 3
"""A rounded answer needs so many significant digits."""

_TRUSTED_DIGITS = 14
"""What double arithmetic prints beyond them is its own error: 2·√6/3 comes out as 1.6329931618554523."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rounded:
    """A decimal alone, or times pi, parameters or degrees: `0.577`, `1.333π`, `0.577a`, `70.5°`, `1.13*10^2`."""

    value: Fraction
    written: DecimalLiteral
    factor: Expression

    @property
    def is_whole(self) -> bool:
        """Whether it was written without decimal places."""
        return self.written.step.denominator == 1


def rounded(expression: Expression) -> Rounded | None:
    """Return the expression as a decimal, or None when it is none."""
    literal, scale, others = None, Fraction(1), []
    for part in _factors(expression):
        if part.operation == "number" and part.written is not None and literal is None:
            literal = part
        elif part.operation == "number" and abs(part.number) == 1:
            scale *= part.number
        elif part.operation == "power" and part.parts[0].number == 10:  # noqa: PLR2004 - 1.13*10^2
            scale *= Fraction(10) ** int(part.number)
        elif _is_plain(part):
            others.append(part)
        else:
            return None
    if literal is None or literal.written is None:
        return None
    digits = min(literal.written.significant_digits, _TRUSTED_DIGITS)
    beyond = 10 ** (literal.written.significant_digits - digits)
    written = DecimalLiteral(step=literal.written.step * abs(scale) * beyond, significant_digits=digits)
    return Rounded(value=literal.number * scale, written=written, factor=product(number(1), *others))


def rounds_to(exact: Expression, decimal: Rounded) -> bool:
    """Whether a value, rounded to the decimal's last place, is that decimal; halves may go either way.

    Raises:
        NoRealValueError: the value is not real.
        UndecidedError: it cannot be told within the bounds.
    """
    half = decimal.written.step / 2
    lowest = product(number(decimal.value - half), decimal.factor)
    highest = product(number(decimal.value + half), decimal.factor)
    return is_nowhere_negative(difference(exact, lowest)) and is_nowhere_negative(difference(highest, exact))


def _factors(expression: Expression) -> Iterator[Expression]:
    if expression.operation == "multiply":
        for part in expression.parts:
            yield from _factors(part)
    else:
        yield expression


def _is_plain(part: Expression) -> bool:
    """Pi, a parameter, a power of one, or a degree (pi / 180)."""
    if part.operation == "divide":
        return part.parts[0].operation == "pi" and part.parts[1].operation == "number"
    return part.operation in {"pi", "letter"} or (part.operation == "power" and _is_plain(part.parts[0]))
