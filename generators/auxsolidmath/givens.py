"""Sizes that a problem gives: told in the text, or marked in the figure only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from generators.auxsolidmath.wording import listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generators.auxsolidmath.family import GivenIn
    from generators.auxsolidmath.surd import Surd

__all__ = ["Given", "angle", "given_en", "given_zh", "length"]


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


def length(start: str, end: str, size: Surd) -> Given:
    """Return the length of a segment between two labels."""
    return Given(kind="length", labels=(start, end), size=size.text, value=float(size))


def angle(arm: str, vertex: str, other: str, degrees: int) -> Given:
    """Return an angle in whole degrees."""
    return Given(kind="angle", labels=(arm, vertex, other), size=f"{degrees}°", value=float(degrees))


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
