"""What is done for the end of a run while replies are awaited: for at the end somebody waits."""

from __future__ import annotations

import importlib
from contextlib import suppress
from typing import TYPE_CHECKING

from bench.results.manifest import scorer_digest, versions
from bench.tables.tables import texts_ahead

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.results.record import Record

__all__ = ["Ahead"]


NEEDED_AT_THE_END = ("bench.tables.run_files", "bench.report.page")


class Ahead:
    """Imports and finds out what the end needs; makes texts for tables."""

    def __init__(self) -> None:
        self.texts = texts_ahead()
        for module in NEEDED_AT_THE_END:
            importlib.import_module(module)
        with suppress(OSError):  # the end meets it again, and says so
            scorer_digest()
        versions()

    def take(self, records: Sequence[Record]) -> None:
        """Do what can be done with a case's records, one for each repeat."""
        for record in records:
            self.texts.make_ahead(record)
