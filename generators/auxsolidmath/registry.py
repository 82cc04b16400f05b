"""Problem families by difficulty, and problems listed without making them."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generators.auxsolidmath.problem import Difficulty, Kind, ProblemFamily

__all__ = ["DIFFICULTIES", "EASY", "HARD", "ListedProblem", "family_kinds", "family_named", "list_problems"]


DIFFICULTIES: tuple[Difficulty, ...] = ("easy", "hard")

EASY, HARD = 150, 152
"""Standard numbers of problems."""

_FOLDER = Path(__file__).parent / "families"


@cache
def family_kinds(difficulty: Difficulty) -> Mapping[str, Kind]:
    """Return the families of a split and what they ask for, by name: the order in which the split goes round them.

    Every module of `families` is a family. Its source is read, not imported, so that listing loads none of them.
    """
    stated = f'\n    difficulty = "{difficulty}"'.encode()
    return {
        name: "PROVING" if b'\n    kind = "PROVING"' in source else "CALCULATION"
        for name, source in _sources().items()
        if stated in source
    }


@cache
def _sources() -> dict[str, bytes]:
    return {path.stem.upper(): path.read_bytes() for path in sorted(_FOLDER.glob("[!_]*.py"))}


@cache
def family_named(name: str) -> ProblemFamily[Any]:
    """Import and return one family.

    Raises:
        KeyError: there is no family of that name; the message lists those there are.
    """
    known = [family for difficulty in DIFFICULTIES for family in family_kinds(difficulty)]
    if name not in known:
        raise KeyError(f"expected a problem family out of {', '.join(known)}, got {name!r}")
    family: ProblemFamily[Any] = importlib.import_module(f"generators.auxsolidmath.families.{name.lower()}").FAMILY
    return family


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedProblem:
    """What is known of a problem before it is made; `index` counts within its family."""

    id: str
    family: str
    index: int
    difficulty: Difficulty
    kind: Kind


def list_problems(*, easy: int = EASY, hard: int = HARD) -> list[ListedProblem]:
    """List problems: easy before hard, then by family, then by index. Every seed has the same ids.

    The first n problems of a split are spread evenly over its families: fewer are a part of more.

    Raises:
        ValueError: a number below 0.
    """
    if min(easy, hard) < 0:
        raise ValueError(f"expected at least 0 easy and 0 hard problems, got {easy!r} and {hard!r}")
    counts: dict[Difficulty, int] = {"easy": easy, "hard": hard}
    refs = []
    for difficulty, count in counts.items():
        kinds = family_kinds(difficulty)
        for place, (name, kind) in enumerate(kinds.items()):
            for index in range(-(-(count - place) // len(kinds))):
                item_id = f"auxsolidmath_{difficulty}-{name}-{index:03d}"
                refs.append(ListedProblem(id=item_id, family=name, index=index, difficulty=difficulty, kind=kind))
    return refs
