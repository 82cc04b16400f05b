"""What a report is made of: records and, where there is more, pictures, a gate's verdict, a validity report."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bench.results.aggregate import grouped
from bench.results.record import record_order

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bench.report.rendering import Section
    from bench.results.record import Record

__all__ = ["Contents", "PagePicture", "labels_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PagePicture:
    """A picture that may be shown: `key` is equal for equal pictures, `png` gets the bytes, None without any.

    `png` is called only where no smaller copy of that key is at hand.
    """

    key: str
    png: Callable[[], bytes | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """Everything that a report shows.

    `manifest` is run.json's content. `cost_usd` prices one record in US dollars, None where its price is unknown.
    `picture` returns what a record's question was about, `overlay` the same with truth and answer drawn in,
    `drawing` what a first stage drew; None where there is none. `sections` follow the results.
    """

    manifest: Mapping[str, Any]
    records: Sequence[Record]
    cost_usd: Callable[[Record], float | None]
    picture: Callable[[Record], PagePicture | None] = lambda _: None
    overlay: Callable[[Record], PagePicture | None] = lambda _: None
    drawing: Callable[[Record], PagePicture | None] = lambda _: None
    sections: Sequence[Section] = ()
    labels: Mapping[tuple[str, str], str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "records", sorted(self.records, key=record_order))
        object.__setattr__(self, "labels", labels_of(self.records))

    def label(self, record: Record) -> str:
        """Return the name under which the page speaks of a record's model."""
        return self.labels[record.provider, record.model]

    @property
    def by_model(self) -> dict[str, list[Record]]:
        """The records by model label, models in the order of their names."""
        groups = grouped(self.records, self.label)
        return {label: groups[label] for label in self.labels.values()}


def labels_of(records: Sequence[Record]) -> dict[tuple[str, str], str]:
    """Name each (provider, model), in order: the model's name, with the provider where two models share it."""
    pairs = sorted({(record.provider, record.model) for record in records})
    names = [model for _, model in pairs]
    return {
        (provider, model): f"{provider}:{model}" if names.count(model) > 1 else model for provider, model in pairs
    }
