"""Enclosures: two decimals between which a value surely lies.

Every operation rounds the lower bound down and the upper bound up, so that an enclosure without zero proves that a
value is not zero. Work is bounded by the digits asked for: values beyond 10^10,000 are refused, not computed.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal, DivisionByZero, InvalidOperation, Overflow
from functools import lru_cache
from typing import TYPE_CHECKING

from scorers.auxsolidmath.elementary import arctangent, cosine, pi

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from fractions import Fraction

    from scorers.auxsolidmath.expression import Expression, Operation

__all__ = ["Enclosure", "NoRealValueError", "OutOfReachError", "enclose"]

_LARGEST_EXPONENT = 10_000
_LARGEST_ANGLE = 10**6
_SEED_DIGITS = 28
_ONE = Decimal(1)
_MINUS_ONE = Decimal(-1)
_ZERO = Decimal(0)


class NoRealValueError(ArithmeticError):
    """An expression has no real value: an even root or an arc function beyond its domain, a division by zero."""


class OutOfReachError(ArithmeticError):
    """A value is too large, or too near a singular place, for the digits at hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Enclosure:
    """A closed interval that holds the value."""

    low: Decimal
    high: Decimal

    @property
    def sign(self) -> int:
        """1 or -1 when the value surely has that sign, else 0."""
        return (self.low > 0) - (self.high < 0)

    @property
    def reach(self) -> Decimal:
        """The largest absolute value inside."""
        return max(self.low.copy_abs(), self.high.copy_abs())

    @property
    def mirrored(self) -> Enclosure:
        """The enclosure of the negative value."""
        return Enclosure(low=self.high.copy_negate(), high=self.low.copy_negate())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Digits:
    """Rounding down and rounding up to so many digits."""

    count: int
    down: Context
    up: Context


@lru_cache(maxsize=64)
def _digits(count: int) -> _Digits:
    traps = [InvalidOperation, DivisionByZero, Overflow]
    limits = {"prec": count, "Emax": _LARGEST_EXPONENT, "Emin": -_LARGEST_EXPONENT, "traps": traps}
    return _Digits(
        count=count,
        down=Context(rounding=ROUND_FLOOR, **limits),  # type: ignore[arg-type]
        up=Context(rounding=ROUND_CEILING, **limits),  # type: ignore[arg-type]
    )


def enclose(expression: Expression, digits: int, letters: Mapping[str, Fraction] | None = None) -> Enclosure:
    """Enclose an expression's value with about so many digits.

    Args:
        expression: the expression; shared nodes are computed once.
        digits: decimal digits of the arithmetic, at least 10.
        letters: the value of every parameter.

    Raises:
        NoRealValueError: there surely is no real value.
        OutOfReachError: too large, or these digits do not tell.
    """
    known: dict[int, Enclosure] = {}
    try:
        return _enclose(expression, _digits(digits), letters or {}, known)
    except Overflow as error:
        raise OutOfReachError("beyond 10^10,000") from error


def _enclose(
    node: Expression, digits: _Digits, letters: Mapping[str, Fraction], known: dict[int, Enclosure]
) -> Enclosure:
    if id(node) not in known:
        parts = [_enclose(part, digits, letters, known) for part in node.parts]
        known[id(node)] = _value(node, parts, digits, letters)
    return known[id(node)]


def _value(
    node: Expression, parts: list[Enclosure], digits: _Digits, letters: Mapping[str, Fraction]
) -> Enclosure:
    if node.operation in _FUNCTIONS:
        return _FUNCTIONS[node.operation](parts[0], digits)
    if node.operation in _FOLDS:
        result = parts[0]
        for part in parts[1:]:
            result = _FOLDS[node.operation](result, part, digits)
        return result
    if node.operation == "power":
        return _power(parts[0], int(node.number), digits)
    if node.operation == "root":
        return _root(parts[0], int(node.number), digits)
    return _leaf(node, digits, letters)


