"""Expressions: the tree that the grammar builds and exact arithmetic works on."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "PI",
    "DecimalLiteral",
    "E",
    "Expression",
    "Operation",
    "difference",
    "letter",
    "letters_of",
    "negative",
    "number",
    "operation",
    "power",
    "product",
    "quotient",
    "root",
    "total",
    "walk",
]

Operation = Literal[
    "number", "pi", "e", "letter", "add", "multiply", "divide", "power", "root", "cosine of turns",
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

    `number` is the value of a number, a power's whole exponent, a root's index, or a fraction of a turn.
    `written` tells of a number that was written as a decimal; it is no part of the value.
    """

    operation: Operation
    parts: tuple[Expression, ...] = ()
    number: Fraction = Fraction(0)
    name: str = ""
    written: DecimalLiteral | None = field(default=None, compare=False)


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
