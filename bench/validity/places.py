"""Whether a field's place gives it away: the axes read without the curve, the curve read without the axes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.validity.blind_rates import rate
from bench.validity.readings import passes_at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.validity.blind_rates import Bounds
    from bench.validity.readings import FieldReading
    from generators.plotchain.drawn_axes import DrawnAxes

__all__ = ["PlacedField", "best_place", "other_axes_rate", "place_rate"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedField:
    """A field of one item: what it is read from, the axes it is drawn on, and what passes."""

    reading: FieldReading
    axes: DrawnAxes
    bounds: Bounds

    @property
    def shares(self) -> tuple[float, ...]:
        """Where the readings lie, as shares of their axes from the low end."""
        return tuple(
            self.axes.named(reading.axis).place_px(reading.value) / self.axes.named(reading.axis).length_px
            for reading in self.reading.readings
        )

    def places(self, shares: Sequence[float]) -> tuple[float, ...]:
        """Return those shares that are places of their own, to three decimals."""
        readings = self.reading.readings
        return tuple(round(share, 3) for share, reading in zip(shares, readings, strict=False) if reading.is_place)

    def passes(self, shares: Sequence[float], axes: DrawnAxes) -> bool:
        """Whether the answer passes that is read at these places of these axes.

        Readings that only correct a place (the level of a crossing) keep their own.
        """
        places = [
            share * axes.named(reading.axis).length_px
            if reading.is_place
            else self.axes.named(reading.axis).place_px(reading.value)
            for reading, share in zip(self.reading.readings, shares, strict=True)
        ]
        mixed = [axes if reading.is_place else self.axes for reading in self.reading.readings]
        return passes_at(self.reading, mixed, places, self.bounds.hold)


def best_place(training: Sequence[PlacedField]) -> tuple[float, ...]:
    """Return the place of a training item, in shares of the axes, that passes most training items; () of none."""
    candidates = dict.fromkeys(one.shares for one in training)
    return max(candidates, key=lambda shares: place_rate(training, shares), default=())


def place_rate(items: Sequence[PlacedField], shares: Sequence[float]) -> float:
    """Return how many items pass when their own axes are read at a place."""
    return rate(len(shares) == len(one.reading.readings) and one.passes(shares, one.axes) for one in items)


def other_axes_rate(items: Sequence[PlacedField]) -> float:
    """Return how often the right place, read on another item's axes, passes: over all pairs of two items."""
    return rate(
        len(one.shares) == len(other.shares) and one.passes(one.shares, other.axes)
        for one in items
        for other in items
        if other is not one
    )
