"""Where a run's report gets its pictures: the cache that the models were shown them from, and the run's folder."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from bench.report.contents import Picture
from bench.report.gallery import MOST_CASES
from bench.report.image_store import ImageStore
from bench.report.page import MOST_BYTES, REPORT
from bench.suites.image_cache import DRAWN_AHEAD

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from bench.results.record import Record
    from bench.suites.base import Suite
    from bench.suites.image_cache import Pictures
    from generators.items import Item

__all__ = ["RunPictures"]


class RunPictures:
    """Finds the pictures of a run's records; with `draw` also those that nobody has drawn yet.

    An item that is not the one of the record (another version's, another file's) has no picture here.
    """

    def __init__(
        self,
        suites: Mapping[str, Suite],
        pictures: Pictures,
        folder: Path,
        *,
        draw: bool = False,
        shelf: ImageStore | None = None,
    ) -> None:
        self.shelf = ImageStore(pictures.copies) if shelf is None else shelf
        self._suites = suites
        self._pictures = pictures
        self._folder = folder
        self._draw = draw

    def read_ahead(self, records: Sequence[Record], *, of: int, write: bool) -> None:
        """Read the small copy of a case's picture while there is time, where the report will show it.

        Only pictures that were drawn, and only of one of the cases that are shown where not all `of` them are.
        With `write` they are also written into the run's folder, once they are too many for the page.
        """
        first = records[0]
        shown = of <= MOST_CASES or not all(record.passed for record in records)
        if shown and first.suite in DRAWN_AHEAD and self.shelf.ahead < MOST_CASES:
            item = self._item(first)
            if item is not None and item.picture.key is not None:
                self.shelf.read_ahead(item.picture.key)
            if write and self.shelf.size_ahead > MOST_BYTES:
                self.shelf.write_ahead(self._folder / REPORT)

    def picture(self, record: Record) -> Picture | None:
        """Return the picture that the question was about."""
        item = self._item(record)
        if item is None:
            return None
        get = self._pictures.png if self._draw else self._pictures.without_drawing
        key = item.picture.key
        if key is not None:
            return Picture(key=key, png=lambda: get(item))
        return _known(get(item))

    def _item(self, record: Record) -> Item | None:
        try:
            item = self._suites[record.suite].item(record.item_id, record.task)
        except KeyError:
            return None
        return item if item.digest == record.item_digest else None

    def overlay(self, record: Record) -> Picture | None:
        """Return the picture with truth and answer drawn in, where the run wrote one."""
        if record.suite != "geometry":
            return None
        from bench.tables.geometry import annotated_file  # noqa: PLC0415 - only where geometry ran

        return self._file(self._folder / record.suite / annotated_file(record))

    def drawing(self, record: Record) -> Picture | None:
        """Return what the first stage drew, a file of the run's folder."""
        if record.drawing is None or record.drawing.path is None:
            return None
        return self._file(self._folder / record.drawing.path)

    def _file(self, path: Path) -> Picture | None:
        """Read a file of the run's folder; what a record names outside of it is not looked at."""
        try:
            inside = path.resolve().is_relative_to(self._folder.resolve())
            return _known(path.read_bytes() if inside else None)
        except (OSError, ValueError):
            return None


def _known(png: bytes | None) -> Picture | None:
    return None if png is None else Picture(key=hashlib.sha256(png).hexdigest(), png=lambda: png)
