r"""The grammar of an answer: recursive descent over tokens, which must use up the whole text.

    quantity := sum [":" sum] [unit | "rad"]
    sum      := ["+" | "-"] term (("+" | "-") term)*
    term     := factor (("*" | "/" | nothing) factor)*      a number never follows without a sign
    factor   := atom ("^" exponent | "°" [minutes] | "%")*
    atom     := number | mixed number | "(" sum ")" | pi | e | letter | root | fraction | function of an angle

A mixed number is a whole number before a proper fraction of whole numbers (`1\frac12`, `1 1/2`, 一又二分之一).
After "/" one factor counts: `4/3π` is (4/3)π, as solutions write it; `1/2√3` has two readings that people use,
and is marked. Caps: 200 characters, 64 nodes, depth 16, exponents of at most 12 over 12, numbers of 30 digits. So
the work is bounded before any arithmetic.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from scorers.auxsolidmath.exact.value import (
    ARCS,
    PI,
    DecimalLiteral,
    E,
    Expression,
    letter,
    negative,
    number,
    operation,
    power,
    product,
    quotient,
    rational_value,
    root,
    total,
    walk,
)
from scorers.auxsolidmath.reading.tokens import END, SyntaxFault, Token, TokenReader, Unit, tokenize

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["MAX_CHARS", "Quantity", "parse_quantity"]

MAX_CHARS = 200
MAX_NODES = 64
MAX_DEPTH = 16
MAX_EXPONENT = 12

_CLOSING = {"(": ")", "[": "]", "{": "}"}
_STARTS = frozenset("({[√∛") | {"π", "frac"}
_MINUTES = 60
_DEGREE = quotient(PI, number(180))


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """What a text says: an expression, in radians where it is an angle.

    `degrees`, `radians` and `percent` tell of such signs in it. `other` is a second reading where there are two:
    of `1/2√3`, 1/(2√3).
    """

    expression: Expression
    unit: Unit | None = None
    degrees: bool = False
    radians: bool = False
    percent: bool = False
    other: Expression | None = None


@lru_cache(maxsize=4096)
def parse_quantity(text: str, letters: frozenset[str] = frozenset()) -> Quantity:
    """Read a text in plain form as one quantity.

    Args:
        text: at most `MAX_CHARS` characters.
        letters: names of parameters, which win over units and constants of the same name.

    Raises:
        SyntaxFault: the text is no quantity, or beyond a cap.
    """
    if len(text) > MAX_CHARS:
        raise SyntaxFault(f"an answer of more than {MAX_CHARS} characters")
    tokens = tokenize(text, letters=letters)
    parser = _Parser(tokens=tokens, letters=letters)
    quantity = parser.quantity()
    if not parser.two_readings:
        return quantity
    other = _Parser(tokens=tokens, letters=letters, wide_denominators=True).quantity()
    return replace(quantity, other=other.expression)


@dataclass(slots=True, kw_only=True)
class _BoundedReader(TokenReader):
    """Looks ahead, and counts nodes and depth against the caps."""

    depth: int = 0
    nodes: int = 0

    def counted(self, node: Expression) -> Expression:
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise SyntaxFault(f"an expression of more than {MAX_NODES} parts")
        return node

    def deeper(self, read: Callable[[], Expression]) -> Expression:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise SyntaxFault(f"an expression nested more than {MAX_DEPTH} deep")
        node = read()
        self.depth -= 1
        return node

    def index(self, value: Fraction) -> int:
        if value.denominator != 1 or not 2 <= value <= MAX_EXPONENT:  # noqa: PLR2004
            raise SyntaxFault(f"a root whose index is no whole number from 2 to {MAX_EXPONENT}")
        return int(value)

    def starts_factor(self) -> bool:
        token = self.ahead()
        if token.kind in {"letter", "function"}:
            return True
        return token.kind == "sign" and token.text in _STARTS

    def sees_root_index(self) -> bool:
        return self.sees("{") and self.ahead(1).kind == "number" and self.ahead(2).text == "}" and (
            self.ahead(3).text == "√" and self.ahead(3).kind == "sign" and not self.ahead(3).spaced
            and self.ahead(-2).kind == "number"
        )  # fmt: skip

    def minutes_mark(self) -> bool:
        mark = self.ahead(1)
        return mark.kind == "sign" and mark.text in {"'", '"'}


@dataclass(slots=True, kw_only=True)
class _Parser(_BoundedReader):
    letters: frozenset[str]
    wide_denominators: bool = False
    degrees: bool = False
    radians: bool = False
    percent: bool = False
    two_readings: bool = False

    def quantity(self) -> Quantity:
        expression = self.sum()
        if self.takes(":"):
            expression = self.counted(quotient(expression, self.sum()))
        unit = self.unit()
        if self.takes("rad"):
            self.radians = True
        if self.ahead() is not END:
            self.fail("the end of the answer")
        return Quantity(
            expression=expression, unit=unit, degrees=self.degrees, radians=self.radians, percent=self.percent
        )

    def sum(self) -> Expression:
        return self.deeper(self._sum)

    def _sum(self) -> Expression:
        terms = [self.signed_term()]
        while self.sees("+", "-"):
            terms.append(self.signed_term())
        return terms[0] if len(terms) == 1 else self.counted(total(*terms))

    def signed_term(self) -> Expression:
        if self.takes("-"):
            return self.counted(negative(self.term()))
        self.takes("+")
        return self.term()

    def term(self) -> Expression:
        result = self.factor()
        divided = False
        while True:
            if self.takes("*"):
                result, divided = self.counted(product(result, self.signed_factor())), False
            elif self.takes("/"):
                result, divided = self.divided(result), True
            elif self.takes("分之"):
                return self.counted(quotient(self.deeper(self.term), result))
            elif self.starts_factor():
                if divided and self.sees("√", "∛") and self.ahead(-1).kind == "number":
                    self.two_readings = True
                result = self.counted(product(result, self.factor()))
            else:
                return result

    def divided(self, upper: Expression) -> Expression:
        """Divide; in `1/2°` the sign belongs to the quotient, unless there is one above, too."""
        whole = not self.degrees
        lower = self.denominator()
        if whole and lower.operation == "multiply" and lower.parts[-1] is _DEGREE:
            return self.counted(product(quotient(upper, lower.parts[0]), _DEGREE))
        return self.counted(quotient(upper, lower))

    def denominator(self) -> Expression:
        result = self.signed_factor()
        while self.wide_denominators and self.starts_factor():
            result = self.counted(product(result, self.factor()))
        return result

    def signed_factor(self) -> Expression:
        if self.takes("-"):
            return self.counted(negative(self.factor()))
        return self.factor()

    def factor(self) -> Expression:
        result = self.atom()
        while True:
            if self.takes("^"):
                if self.sees_root_index():
                    raise SyntaxFault("a raised number before a root sign, which has two readings")
                result = self.raised(result, self.exponent())
            elif self.sees("²", "³"):
                result = self.raised(result, Fraction(2 if self.take().text == "²" else 3))
            elif self.takes("°"):
                result = self.in_degrees(result)
            elif self.takes("%"):
                self.percent = True
                result = self.counted(quotient(result, number(100)))
            else:
                return result

    def exponent(self) -> Fraction:
        if self.takes("{"):
            node = self.sum()
            if not self.takes("}"):
                self.fail("'}'")
        else:
            node = self.deeper(self.signed_factor)
        value = rational_value(node)
        if value is None or abs(value.numerator) > MAX_EXPONENT or value.denominator > MAX_EXPONENT:
            raise SyntaxFault(f"an exponent that is no fraction of numbers up to {MAX_EXPONENT}")
        return value

    def raised(self, base: Expression, exponent: Fraction) -> Expression:
        rooted = base if exponent.denominator == 1 else self.counted(root(base, exponent.denominator))
        return self.counted(power(rooted, exponent.numerator))

    def in_degrees(self, value: Expression) -> Expression:
        """Read minutes and seconds behind the sign; the angle is then as exact as its last part."""
        self.degrees = True
        place = Fraction(1)
        while value.operation == "number" and self.ahead().kind == "number" and self.minutes_mark():
            place /= _MINUTES
            part = self.take()
            self.take()
            if self.tokens[self.at - 1].text == '"' and place == Fraction(1, _MINUTES):
                place /= _MINUTES
            digits = 3 + len(part.text)
            value = number(
                value.number + part.value * place, DecimalLiteral(step=place, significant_digits=digits)
            )
        return self.counted(product(value, _DEGREE))

    def atom(self) -> Expression:
        token = self.take()
        if token.kind == "number":
            return self.counted(self.number_or_mixed(token))
        if token.kind == "letter":
            return self.counted(E if token.text == "e" and "e" not in self.letters else letter(token.text))
        if token.kind == "function":
            return self.deeper(lambda: self.function(token.text))
        if token.kind == "sign" and token.text in _CLOSING:
            return self.bracketed(token)
        if token.kind == "sign" and token.text in _SIGNS:
            return self.deeper(lambda: _SIGNS[token.text](self))
        self.at -= 1
        return self.fail("a number")

    def bracketed(self, opening: Token) -> Expression:
        node = self.sum()
        if not self.takes(_CLOSING[opening.text]):
            self.fail(repr(_CLOSING[opening.text]))
        return node

    def number_or_mixed(self, token: Token) -> Expression:
        if self.sees("次√"):
            self.take()
            return self.root_of(self.index(token.value))
        if token.value.denominator == 1 and (token.written is None or token.written.step == 1):
            fraction = self.fraction_behind()
            if fraction is not None:
                return number(token.value + fraction)
        return number(token.value, token.written)

    def fraction(self) -> Expression:
        upper = self.argument()
        return self.counted(quotient(upper, self.argument()))

    def argument(self) -> Expression:
        r"""Read what `\frac` takes: a group, one digit, or one sign."""
        token = self.ahead()
        if token.kind == "number":
            if len(token.text) > 1 and token.text.isdigit():
                first = Token(kind="number", text=token.text[0], value=Fraction(int(token.text[0])))
                rest = Token(kind="number", text=token.text[1:], value=Fraction(int(token.text[1:])))
                self.tokens = [*self.tokens[: self.at], first, rest, *self.tokens[self.at + 1 :]]
            token = self.take()
            return self.counted(number(token.value, token.written))
        if self.sees("{", "√", "π", "frac") or token.kind == "letter":
            return self.deeper(self.atom)
        return self.fail("a part of a fraction")

    def square_root(self) -> Expression:
        index = 2
        if self.takes("["):
            token = self.take()
            index = self.index(token.value if token.kind == "number" else Fraction(0))
            if not self.takes("]"):
                self.fail("']'")
        return self.root_of(index)

    def root_of(self, index: int) -> Expression:
        token = self.take()
        if token.kind == "number":
            radicand = self.counted(number(token.value, token.written))
            if self.sees("分之"):
                raise SyntaxFault("a root sign before a fraction in words, which has two readings")
        elif token.kind == "letter" or (token.kind == "sign" and token.text in {*_STARTS, *_CLOSING}):
            self.at -= 1
            radicand = self.deeper(self.atom)
        else:
            self.at -= 1
            self.fail("what the root is of")
        return self.counted(root(radicand, index))

    def raised_root(self) -> Expression:
        """`³√2`: a raised index in front of a root sign."""
        if not self.takes("{"):
            self.fail("a root's index")
        index = self.index(self.take().value)
        if not (self.takes("}") and self.takes("√")):
            self.fail("a root sign")
        return self.root_of(index)

    def absolute(self) -> Expression:
        node = self.sum()
        if not self.takes("|"):
            self.fail("'|'")
        return self.counted(root(power(node, 2), 2))

    def percent_of(self) -> Expression:
        self.percent = True
        return self.counted(quotient(self.factor(), number(100)))

    def function(self, name: str) -> Expression:
        exponent = self.exponent() if self.takes("^") else Fraction(1)
        if self.sees("²", "³"):
            exponent = Fraction(2 if self.take().text == "²" else 3)
        if exponent == -1 and f"arc{name}" in {*ARCS, "arccot"}:
            name, exponent = f"arc{name}", Fraction(1)
        argument = self.function_argument(name)
        result = self.counted(_function(name, argument))
        return result if exponent == 1 else self.raised(result, exponent)

    def function_argument(self, name: str) -> Expression:
        """A bracket alone, or without one the product that follows: `arccos √3/3`, `sin 2θ`, `cos 60°`."""
        if self.sees("(", "{"):
            result = self.atom()
            return self.in_degrees(result) if self.takes("°") else result
        result = self.signed_factor()
        while self.ahead(-1).text != "°":
            if self.starts_factor() and self.ahead().kind != "function":
                result = self.counted(product(result, self.factor()))
            elif self.sees("/") and (name.startswith("arc") or any(node is PI for node in walk(result))):
                self.take()
                result = self.counted(quotient(result, self.factor()))
            else:
                break
        return result


def _function(name: str, argument: Expression) -> Expression:
    if name == "cot":
        return quotient(number(1), operation("tan", argument))
    if name in {"sec", "csc"}:
        return quotient(number(1), operation("cos" if name == "sec" else "sin", argument))
    if name == "arccot":
        return total(quotient(PI, number(2)), product(number(-1), operation("arctan", argument)))
    return operation(name, argument)  # type: ignore[arg-type]


_SIGNS: dict[str, Callable[[_Parser], Expression]] = {
    "∛": lambda parser: parser.root_of(3),
    "√": _Parser.square_root,
    "^": _Parser.raised_root,
    "frac": _Parser.fraction,
    "π": lambda parser: parser.counted(PI),
    "百分之": _Parser.percent_of,
    "|": _Parser.absolute,
}