def _leaf(node: Expression, digits: _Digits, letters: Mapping[str, Fraction]) -> Enclosure:
    if node.operation == "pi":
        return _about(pi(digits.count), digits)
    if node.operation == "e":
        return _about(Context(prec=digits.count + 5).exp(_ONE), digits)
    if node.operation == "cosine of turns":
        context = Context(prec=digits.count + 10)
        turns = context.divide(Decimal(2 * node.number.numerator), Decimal(node.number.denominator))
        return _about(cosine(context.multiply(pi(context.prec), turns), digits.count), digits)
    return _rational(letters[node.name] if node.operation == "letter" else node.number, digits)


def _rational(value: Fraction, digits: _Digits) -> Enclosure:
    upper, lower = Decimal(value.numerator), Decimal(value.denominator)
    return Enclosure(low=digits.down.divide(upper, lower), high=digits.up.divide(upper, lower))


def _about(value: Decimal, digits: _Digits) -> Enclosure:
    """Enclose a value that is right to 10^-digits, and to as many digits where it is larger than 1."""
    slack = _ONE.scaleb(2 - digits.count)
    return Enclosure(low=digits.down.subtract(value, slack), high=digits.up.add(value, slack))


def _add(left: Enclosure, right: Enclosure, digits: _Digits) -> Enclosure:
    return Enclosure(low=digits.down.add(left.low, right.low), high=digits.up.add(left.high, right.high))


def _multiply(left: Enclosure, right: Enclosure, digits: _Digits) -> Enclosure:
    if left.low >= 0 and right.low >= 0:
        return Enclosure(
            low=digits.down.multiply(left.low, right.low), high=digits.up.multiply(left.high, right.high)
        )
    pairs = [(a, b) for a in (left.low, left.high) for b in (right.low, right.high)]
    return Enclosure(
        low=min(digits.down.multiply(a, b) for a, b in pairs), high=max(digits.up.multiply(a, b) for a, b in pairs)
    )


def _divide(left: Enclosure, right: Enclosure, digits: _Digits) -> Enclosure:
    if right.low == right.high == 0:
        raise NoRealValueError("a division by zero")
    if right.sign == 0:
        raise OutOfReachError("a division by what may be zero")
    inverse = Enclosure(low=digits.down.divide(_ONE, right.high), high=digits.up.divide(_ONE, right.low))
    return _multiply(left, inverse, digits)


def _power(base: Enclosure, exponent: int, digits: _Digits) -> Enclosure:
    result = Enclosure(low=_ONE, high=_ONE)
    for _ in range(abs(exponent)):
        result = _multiply(result, base, digits)
    if exponent % 2 == 0 and base.sign == 0:
        result = Enclosure(low=_ZERO, high=result.high)
    return result if exponent >= 0 else _divide(Enclosure(low=_ONE, high=_ONE), result, digits)


def _root(radicand: Enclosure, index: int, digits: _Digits) -> Enclosure:
    if index % 2 == 0 and radicand.high < 0:
        raise NoRealValueError(f"a root of index {index} of a negative number")
    if index % 2 == 0 and radicand.low < 0:
        radicand = Enclosure(low=_ZERO, high=radicand.high)
    return Enclosure(
        low=_signed_root(radicand.low, index, digits, up=False),
        high=_signed_root(radicand.high, index, digits, up=True),
    )


def _signed_root(value: Decimal, index: int, digits: _Digits, *, up: bool) -> Decimal:
    if value < 0:
        return _positive_root(value.copy_negate(), index, digits, up=not up).copy_negate()
    return _positive_root(value, index, digits, up=up)


