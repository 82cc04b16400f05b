"""Exact numbers: arithmetic agrees with floats, surds and ratios are written as people do."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generators.auxsolidmath.exact import PI, Surd, number, number_answer, ratio_answer, root

_RATIONALS = st.fractions(min_value=-30, max_value=30, max_denominator=60)

_SQUARES = st.fractions(min_value=0, max_value=400, max_denominator=40)


@given(_RATIONALS, _SQUARES, _SQUARES)
@settings(max_examples=50)
def test_surd_arithmetic_agrees_with_floats(rational: Fraction, first: Fraction, second: Fraction) -> None:
    product = number(rational) * root(first) * root(second)
    assert float(product) == pytest.approx(float(rational) * float(first) ** 0.5 * float(second) ** 0.5, abs=1e-9)
    assert float(root(first).squared) == pytest.approx(float(first))
    assert float(-product) == -float(product)
    if second:
        assert float(root(first) / root(second)) == pytest.approx((first / second) ** 0.5, abs=1e-9)
    assert float(product * PI / 2) == pytest.approx(float(product) * 1.5707963267948966)


@pytest.mark.parametrize(
    ("surd", "text", "latex"),
    [
        (root(20) / 5, "2√5/5", r"\frac{2\sqrt{5}}{5}"),
        (number(Fraction(-1, 3)), "−1/3", r"-\frac{1}{3}"),
        (PI * 36, "36π", r"36\pi"),
        (PI * root(3) * Fraction(4, 3), "4π√3/3", r"\frac{4\pi \sqrt{3}}{3}"),
        (root(7), "√7", r"\sqrt{7}"),
        (number(0), "0", "0"),
        (root(0), "0", "0"),
    ],
)
def test_surds_are_written_as_people_do(surd: Surd, text: str, latex: str) -> None:
    assert surd.text == text
    assert surd.latex == latex


def test_what_is_no_surd_is_refused() -> None:
    with pytest.raises(ValueError, match="square-free radicand"):
        Surd(rational=Fraction(1), radicand=8)
    with pytest.raises(ValueError, match="at least 0 under the root, got -1"):
        root(-1)
    with pytest.raises(ValueError, match="at most one factor π"):
        _ = PI * PI
    with pytest.raises(ValueError, match="a divisor without π"):
        _ = PI / PI


@pytest.mark.parametrize("surd", [number(0), number(1), number(-1), root(101), number(Fraction(1, 101))])
def test_untidy_and_trivial_answers_are_refused(surd: Surd) -> None:
    with pytest.raises(ValueError, match="expected a tidy answer other than 0, 1 and −1"):
        number_answer(surd)


def test_ratios_are_in_lowest_terms() -> None:
    assert ratio_answer(Fraction(8, 30)).text == "4:15"
