"""Units of length, area and volume behind an answer."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["DIMENSION_WORDS", "UNIT_WORDS", "Unit", "named_unit", "scale_between"]

_METRES: Mapping[str, Fraction | None] = {
    "mm": Fraction(1, 1000), "cm": Fraction(1, 100), "dm": Fraction(1, 10), "m": Fraction(1), "km": Fraction(1000),
    "inch": Fraction(254, 10000), "ft": Fraction(3048, 10000), "unit": None,
}  # fmt: skip

_NAMES = {
    "mm": ("mm", "millimeter", "millimetre"),
    "cm": ("cm", "centimeter", "centimetre"),
    "dm": ("dm", "decimeter", "decimetre"),
    "m": ("m", "meter", "metre"),
    "km": ("km", "kilometer", "kilometre"),
    "inch": ("inch",),
    "ft": ("ft", "foot", "feet"),
    "unit": ("unit",),
}

DIMENSION_WORDS: Mapping[str, int] = {"square": 2, "sq": 2, "cubic": 3, "cu": 3}
"""Words in front of a unit, with the power they mean."""

UNIT_WORDS: Mapping[str, str] = {
    word: name for name, words in _NAMES.items() for one in words for word in (one, f"{one}s", f"{one}es")
} | dict.fromkeys(DIMENSION_WORDS, "")
"""Words of units in any number, with the unit's name, and the words in front of one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A power of a length: `metres` of one unit of it, None for a unit without a size ("cubic units")."""

    power: int
    metres: Fraction | None


def named_unit(name: str, power: int) -> Unit:
    """Return a unit by name; `cm^2` has its power in it."""
    word, _, raised = name.partition("^")
    return Unit(power=power * int(raised or 1), metres=_METRES[UNIT_WORDS.get(word, word)])


def scale_between(unit: Unit | None, gold: Unit | None) -> Fraction | None:
    """Return what to multiply an answer's number by to have it in the gold's unit; None when no factor does.

    An answer or a gold without unit, or in "units", is taken to be in the other's unit.
    """
    if unit is None or gold is None:
        return Fraction(1)
    if unit.power != gold.power:
        return None
    if unit.metres is None or gold.metres is None:
        return Fraction(1)
    return (unit.metres / gold.metres) ** unit.power
