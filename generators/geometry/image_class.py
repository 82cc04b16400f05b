"""What an image class is: its pictures' names and settings, and how one is arranged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from generators.geometry.arrangement import Arrangement
    from generators.geometry.draws import Draws

    Settings = Mapping[str, float]

__all__ = ["ImageClass", "Variant", "repeated"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One picture of the standard suite: its id, and the settings it is arranged from (units in the names)."""

    id: str
    settings: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageClass:
    """An image class: `arrange` makes the dots from settings and the picture's own draws."""

    name: str
    about: str
    variants: tuple[Variant, ...]
    arrange: Callable[[Settings, Draws], Arrangement]


def repeated(stem: str, times: int, settings: Settings) -> tuple[Variant, ...]:
    """Return variants with equal settings, named `<stem>_wb`, `<stem>_v2_wb`, `<stem>_v3_wb`, ..."""
    names = [f"{stem}_wb", *(f"{stem}_v{number}_wb" for number in range(2, times + 1))]
    return tuple(Variant(id=name, settings=settings) for name in names)
