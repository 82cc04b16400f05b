"""All problem families by difficulty, in the order in which a split goes round them.

Importing this module imports no family. A new family is one module `families/<name>.py` and one name here,
two where it asks for a proof.
"""

from __future__ import annotations

import importlib
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generators.auxsolidmath.family import Difficulty, Family

__all__ = ["FAMILIES", "PROVING", "family_named"]

FAMILIES: Mapping[Difficulty, tuple[str, ...]] = {
    "easy": ("G01", "G02", "G03", "G04", "G06", "G08", "G12", "G15", "G18", "G20", "G23", "G24", "S3"),
    "hard": (
        *("G05", "G07", "G09", "G10", "G11", "G13", "G14", "G16"),
        *("G17", "G19", "G21", "G22", "S1", "S2", "S4"),
    ),
}

PROVING = frozenset({"G06", "G12", "G24", "S4"})
"""Families that ask for a proof; their own `kind` says the same."""


@cache
def family_named(name: str) -> Family[Any]:
    """Import and return one family.

    Raises:
        KeyError: there is no family of that name; the message lists those there are.
    """
    known = [family for families in FAMILIES.values() for family in families]
    if name not in known:
        raise KeyError(f"expected a problem family out of {', '.join(known)}, got {name!r}")
    family: Family[Any] = importlib.import_module(f"generators.auxsolidmath.families.{name.lower()}").FAMILY
    return family
