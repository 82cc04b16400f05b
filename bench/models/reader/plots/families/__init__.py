"""One module for each kind of plot: what its prompts ask for, and how that is read in each edition.

A module defines `V4`, `V5` or both. Plots of v4 are read in the units of their axes; those of v5 may be drawn in
multiples of the units that prompts ask for.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Literal

from bench.models.reader.plots.readings import CannotReadError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bench.models.reader.plots.plot import MeasuredPlot
    from bench.models.reader.plots.readings import FieldValue

__all__ = ["FamilyReader", "PlotEdition", "find_family", "plot_families"]

PlotEdition = Literal["V4", "V5"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyReader:
    """A kind of plot in one edition.

    `fields`: those that prompts about it can ask for. `axes`: base units of its x and y axis, empty for plain
    numbers; None where answers are in the units of the axes. `read` returns every field that can be seen; it
    raises CannotReadError when something that all fields need cannot be seen.
    """

    name: str
    fields: tuple[str, ...]
    read: Callable[[MeasuredPlot], Mapping[str, FieldValue]]
    axes: tuple[str, str] | None = None


@cache
def plot_families(edition: PlotEdition) -> tuple[FamilyReader, ...]:
    """Return the kinds of plots that an edition has, sorted by name."""
    modules = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
    return tuple(getattr(module, edition) for module in modules if hasattr(module, edition))


def find_family(fields: Sequence[str], edition: PlotEdition) -> FamilyReader:
    """Return the kind of plot that has most of the fields.

    Raises:
        CannotReadError: none has more than half of them, or two have equally many.
    """
    shared = {family: len(set(fields) & set(family.fields)) for family in plot_families(edition)}
    best = max(shared, key=shared.__getitem__)
    if 2 * shared[best] <= len(set(fields)) or list(shared.values()).count(shared[best]) > 1:
        raise CannotReadError("the fields asked for belong to no kind of plot that is known")
    return best
