"""What is done for the end of a run while replies are awaited: for at the end somebody waits."""

from __future__ import annotations

import importlib
from contextlib import suppress
from typing import TYPE_CHECKING

from bench.report.run_pictures import RunPictures
from bench.results.manifest import scorer_digest, versions

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from bench.results.record import Record
    from bench.results.run_folder import RunFolder
    from bench.session import Session
    from bench.suites.base import Case

__all__ = ["Ahead"]


NEEDED_AT_THE_END = ("bench.tables.run_files", "bench.report.of_run")


class Ahead:
    """Imports and finds out what the end needs; reads the report's pictures."""

    def __init__(self, session: Session, folder: RunFolder, selected: Collection[Case]) -> None:
        self._pictures = RunPictures(session.suites, session.pictures, folder.path)
        self._questions = len({(case.suite, case.item_id, case.task) for case in selected})
        self._writes = not folder.holds_a_run  # its page stands until the end, and this run may go elsewhere
        self.shelf = self._pictures.shelf
        for module in NEEDED_AT_THE_END:
            importlib.import_module(module)
        with suppress(OSError):  # the end meets it again, and says so
            scorer_digest()
        versions()

    def take(self, records: Sequence[Record]) -> None:
        """Do what can be done with a case's records, one for each repeat."""
        self._pictures.read_ahead(records, of=self._questions, write=self._writes)
