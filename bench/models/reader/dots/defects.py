"""Missing and extra spots of a lattice."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bench.models.reader.dots.lattice import FittedLattice

__all__ = ["Defects", "find_defects", "surrounded_gaps"]

Site = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Defects:
    """How many sites are empty, and how many spots lie between the sites."""

    missing: int
    extra: int


def find_defects(lattice: FittedLattice) -> Defects:
    """Count empty sites surrounded by others, and spots that belong to no site."""
    taken = [(int(first), int(second)) for first, second in lattice.sites[lattice.on_site]]
    return Defects(missing=len(surrounded_gaps(taken)), extra=int((~lattice.on_site).sum()))


def surrounded_gaps(taken: Iterable[Site]) -> set[Site]:
    """Return the empty sites that have taken ones on both sides along all three directions of the lattice.

    That is what being surrounded means when neighbours are missing too; beyond the lattice's edge, in its notches
    as well, one direction at least has none.
    """
    rows: dict[int, list[int]] = defaultdict(list)
    columns: dict[int, list[int]] = defaultdict(list)
    diagonals: dict[int, list[int]] = defaultdict(list)
    filled = set(taken)
    for first, second in filled:
        rows[second].append(first)
        columns[first].append(second)
        diagonals[first + second].append(first)
    return {
        (first, second)
        for second, places in rows.items()
        for first in range(min(places) + 1, max(places))
        if (first, second) not in filled
        and _between(second, columns.get(first))
        and _between(first, diagonals.get(first + second))
    }


def _between(place: int, others: list[int] | None) -> bool:
    return others is not None and min(others) < place < max(others)
