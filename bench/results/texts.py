"""Texts, encoded, that files hold of one record alone: made as records come, for at the end somebody waits."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from bench.results.record import Record

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Maker", "Texts"]

Maker = Callable[[Record], bytes]

MOST_BYTES = 32_000_000
"""Of more nothing is made ahead; the texts of 10,000 ordinary records."""


class Texts:
    """Gives texts of records, those that were made ahead and any other; they belong to the record itself.

    `makers` says which texts of a record files will hold.
    """

    def __init__(self, makers: Callable[[Record], Iterable[Maker]] = lambda _: ()) -> None:
        self._makers = makers
        self._left_bytes = MOST_BYTES
        self._made: dict[int, tuple[Record, dict[Maker, bytes]]] = {}  # the record stays, and so does its id

    def make_ahead(self, record: Record) -> None:
        """Make the texts of a record."""
        if self._left_bytes > 0:
            texts = {make: make(record) for make in self._makers(record)}
            self._made[id(record)] = (record, texts)
            self._left_bytes -= sum(map(len, texts.values()))

    def of(self, record: Record, make: Maker) -> bytes:
        """Return what `make` makes of the record."""
        made = self._made.get(id(record))
        return make(record) if made is None or make not in made[1] else made[1][make]
