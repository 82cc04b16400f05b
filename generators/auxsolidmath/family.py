"""What a problem family is: parameters, exact answer, figure, wording, constructions and solution."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Generic, Literal, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generators.auxsolidmath.answer import Answer
    from generators.auxsolidmath.constructions import Construction
    from generators.auxsolidmath.facts import Fact
    from generators.auxsolidmath.figure import Figure
    from generators.auxsolidmath.givens import Given
    from generators.auxsolidmath.projection import ViewKind

__all__ = ["DIFFICULTIES", "Difficulty", "Family", "GivenIn", "Kind", "Problem"]

Difficulty = Literal["easy", "hard"]
GivenIn = Literal["text", "figure"]
Kind = Literal["CALCULATION", "PROVING"]

DIFFICULTIES: tuple[Difficulty, ...] = ("easy", "hard")

P = TypeVar("P")


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One problem in the family's own letters, which stand in square brackets in every text.

    The questions hold `{given}` once where there are givens: what is given, or where it is marked. `solution` is
    its steps without the last line, the answer, which is added. `facts` are what the solution rests on, besides
    the facts of the constructions.
    """

    figure: Figure
    question_en: str
    question_zh: str
    constructions: tuple[Construction, ...]
    solution: tuple[str, ...]
    facts: tuple[Fact, ...] = ()


class Family(ABC, Generic[P]):
    """A problem family; `P` is its frozen parameter dataclass of plain numbers and texts."""

    name: ClassVar[str]
    difficulty: ClassVar[Difficulty]
    kind: ClassVar[Kind] = "CALCULATION"
    view: ClassVar[ViewKind]
    given_in: ClassVar[tuple[GivenIn, ...]] = ("text", "figure")

    @abstractmethod
    def grid(self) -> Sequence[P]:
        """Return every admissible set of parameters, always in the same order; at least one."""

    @abstractmethod
    def answer(self, params: P) -> Answer:
        """Return the exact answer, from the parameters alone."""

    @abstractmethod
    def givens(self, params: P) -> tuple[Given, ...]:
        """Return the sizes that the problem gives, in the order of the text."""

    @abstractmethod
    def build(self, params: P) -> Problem:
        """Return figure, wording, constructions and solution."""
