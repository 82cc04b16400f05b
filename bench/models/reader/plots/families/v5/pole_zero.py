"""Pole-zero plot with grey lines through zero under its marks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from bench.models.reader.plots.families import pole_zero

__all__ = ["FAMILY", "PoleZero"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PoleZero(pole_zero.PoleZero):
    """Marks darker than the lines under them."""

    darkest: int = 90
    axes: ClassVar[tuple[str, str]] = ("rad/s", "rad/s")


FAMILY = PoleZero()
