"""Angles as sums of multiples of pi, arc functions and parameters, with their cosines and sines, exactly."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from scorers.auxsolidmath.algebra import Algebra
    from scorers.auxsolidmath.expression import Expression

__all__ = ["ARCS", "AngleSum", "Direction", "angle_sum", "direction", "rational_value"]

ARCS = frozenset({"arcsin", "arccos", "arctan"})

_MOST_TURNS_OF_ONE = 24
_LARGEST_DENOMINATOR = 1_000
_SHORT = 10**40

AngleSum = dict["Expression", Fraction]
"""Coefficient of each of: pi, arc functions, parameters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Direction:
    """Cosine and sine of one angle."""

    cosine: Expression
    sine: Expression


def rational_value(node: Expression) -> Fraction | None:
    """Return the value of an expression of short rational numbers and + - * / alone, else None."""
    if node.operation == "number":
        return node.number
    if node.operation not in {"add", "multiply", "divide"}:
        return None
    values = [rational_value(part) for part in node.parts]
    known = [value for value in values if value is not None]
    if len(known) != len(values) or any(max(abs(v.numerator), v.denominator) > _SHORT for v in known):
        return None
    if node.operation == "add":
        return sum(known, Fraction(0))
    if node.operation == "multiply":
        return math.prod(known, start=Fraction(1))
    return None if known[1] == 0 else known[0] / known[1]


def angle_sum(node: Expression) -> AngleSum | None:
    """Return the angle as a sum, or None when it is none (such as sqrt 2, or 2 radians)."""
    if node.operation in ARCS or node.operation in {"pi", "letter"}:
        return {node: Fraction(1)}
    if node.operation == "add":
        return _sum(node)
    if node.operation in {"multiply", "divide"}:
        return _multiple(node)
    return {} if rational_value(node) == 0 else None


def _sum(node: Expression) -> AngleSum | None:
    result: AngleSum = {}
    for part in node.parts:
        terms = angle_sum(part)
        if terms is None:
            return None
        for atom, factor in terms.items():
            result[atom] = result.get(atom, Fraction(0)) + factor
    return {atom: factor for atom, factor in result.items() if factor}


def _multiple(node: Expression) -> AngleSum | None:
    values = [rational_value(part) for part in node.parts]
    angles = [part for part, value in zip(node.parts, values, strict=True) if value is None]
    if not angles:
        return {} if rational_value(node) == 0 else None
    if node.operation == "divide" and values[0] != 0 and (values[0] is not None or values[1] == 0):
        return None
    if len(angles) > 1:
        return None
    factor = math.prod((value for value in values if value is not None), start=Fraction(1))
    if factor == 0:
        return {}
    terms = angle_sum(angles[0])
    if terms is None:
        return None
    factor = 1 / factor if node.operation == "divide" else factor
    return {atom: factor * part for atom, part in terms.items() if factor}


def direction(
    terms: AngleSum,
    algebra: Algebra,
    algebraic: Callable[[Expression], Expression],
    letters: Mapping[str, Fraction],
) -> Direction | None:
    """Return cosine and sine of an angle as algebraic numbers, or None where the multiples are too many.

    A parameter x stands for the angle 2 arctan t, t = x / (1 + x): as x takes any value, so does t.
    """
    result = Direction(cosine=algebra.number(1), sine=algebra.number(0))
    for atom, factor in terms.items():
        part = _multiple_of(atom, factor, algebra, algebraic, letters)
        if part is None:
            return None
        result = _turned(result, part, algebra)
    return result


def _multiple_of(
    atom: Expression,
    factor: Fraction,
    algebra: Algebra,
    algebraic: Callable[[Expression], Expression],
    letters: Mapping[str, Fraction],
) -> Direction | None:
    if atom.operation == "pi":
        if factor.denominator > _LARGEST_DENOMINATOR:
            return None
        cosine = algebra.cosine_of_turns(factor / 2)
        return Direction(cosine=cosine, sine=algebra.cosine_of_turns(Fraction(1, 4) - factor / 2))
    if factor.denominator not in {1, 2} or abs(factor.numerator) > _MOST_TURNS_OF_ONE:
        return None
    if atom.operation == "letter":
        single = _parameter(letters[atom.name], algebra, halved=factor.denominator == 2)  # noqa: PLR2004
    else:
        single = _arc(atom.operation, algebraic(atom.parts[0]), algebra)
        if factor.denominator == 2:  # noqa: PLR2004
            single = _half(single, algebra, of_arccos=atom.operation == "arccos")
    return _times(single, factor.numerator, algebra)


def _parameter(x: Fraction, algebra: Algebra, *, halved: bool) -> Direction:
    t = x / (1 + x)
    one = Fraction(1)
    if halved:
        length = algebra.root(algebra.number(one + t * t), 2)
        return Direction(
            cosine=algebra.divide(algebra.number(1), length), sine=algebra.divide(algebra.number(t), length)
        )
    return Direction(
        cosine=algebra.number((one - t * t) / (one + t * t)), sine=algebra.number(2 * t / (one + t * t))
    )


def _arc(operation: str, value: Expression, algebra: Algebra) -> Direction:
    square = algebra.power(value, 2) if value.operation != "number" else algebra.number(value.number**2)
    if operation == "arctan":
        length = algebra.root(algebra.add(algebra.number(1), square), 2)
        return Direction(cosine=algebra.divide(algebra.number(1), length), sine=algebra.divide(value, length))
    other = algebra.root(algebra.subtract(algebra.number(1), square), 2)
    return Direction(cosine=value, sine=other) if operation == "arccos" else Direction(cosine=other, sine=value)


def _half(whole: Direction, algebra: Algebra, *, of_arccos: bool) -> Direction:
    """Halve an angle between -90 and 90 degrees, or one between 0 and 180 of an arc cosine."""
    half = algebra.number(Fraction(1, 2))
    cosine = algebra.root(algebra.multiply(half, algebra.add(algebra.number(1), whole.cosine)), 2)
    if of_arccos:
        sine = algebra.root(algebra.multiply(half, algebra.subtract(algebra.number(1), whole.cosine)), 2)
    else:
        sine = algebra.divide(algebra.multiply(half, whole.sine), cosine)
    return Direction(cosine=cosine, sine=sine)


def _times(single: Direction, count: int, algebra: Algebra) -> Direction:
    result = Direction(cosine=algebra.number(1), sine=algebra.number(0))
    step = single if count >= 0 else Direction(
        cosine=single.cosine, sine=algebra.multiply(algebra.number(-1), single.sine)
    )  # fmt: skip
    for _ in range(abs(count)):
        result = _turned(result, step, algebra)
    return result


def _turned(first: Direction, second: Direction, algebra: Algebra) -> Direction:
    cosine = algebra.subtract(
        algebra.multiply(first.cosine, second.cosine), algebra.multiply(first.sine, second.sine)
    )
    sine = algebra.add(algebra.multiply(first.sine, second.cosine), algebra.multiply(first.cosine, second.sine))
    return Direction(cosine=cosine, sine=sine)
