"""Whether two expressions have the same value, exactly.

First both are enclosed with 60 digits: values that differ are told apart there. What remains is decided exactly:

* pi and e are transcendental, so an expression in them is zero just when it is zero as a function of them near
  their values; and two expressions in positive parameters are equal just when they are as functions. Functions
  are compared at three rational points whose denominators are primes beyond 10^9: a root of their difference
  there would need that prime in a coefficient. (That pi and e are independent of each other is assumed.)
* At such a point only an algebraic number is left, and `scorers.auxsolidmath.separation` decides it.
* Cosines, sines and tangents of sums of multiples of pi, arc functions and parameters are algebraic. Two angles,
  as sums of the same kind, are equal when they are near and the sine of their difference is zero.
* Arc functions with other factors count as unknowns, equal ones as one; and so do functions of other numbers,
  which are equal when written alike. Where such values agree without a proof, nothing is decided.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from scorers.auxsolidmath.algebra import Algebra
from scorers.auxsolidmath.angles import ARCS, AngleSum, angle_sum, direction
from scorers.auxsolidmath.enclosure import enclose
from scorers.auxsolidmath.expression import difference, letters_of, walk
from scorers.auxsolidmath.separation import FIRST_DIGITS, MOST_DIGITS, UndecidedError, first_sign, is_zero

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorers.auxsolidmath.expression import Expression

__all__ = ["is_nowhere_negative", "same_value", "sign_of_difference"]

_PRIMES = (1_000_000_007, 1_000_000_009, 1_000_000_021)
_LETTER_VALUES = (Fraction(13, 20), Fraction(7, 5), Fraction(29, 9), Fraction(5, 7))
_CIRCULAR = frozenset({"sin", "cos", "tan"})


@dataclass(slots=True)
class _Point:
    """One rational point: values of parameters, and of what counts as unknown."""

    place: int
    letters: Mapping[str, Fraction]
    algebra: Algebra = field(default_factory=Algebra)
    unknowns: dict[Expression, Expression] = field(default_factory=dict)

    def algebraic(self, node: Expression) -> Expression:
        """Return the algebraic number that the expression is at this point."""
        if node.operation in _CIRCULAR:
            return self._circular(node)
        if node.operation in ARCS or node.operation in {"pi", "e"}:
            return self._unknown(node)
        if node.operation in {"number", "letter"}:
            return self.algebra.number(self.letters[node.name] if node.name else node.number)
        return self._built(node, [self.algebraic(part) for part in node.parts])

    def _built(self, node: Expression, parts: list[Expression]) -> Expression:
        if node.operation == "add":
            return self.algebra.add(*parts)
        if node.operation == "multiply":
            return self.algebra.multiply(*parts)
        if node.operation == "divide":
            return self.algebra.divide(*parts)
        if node.operation == "power":
            return self.algebra.power(parts[0], int(node.number))
        return self.algebra.root(parts[0], int(node.number))

    def _circular(self, node: Expression) -> Expression:
        terms = angle_sum(node.parts[0])
        found = None if terms is None else direction(terms, self.algebra, self.algebraic, self.letters)
        if found is None:
            return self._unknown(node)
        if node.operation == "tan":
            return self.algebra.divide(found.sine, found.cosine)
        return found.cosine if node.operation == "cos" else found.sine

    def _unknown(self, node: Expression) -> Expression:
        """Stand a rational number near the value in for it, another for each unknown and at each point."""
        for known, stand_in in self.unknowns.items():
            if known == node or self._is_same_arc(known, node):
                return stand_in
        prime = _PRIMES[self.place]
        near = round(Fraction(enclose(node, FIRST_DIGITS, self.letters).low) * prime)
        self.unknowns[node] = self.algebra.number(Fraction(near + 1 + len(self.unknowns), prime))
        return self.unknowns[node]

    def _is_same_arc(self, left: Expression, right: Expression) -> bool:
        if left.operation not in ARCS or right.operation not in ARCS:
            return False
        near = first_sign(difference(left, right), self.letters) == 0
        return near and _is_zero_angle({left: Fraction(1), right: Fraction(-1)}, self)


def same_value(left: Expression, right: Expression) -> bool:
    """Whether both have the same value for every positive value of their parameters.

    Raises:
        NoRealValueError: one has no real value.
        UndecidedError: it cannot be told within the bounds.
    """
    gap = difference(left, right)
    names = sorted(letters_of(gap))
    points = [_Point(place=place, letters=_letter_values(names, place)) for place in range(len(_PRIMES))]
    if any(first_sign(gap, point.letters) for point in (points if names else points[:1])):
        return False
    if all(_is_zero_at(gap, point) for point in points):
        return True
    if not any(_sign(gap, MOST_DIGITS // 4, point.letters) for point in points):
        raise UndecidedError(f"equal to {MOST_DIGITS // 4} digits, and not proved equal")
    return False


def _sign(expression: Expression, digits: int, letters: Mapping[str, Fraction]) -> int:
    return enclose(expression, digits, letters).sign


def sign_of_difference(left: Expression, right: Expression) -> int:
    """Return the sign of left - right, both without parameters.

    Raises:
        NoRealValueError: one has no real value.
        UndecidedError: it cannot be told within the bounds.
    """
    return 0 if same_value(left, right) else first_sign(difference(left, right), {})


def is_nowhere_negative(expression: Expression) -> bool:
    """Whether no enclosure shows the expression below zero, at any point of its parameters.

    Raises:
        NoRealValueError: it has no real value.
        UndecidedError: it is out of reach.
    """
    names = sorted(letters_of(expression))
    places = range(len(_PRIMES)) if names else range(1)
    return all(first_sign(expression, _letter_values(names, place)) >= 0 for place in places)


def _letter_values(names: list[str], place: int) -> dict[str, Fraction]:
    """Give each parameter a positive value of its own."""
    return {
        name: _LETTER_VALUES[(rank + place) % len(_LETTER_VALUES)] + rank + Fraction(place + 1, _PRIMES[place])
        for rank, name in enumerate(names)
    }


def _is_zero_at(gap: Expression, point: _Point) -> bool:
    terms = _angle(gap)
    if terms is None:
        return is_zero(point.algebraic(gap))
    return _is_zero_angle(terms, point)


def _angle(gap: Expression) -> AngleSum | None:
    """Return the gap as an angle when it holds an arc function and nothing that is no angle."""
    if not any(node.operation in ARCS for node in walk(gap)):
        return None
    terms = angle_sum(gap)
    if terms is None or any(atom.operation == "letter" for atom in terms):
        return None
    return terms


def _is_zero_angle(terms: AngleSum, point: _Point) -> bool:
    whole = math.lcm(*(factor.denominator for atom, factor in terms.items() if atom.operation in ARCS))
    found = direction(
        {atom: whole * factor for atom, factor in terms.items()}, point.algebra, point.algebraic, point.letters
    )
    if found is None:
        raise UndecidedError("multiples of too many angles")
    return is_zero(found.sine)
