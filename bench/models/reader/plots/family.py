"""A kind of plot: the fields that prompts about it name, and how they are read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.reader.plots.plot import Plot
    from bench.models.reader.plots.readings import FieldReading

__all__ = ["OwnUnitFamily", "PlotFamily"]


class PlotFamily(Protocol):
    """One module of `families` holds one such kind of plot."""

    @property
    def name(self) -> str:
        """Name of the kind."""
        ...

    @property
    def fields(self) -> tuple[str, ...]:
        """Fields that prompts about it can ask for."""
        ...

    def read(self, plot: Plot, prompt: str) -> Mapping[str, FieldReading]:
        """Read every field that can be seen.

        Raises:
            CannotReadError: something that all fields need cannot be seen.
        """
        ...


class OwnUnitFamily(PlotFamily, Protocol):
    """A kind of plot whose axes may be drawn in multiples of the units that prompts ask for."""

    @property
    def axes(self) -> tuple[str, str]:
        """Base units of x and y axis; empty for plain numbers."""
        ...
