"""Values of expressions to 300 digits, and when two of them are the same."""

from __future__ import annotations

import math
from decimal import Context, Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scorers.auxsolidmath.exact.value import (
    Expression,
    NoRealValueError,
    UndecidedError,
    is_nowhere_negative,
    number,
    same_value,
    sign_of_difference,
    value_of,
)
from scorers.auxsolidmath.reading.grammar import parse_quantity

DIGITS_60 = {
    "π": "3.14159265358979323846264338327950288419716939937510582097494",
    "e": "2.71828182845904523536028747135266249775724709369995957496697",
    "√2": "1.41421356237309504880168872420969807856967187537694807317668",
    "(\\sqrt[6]{2})^3": "1.41421356237309504880168872420969807856967187537694807317668",
    "arctan(1/2)": "0.463647609000806116214256231461214402028537054286120263810933",
    "cos(1)": "0.540302305868139717400936607442976603732310420617922227670097",
}

LARGE = "10000000000000000000"
EQUAL = (
    ("\\sqrt[3]{2+√5}-\\sqrt[3]{√5-2}", "1"),
    ("cos(2π/7)+cos(4π/7)+cos(6π/7)", "-1/2"),
    ("4arctan(1/5)-arctan(1/239)", "π/4"),
    ("arccos(√2*√2/2)", "0"),
    ("√(arcsin(1/2)-π/6)", "0"),
    ("tan(10^5π/3)", "tan(π/3)"),
    ("\\sqrt[3]{-16}", "-2\\sqrt[3]{2}"),
    ("√(a^2+2ab+b^2)", "a+b"),
    ("arctan(a/b)+arctan(b/a)", "π/2"),
    (f"√({LARGE}39+{LARGE}129+2√({LARGE}39*{LARGE}129))", f"√{LARGE}39+√{LARGE}129"),
)


def expression(text: str) -> Expression:
    return parse_quantity(text, frozenset("ab")).expression


@pytest.mark.parametrize(("text", "digits"), DIGITS_60.items())
def test_a_value_has_the_known_digits(text: str, digits: str) -> None:
    assert str(value_of(expression(text)))[:60] == digits[:60]


@settings(deadline=None, max_examples=15)
@given(st.fractions(min_value=-1, max_value=1, max_denominator=1000))
@example(x=Fraction(1))
@example(x=Fraction(-1))
def test_functions_have_the_value_of_a_double(x: Fraction) -> None:
    for name, function, scale in (
        ("sin", math.sin, 5), ("cos", math.cos, 5), ("arctan", math.atan, 5), ("arcsin", math.asin, 1),
        ("arccos", math.acos, 1),
    ):  # fmt: skip
        value = value_of(Expression(operation=name, parts=(number(scale * x),)))  # type: ignore[arg-type]
        assert float(value) == pytest.approx(function(scale * x), abs=1e-7)


@settings(deadline=None, max_examples=15)
@given(st.integers(1, 10**12), st.integers(2, 12), st.sampled_from((1, -1)))
def test_a_root_raised_is_the_radicand(value: int, index: int, sign: int) -> None:
    radicand = value if index % 2 == 0 else sign * value
    result = value_of(Expression(operation="root", parts=(number(radicand),), number=Fraction(index)))
    with localcontext(Context(prec=320)):
        assert abs(result**index / radicand - 1) < Decimal(1).scaleb(-297)


@pytest.mark.parametrize(("left", "right"), EQUAL)
def test_values_that_look_different_are_the_same(left: str, right: str) -> None:
    assert same_value(expression(left), expression(right))


@pytest.mark.parametrize(("left", "right"), EQUAL)
@pytest.mark.parametrize("exponent", ["10^{-10}", "(10^{-10})^5", "(10^{-12})^{12}"])
def test_a_value_that_differs_in_the_10th_50th_or_144th_digit_is_another(
    left: str, right: str, exponent: str
) -> None:
    assert not same_value(expression(f"{left}+{exponent}"), expression(right))
    assert not same_value(expression(left), expression(f"{right}-{exponent}"))


def test_what_agrees_to_200_digits_is_the_same() -> None:
    assert same_value(expression("√2+((10^{-12})^5)^4"), expression("√2"))


@pytest.mark.parametrize(
    ("text", "error", "why"),
    [
        ("1/(√2√3-√6)", NoRealValueError, "a division by zero"),
        ("(√2-√2)^{-1}", NoRealValueError, "zero to a power"),
        ("√(√2-√3)", NoRealValueError, "a root of index 2 of a negative number"),
        ("arccos(1+10^{-12})", NoRealValueError, "an arc sine or cosine of a number beyond 1"),
        ("(((9^{12})^{12})^{12})^{12}", UndecidedError, "no value within reach: beyond 10\\^10,000"),
        ("(((9^{-12})^{12})^{12})^{12}", UndecidedError, "no value within reach: beyond 10\\^10,000"),
        ("cos(10^{7})", UndecidedError, "no value within reach: an angle beyond 10\\^6"),
    ],
)
def test_what_has_no_real_value_or_is_out_of_reach_is_refused(text: str, error: type[Exception], why: str) -> None:
    with pytest.raises(error, match=why):
        value_of(expression(text))


def test_the_thread_s_own_precision_changes_nothing() -> None:
    with localcontext(Context(prec=3)):
        assert same_value(expression("√12"), expression("2√3"))
        assert sign_of_difference(expression("√12"), expression("3.4641")) == 1
        assert sign_of_difference(expression("√12"), expression("3.4642")) == -1
        assert sign_of_difference(expression("√12"), expression("2√3")) == 0
        assert is_nowhere_negative(expression("√12-2√3"))
        assert not is_nowhere_negative(expression("a-2√3"))
