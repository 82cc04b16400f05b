"""The letters of an item: which of them stand for the letters of its family."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from generators.auxsolidmath.exact import LABEL
from generators.items import RepeatableDraws, item_seed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["Naming", "ProblemDraws", "draw_naming"]


class ProblemDraws(RepeatableDraws):
    """Draws from a generator of its own, for a master seed, a purpose and an index."""

    def __init__(self, master_seed: int, purpose: str, index: int | str) -> None:
        super().__init__(item_seed(master_seed, f"auxsolidmath:{purpose}", index))


_BRACKETS = re.compile(r"\[([^\[\]]*)\]")
_SUBSCRIPTS = str.maketrans("0123456789'", "₀₁₂₃₄₅₆₇₈₉′")
_RINGS = ("ABCD", "ABCD", "ABCD", "EFGH", "KLMN", "DEFG", "BCDE", "MNPQ")
_APEXES = "PSVT"
_CENTRES = "OQ"
_OTHERS = "EFGHKMNQRTUWXYZL"


@dataclass(frozen=True, slots=True, kw_only=True)
class Naming:
    """Which letter of the item stands for each letter of the family."""

    letters: Mapping[str, str]

    def label(self, canonical: str) -> str:
        """Return the item's plain label or labels for the family's: "A1" may become "E1", "AB" "EF".

        Raises:
            ValueError: a letter that no point of the family has.
        """
        return LABEL.sub(self._renamed, canonical)

    def text(self, template: str) -> str:
        """Return a text with its brackets resolved: "[A1B]" becomes "A₁B" with this item's letters."""
        return _BRACKETS.sub(lambda found: self.label(found[1]).translate(_SUBSCRIPTS), template)

    def _renamed(self, found: re.Match[str]) -> str:
        if found[1] not in self.letters:
            raise ValueError(f"expected one of the labels {', '.join(self.letters)}, got {found[1]!r}")
        return self.letters[found[1]] + found[2] + found[3]


def draw_naming(labels: Iterable[str], draws: ProblemDraws) -> Naming:
    """Choose letters for a family's labels: the base's corners A, B, C, D, the apex P, the centre O, and others.

    Two letters of the family never become one.
    """
    used = sorted({label[0] for label in labels})
    letters = dict(zip("ABCD", draws.pick(_RINGS), strict=True))
    taken = set(letters.values())
    for letter, choice in (("P", _APEXES), ("O", _CENTRES)):
        free = [candidate for candidate in choice if candidate not in taken]
        letters[letter] = draws.pick(free)
        taken.add(letters[letter])
    for letter in used:
        if letter not in letters:
            free = [letter] if letter not in taken else []
            free += [candidate for candidate in _OTHERS if candidate not in taken]
            letters[letter] = draws.pick(free[:3])
            taken.add(letters[letter])
    return Naming(letters={letter: letters[letter] for letter in used})
