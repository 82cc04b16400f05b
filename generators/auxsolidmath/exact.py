"""How problems state exact numbers: surds, answers, labels of points, lengths and angles that are given."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "LABEL",
    "PI",
    "AnswerKind",
    "ExactAnswer",
    "Given",
    "GivenIn",
    "Surd",
    "angle",
    "angle_answer",
    "claim_answer",
    "given_en",
    "given_zh",
    "is_fair",
    "labels_in",
    "lengths",
    "listed",
    "number",
    "number_answer",
    "ratio_answer",
    "root",
]


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
        return ("−" if self.rational < 0 else "") + top + (f"/{below}" if below != 1 else "")

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


PI = Surd(rational=Fraction(1), times_pi=True)

_SAME = 1e-9

AnswerKind = Literal["number", "angle", "ratio", "claim"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExactAnswer:
    """An answer as one line of text and in LaTeX; `value` is the number (an angle in degrees), None for a claim.

    A claim is the statement to be proved; its text holds labels in brackets.
    """

    kind: AnswerKind
    text: str
    latex: str
    value: float | None


def number_answer(exact: Surd) -> ExactAnswer:
    """Return an exact number as answer.

    Raises:
        ValueError: the number is 0, ±1 or not tidy, which no problem may ask for.
    """
    if not is_fair(exact):
        raise ValueError(f"expected a tidy answer other than 0, 1 and −1, got {exact.text}")
    return ExactAnswer(kind="number", text=exact.text, latex=exact.latex, value=float(exact))


def is_fair(exact: Surd, *sizes: Surd | int) -> bool:
    """Tell whether a number can be asked for: tidy, not 0, 1 or −1, and none of the sizes that are given."""
    value = float(exact)
    return exact.tidy and abs(value) not in {0.0, 1.0} and all(abs(value - float(size)) > _SAME for size in sizes)


def angle_answer(degrees: int) -> ExactAnswer:
    """Return an angle in whole degrees as answer."""
    return ExactAnswer(kind="angle", text=f"{degrees}°", latex=rf"{degrees}^{{\circ}}", value=float(degrees))


def ratio_answer(ratio: Fraction) -> ExactAnswer:
    """Return a ratio of whole numbers in lowest terms as answer."""
    text = f"{ratio.numerator}:{ratio.denominator}"
    return ExactAnswer(kind="ratio", text=text, latex=text, value=float(ratio))


def claim_answer(text: str) -> ExactAnswer:
    """Return a statement to be proved."""
    return ExactAnswer(kind="claim", text=text, latex=text, value=None)


LABEL = re.compile(r"([A-Z])([0-9]?)(['′]?)")
"""A point's label: a capital letter, a digit, a prime."""


def labels_in(text: str) -> tuple[str, ...]:
    """Take a run of labels apart: "AC1" is A and C1."""
    return tuple("".join(parts) for parts in LABEL.findall(text))


def listed(parts: list[str]) -> str:
    """Join at least one part: "a", "a and b", "a, b and c"."""
    if len(parts) == 1:
        return parts[0]
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """A length (two labels) or an angle (arm, vertex, arm); its size as text and as a number (in degrees)."""

    kind: Literal["length", "angle"]
    labels: tuple[str, ...]
    size: str
    value: float

    @property
    def name(self) -> str:
        """What is given, with labels in brackets: [AB], ∠[AOB]."""
        sign = "∠" if self.kind == "angle" else ""
        return f"{sign}[{''.join(self.labels)}]"


def lengths(**sizes: Surd | int) -> tuple[Given, ...]:
    """Return the lengths of segments, each named by its two ends: `AB=3`."""
    exact = {name: size if isinstance(size, Surd) else number(size) for name, size in sizes.items()}
    return tuple(
        Given(kind="length", labels=labels_in(name), size=size.text, value=float(size))
        for name, size in exact.items()
    )


def angle(labels: str, degrees: int) -> Given:
    """Return an angle in whole degrees; `labels` are arm, vertex, arm."""
    return Given(kind="angle", labels=labels_in(labels), size=f"{degrees}°", value=float(degrees))


def given_en(givens: Sequence[Given], given_in: GivenIn) -> str:
    """Return what is given as an English clause, with labels in brackets."""
    if given_in == "text":
        return listed([f"{given.name} = {given.size}" for given in givens])
    names = listed([given.name for given in givens])
    verb = "is" if len(givens) == 1 else "are"
    sizes = "length" if all(given.kind == "length" for given in givens) else "size"
    return f"the {sizes}{'s' if len(givens) > 1 else ''} of {names} {verb} marked in the figure"


def given_zh(givens: Sequence[Given], given_in: GivenIn) -> str:
    """Return what is given as a Chinese clause, with labels in brackets."""
    if given_in == "text":
        return "，".join(f"{given.name}={given.size}" for given in givens)
    names = "、".join(given.name for given in givens)
    return f"{names}的{'长' if all(given.kind == 'length' for given in givens) else '大小'}如图所标"


GivenIn = Literal["text", "figure"]
