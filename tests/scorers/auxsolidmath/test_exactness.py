"""Exact arithmetic: enclosures that hold the value, and the proof that a number is zero."""

from __future__ import annotations

import math
from decimal import Context, Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorers.auxsolidmath import elementary
from scorers.auxsolidmath.algebra import Algebra
from scorers.auxsolidmath.enclosure import NoRealValueError, enclose
from scorers.auxsolidmath.equality import same_value, sign_of_difference
from scorers.auxsolidmath.expression import E, Expression, number, operation, power, quotient, root
from scorers.auxsolidmath.separation import is_zero

PI_60 = "3.14159265358979323846264338327950288419716939937510582097494"
E_60 = "2.71828182845904523536028747135266249775724709369995957496697"
SQRT2_60 = "1.41421356237309504880168872420969807856967187537694807317668"
ARCTAN_HALF_60 = "0.463647609000806116214256231461214402028537054286120263810933"
COS_1_60 = "0.540302305868139717400936607442976603732310420617922227670097"


@pytest.mark.parametrize(
    ("expression", "digits"),
    [
        (Expression(operation="pi"), PI_60),
        (E, E_60),
        (root(number(2), 2), SQRT2_60),
        (operation("arctan", quotient(number(1), number(2))), ARCTAN_HALF_60),
        (operation("cos", number(1)), COS_1_60),
        (power(root(number(2), 6), 3), SQRT2_60),
    ],
)
def test_an_enclosure_holds_known_digits_and_is_narrow(expression: Expression, digits: str) -> None:
    enclosure = enclose(expression, 50)
    step = Decimal(1).scaleb(-58)

    with localcontext(Context(prec=80)):
        assert enclosure.low <= Decimal(digits) + step
        assert enclosure.high >= Decimal(digits) - step
        assert enclosure.high - enclosure.low < Decimal(1).scaleb(-46)


@settings(deadline=None)
@given(st.fractions(min_value=-5, max_value=5, max_denominator=1000))
def test_enclosures_of_functions_hold_the_value_of_a_double(x: Fraction) -> None:
    for name, function in (("sin", math.sin), ("cos", math.cos), ("arctan", math.atan)):
        enclosure = enclose(operation(name, number(x)), 30)  # type: ignore[arg-type]
        assert float(enclosure.low) - 1e-12 < function(x) < float(enclosure.high) + 1e-12


@settings(deadline=None)
@given(st.fractions(min_value=-1, max_value=1, max_denominator=1000))
def test_arc_functions_go_to_the_ends_of_their_domain(x: Fraction) -> None:
    for name, function in (("arcsin", math.asin), ("arccos", math.acos)):
        enclosure = enclose(operation(name, number(x)), 30)  # type: ignore[arg-type]
        assert float(enclosure.low) - 1e-7 < function(x) < float(enclosure.high) + 1e-7


@settings(deadline=None)
@given(st.integers(1, 10**12), st.integers(2, 12), st.sampled_from((1, -1)))
def test_a_root_s_enclosure_holds_the_radicand_between_its_powers(value: int, index: int, sign: int) -> None:
    if sign < 0 and index % 2 == 0:
        return
    enclosure = enclose(root(number(sign * value), index), 40)
    with localcontext(Context(prec=600)):
        assert enclosure.low**index <= sign * value <= enclosure.high**index


def test_pi_has_as_many_digits_as_asked_for() -> None:
    assert str(elementary.pi(1_000))[:61] == PI_60[:61]
    assert str(elementary.pi(1_000)).startswith(str(elementary.pi(500))[:500])


def test_the_thread_s_own_precision_changes_nothing() -> None:
    with localcontext(Context(prec=3)):
        assert same_value(
            root(number(12), 2), Expression(operation="multiply", parts=(number(2), root(number(3), 2)))
        )
        assert sign_of_difference(root(number(12), 2), number(Fraction(34641, 10000))) == 1


def test_equal_parts_become_one_node_and_rational_ones_numbers() -> None:
    algebra = Algebra()
    root_two, root_eight = algebra.root(algebra.number(2), 2), algebra.root(algebra.number(8), 2)

    assert algebra.subtract(root_eight, algebra.multiply(algebra.number(2), root_two)) is algebra.number(0)
    assert algebra.multiply(root_two, root_eight) is algebra.number(4)
    assert algebra.root(algebra.number(Fraction(9, 4)), 2) is algebra.number(Fraction(3, 2))
    assert algebra.power(root_two, 5) is algebra.multiply(algebra.number(4), root_two)
    assert algebra.cosine_of_turns(Fraction(-1, 3)) is algebra.number(Fraction(-1, 2))


def test_what_has_no_value_is_refused_when_built() -> None:
    algebra = Algebra()
    with pytest.raises(NoRealValueError, match="a division by zero"):
        algebra.divide(algebra.number(1), algebra.number(0))
    with pytest.raises(NoRealValueError, match="zero to a power"):
        algebra.power(algebra.number(0), -1)
    with pytest.raises(NoRealValueError, match="index 2 of a negative number"):
        algebra.root(algebra.number(-2), 2)


@pytest.mark.parametrize("gap", [0, 1])
def test_a_number_is_zero_only_exactly(gap: int) -> None:
    """√(a+b+2√(ab)) - √a - √b with large a and b, and the same with one more under the root."""
    algebra = Algebra()
    a, b = algebra.root(algebra.number(10**20 + 39), 2), algebra.root(algebra.number(10**20 + 129), 2)
    radicand = algebra.number(2 * 10**20 + 168 + gap)
    both = algebra.multiply(algebra.number(2), a, b)

    value = algebra.subtract(algebra.root(algebra.add(radicand, both), 2), algebra.add(a, b))

    assert is_zero(value) == (gap == 0)


@pytest.mark.parametrize("index", range(1, 13))
def test_a_cosine_of_turns_is_the_root_of_its_chebyshev_equation(index: int) -> None:
    """T_n(cos(2 pi k/n)) = 1, which no simplification here can see."""
    algebra = Algebra()
    x = algebra.cosine_of_turns(Fraction(2, index))
    before, value = algebra.number(1), x
    for _ in range(index - 1):
        before, value = value, algebra.subtract(algebra.multiply(algebra.number(2), x, value), before)

    assert is_zero(algebra.subtract(value, algebra.number(1)))
