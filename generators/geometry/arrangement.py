"""What a picture shows: dots with their roles, removed sites, and the lattice they belong to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["DECIMALS", "Arrangement", "Dot", "Place", "Role", "dots_at", "rounded"]

DECIMALS = 3
"""Positions are rounded to this many decimals of a micrometre (1/140 px) before anything is made of them."""

Role = Literal["spot", "lattice", "noise"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A position in micrometres from the top left corner, y downwards."""

    x_um: float
    y_um: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Dot:
    """A dot: centre and diameter in micrometres; `role` says whether it belongs to a lattice."""

    x_um: float
    y_um: float
    diameter_um: float
    role: Role


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrangement:
    """All dots of one picture in the order they were placed.

    `pattern` is imagegen's name for the arrangement. `removed` are the lattice sites whose dot was taken
    out; `spacing_um` is the lattice spacing, None without a lattice; `displacement_um` is the longest way
    that a dot was moved off its site.
    """

    pattern: str
    dots: tuple[Dot, ...]
    removed: tuple[Place, ...] = ()
    spacing_um: float | None = None
    displacement_um: float = 0.0


def rounded(x_um: float, y_um: float) -> Place:
    """Return the position as it is drawn, written and compared."""
    return Place(x_um=round(x_um, DECIMALS), y_um=round(y_um, DECIMALS))


def dots_at(places: Iterable[Place], *, diameter_um: float, role: Role) -> tuple[Dot, ...]:
    """Put equal dots at places."""
    return tuple(Dot(x_um=at.x_um, y_um=at.y_um, diameter_um=diameter_um, role=role) for at in places)
