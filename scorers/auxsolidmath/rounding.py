"""Decimals as rounded values: which numbers a decimal stands for when it is not exact."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from scorers.auxsolidmath.equality import is_nowhere_negative
from scorers.auxsolidmath.expression import DecimalLiteral, difference, number, product

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorers.auxsolidmath.expression import Expression

__all__ = ["ENOUGH_DIGITS", "Rounded", "rounded", "rounds_to"]

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
