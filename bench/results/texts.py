"""Texts, encoded, that files hold of one record alone: made as records come, for at the end somebody waits."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from bench.results.record import Record

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Maker", "Texts"]

Maker = Callable[[Record], bytes]

MOST_RECORDS = 8192
"""Of more nothing is made ahead: the texts of one take 3 kB."""


class Texts:
    """Gives texts of records, those that were made ahead and any other; they belong to the record itself.

    `makers` says which texts of a record files will hold.
    """

    def __init__(self, makers: Callable[[Record], Iterable[Maker]] = lambda _: ()) -> None:
        self._makers = makers
        self._made: dict[int, tuple[Record, dict[Maker, bytes]]] = {}  # the record stays, and so does its id

    def make_ahead(self, record: Record) -> None:
        """Make the texts of a record."""
        if len(self._made) < MOST_RECORDS:
            self._made[id(record)] = (record, {make: make(record) for make in self._makers(record)})

    def of(self, record: Record, make: Maker) -> bytes:
        """Return what `make` makes of the record."""
        _, texts = self._made.get(id(record), (record, {}))
        return texts[make] if make in texts else make(record)
