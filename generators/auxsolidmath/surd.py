"""Exact numbers of the form q·√n·π^k, which is all that the answers and lengths of these problems need."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

__all__ = ["PI", "Surd", "number", "root"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Surd:
    """The number `rational`·√`radicand`, times π when `times_pi`; `radicand` is square-free and positive.

    Zero is `rational` 0 with radicand 1. Made by `number`, `root` and arithmetic, which keep it reduced.
    """

    rational: Fraction
    radicand: int = 1
    times_pi: bool = False

    def __post_init__(self) -> None:
        if self.radicand < 1 or _square_part(self.radicand) != 1:
            raise ValueError(f"expected a square-free radicand of at least 1, got {self.radicand!r}")

    def __float__(self) -> float:
        value = float(self.rational) * math.sqrt(self.radicand)
        return value * math.pi if self.times_pi else value

    def __mul__(self, other: Surd | Fraction | int) -> Surd:
        factor = other if isinstance(other, Surd) else number(other)
        if self.times_pi and factor.times_pi:
            raise ValueError("expected at most one factor π, got π²")
        product = root(self.radicand * factor.radicand)
        return Surd(
            rational=self.rational * factor.rational * product.rational,
            radicand=product.radicand,
            times_pi=self.times_pi or factor.times_pi,
        )

    def __truediv__(self, other: Surd | Fraction | int) -> Surd:
        """Divide; the divisor holds no π. ZeroDivisionError when it is zero."""
        divisor = other if isinstance(other, Surd) else number(other)
        if divisor.times_pi:
            raise ValueError("expected a divisor without π")
        return self * Surd(rational=1 / (divisor.rational * divisor.radicand), radicand=divisor.radicand)

    def __neg__(self) -> Surd:
        return Surd(rational=-self.rational, radicand=self.radicand, times_pi=self.times_pi)

    @property
    def squared(self) -> Fraction:
        """The square of the part without π."""
        return self.rational**2 * self.radicand

    @property
    def tidy(self) -> bool:
        """Whether the number reads well: radicand and denominator at most 100."""
        return self.radicand <= 100 and self.rational.denominator <= 100  # noqa: PLR2004 - the rule's own bound

    @property
    def text(self) -> str:
        """The number as people write it in one line: 2√5/5, −1/3, 36π, 4π√3/3."""
        top, below = _top(self.rational, self.times_pi, self.radicand), self.rational.denominator
        return f"{_sign(self.rational)}{top}" + (f"/{below}" if below != 1 else "")

    @property
    def latex(self) -> str:
        r"""The number in LaTeX: \frac{2\sqrt{5}}{5}."""
        top, below = _top(self.rational, self.times_pi, self.radicand), self.rational.denominator
        top = top.replace("π", r"\pi ").replace(f"√{self.radicand}", rf"\sqrt{{{self.radicand}}}").strip()
        sign = "-" if self.rational < 0 else ""
        return sign + (rf"\frac{{{top}}}{{{below}}}" if below != 1 else top)


def number(value: Fraction | int) -> Surd:
    """Return a rational number."""
    return Surd(rational=Fraction(value))


def root(square: Fraction | int) -> Surd:
    """Return the square root of a rational number of at least zero, reduced.

    Raises:
        ValueError: the number is negative.
    """
    exact = Fraction(square)
    if exact < 0:
        raise ValueError(f"expected a number of at least 0 under the root, got {exact}")
    if exact == 0:
        return number(0)
    whole = exact.numerator * exact.denominator
    outside = _square_part(whole)
    return Surd(rational=Fraction(outside, exact.denominator), radicand=whole // outside**2)


def _square_part(whole: int) -> int:
    """Return the largest number whose square divides `whole`."""
    outside, factor = 1, 2
    while factor * factor <= whole:
        while whole % (factor * factor) == 0:
            whole //= factor * factor
            outside *= factor
        while whole % factor == 0:
            whole //= factor
        factor += 1
    return outside


def _top(rational: Fraction, times_pi: bool, radicand: int) -> str:
    whole = abs(rational.numerator)
    symbols = ("π" if times_pi else "") + (f"√{radicand}" if radicand != 1 else "")
    return symbols if whole == 1 and symbols else f"{whole}{symbols}"


def _sign(rational: Fraction) -> str:
    return "−" if rational < 0 else ""


PI = Surd(rational=Fraction(1), times_pi=True)
