"""Exact answers: how they are written, and of which kind they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from fractions import Fraction

    from generators.auxsolidmath.surd import Surd

__all__ = ["Answer", "AnswerKind", "angle_answer", "claim_answer", "is_fair", "number_answer", "ratio_answer"]

_SAME = 1e-9

AnswerKind = Literal["number", "angle", "ratio", "claim"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An answer as one line of text and in LaTeX; `value` is the number (an angle in degrees), None for a claim.

    A claim is the statement to be proved; its text holds labels in brackets.
    """

    kind: AnswerKind
    text: str
    latex: str
    value: float | None


def number_answer(exact: Surd) -> Answer:
    """Return an exact number as answer.

    Raises:
        ValueError: the number is 0, ±1 or not tidy, which no problem may ask for.
    """
    if not is_fair(exact):
        raise ValueError(f"expected a tidy answer other than 0, 1 and −1, got {exact.text}")
    return Answer(kind="number", text=exact.text, latex=exact.latex, value=float(exact))


def is_fair(exact: Surd, *sizes: Surd | int) -> bool:
    """Tell whether a number can be asked for: tidy, not 0, 1 or −1, and none of the sizes that are given."""
    value = float(exact)
    return exact.tidy and abs(value) not in {0.0, 1.0} and all(abs(value - float(size)) > _SAME for size in sizes)


def angle_answer(degrees: int) -> Answer:
    """Return an angle in whole degrees as answer."""
    return Answer(kind="angle", text=f"{degrees}°", latex=rf"{degrees}^{{\circ}}", value=float(degrees))


def ratio_answer(ratio: Fraction) -> Answer:
    """Return a ratio of whole numbers in lowest terms as answer."""
    text = f"{ratio.numerator}:{ratio.denominator}"
    return Answer(kind="ratio", text=text, latex=text, value=float(ratio))


def claim_answer(text: str) -> Answer:
    """Return a statement to be proved."""
    return Answer(kind="claim", text=text, latex=text, value=None)