def _positive_root(value: Decimal, index: int, digits: _Digits, *, up: bool) -> Decimal:
    """Bound a root from one side; by Newton's method, with a slack far beyond its error."""
    if value == 0:
        return _ZERO
    if index == 2:  # noqa: PLR2004 - square roots come rounded to the last digit
        nearest = digits.down.sqrt(value)  # to the nearest, whatever the rounding
        return digits.up.next_plus(nearest) if up else digits.down.next_minus(nearest)
    context = Context(prec=digits.count + 5, Emax=100_000, Emin=-100_000)
    seed = Context(prec=_SEED_DIGITS, Emax=100_000, Emin=-100_000)
    estimate = seed.power(
        seed.plus(value), seed.divide(_ONE, Decimal(index))
    )  # of all digits it would take a second
    reached = _SEED_DIGITS - 5
    while reached < 2 * context.prec:
        other = context.divide(value, context.power(estimate, Decimal(index - 1)))
        estimate = context.divide(
            context.add(context.multiply(estimate, Decimal(index - 1)), other), Decimal(index)
        )
        reached *= 2
    slack = _ONE.scaleb(1 - digits.count)
    factor = context.add(_ONE, slack) if up else context.subtract(_ONE, slack)
    return digits.up.multiply(estimate, factor) if up else digits.down.multiply(estimate, factor)


def _cosine(angle: Enclosure, digits: _Digits) -> Enclosure:
    if angle.reach > _LARGEST_ANGLE:
        raise OutOfReachError("an angle beyond 10^6")
    width = digits.up.subtract(angle.high, angle.low)
    middle = _about(cosine(angle.low, digits.count), digits)  # the slope is at most 1
    return Enclosure(low=digits.down.subtract(middle.low, width), high=digits.up.add(middle.high, width))


def _sine(angle: Enclosure, digits: _Digits) -> Enclosure:
    return _cosine(_add(_right_angle(digits), angle.mirrored, digits), digits)


def _right_angle(digits: _Digits) -> Enclosure:
    return _divide(_about(pi(digits.count), digits), Enclosure(low=Decimal(2), high=Decimal(2)), digits)


def _tangent(angle: Enclosure, digits: _Digits) -> Enclosure:
    return _divide(_sine(angle, digits), _cosine(angle, digits), digits)


def _arctangent(value: Enclosure, digits: _Digits) -> Enclosure:
    low = _about(arctangent(value.low, digits.count), digits)
    high = low if value.low == value.high else _about(arctangent(value.high, digits.count), digits)
    return Enclosure(low=low.low, high=high.high)


def _arcsine(value: Enclosure, digits: _Digits) -> Enclosure:
    """arcsin(x) = 2 arctan(x / (1 + sqrt(1 - x^2))), which rises from end to end of the domain."""
    if value.low > 1 or value.high < -1:
        raise NoRealValueError("an arc sine or cosine of a number beyond 1")
    ends = [_arcsine_at(max(_MINUS_ONE, min(_ONE, end)), digits) for end in (value.low, value.high)]
    return Enclosure(low=ends[0].low, high=ends[1].high)


def _arcsine_at(x: Decimal, digits: _Digits) -> Enclosure:
    point = Enclosure(low=x, high=x)
    one = Enclosure(low=_ONE, high=_ONE)
    square = _multiply(point, point, digits)
    rest = _root(_add(one, square.mirrored, digits), 2, digits)
    half = _arctangent(_divide(point, _add(one, rest, digits), digits), digits)
    return _add(half, half, digits)


def _arccosine(value: Enclosure, digits: _Digits) -> Enclosure:
    return _add(_right_angle(digits), _arcsine(value, digits).mirrored, digits)


_FOLDS: Mapping[Operation, Callable[[Enclosure, Enclosure, _Digits], Enclosure]] = {
    "add": _add,
    "multiply": _multiply,
    "divide": _divide,
}
_FUNCTIONS: Mapping[Operation, Callable[[Enclosure, _Digits], Enclosure]] = {
    "arccos": _arccosine,
    "arcsin": _arcsine,
    "arctan": _arctangent,
    "cos": _cosine,
    "sin": _sine,
    "tan": _tangent,
}
