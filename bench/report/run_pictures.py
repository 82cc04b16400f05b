"""Where a run's report gets its pictures: those that the models were shown, and files of the run's folder."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from bench.report.contents import PagePicture
from bench.results.run_folder import annotated_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from bench.results.record import Record
    from generators.items import Item

__all__ = ["RunPictures"]


class RunPictures:
    """Finds the pictures of a run's records.

    `find_item` returns a record's item, and raises KeyError where the benchmark has none; `png` returns the bytes
    of an item's picture, None where there are none. An item that is not the one of the record (another version's,
    another file's) has no picture here.
    """

    def __init__(
        self, folder: Path, *, find_item: Callable[[Record], Item], png: Callable[[Item], bytes | None]
    ) -> None:
        self._folder = folder
        self._find_item = find_item
        self._png = png

    def picture(self, record: Record) -> PagePicture | None:
        """Return the picture that the question was about."""
        try:
            item = self._find_item(record)
        except KeyError:
            return None
        if item.digest != record.item_digest:
            return None
        key = item.picture.key
        return _known(self._png(item)) if key is None else PagePicture(key=key, png=lambda: self._png(item))

    def overlay(self, record: Record) -> PagePicture | None:
        """Return the picture with truth and answer drawn in, where the run wrote one."""
        return self._file(f"{record.suite}/{annotated_file(record)}") if record.suite == "geometry" else None

    def drawing(self, record: Record) -> PagePicture | None:
        """Return what the first stage drew, a file of the run's folder."""
        path = None if record.drawing is None else record.drawing.path
        return None if path is None else self._file(path)

    def _file(self, name: str) -> PagePicture | None:
        """Read a file of the run's folder; what a record names outside of it is not looked at."""
        path = self._folder / name
        try:
            inside = path.resolve().is_relative_to(self._folder.resolve())
            return _known(path.read_bytes() if inside else None)
        except (OSError, ValueError):
            return None


def _known(png: bytes | None) -> PagePicture | None:
    return None if png is None else PagePicture(key=hashlib.sha256(png).hexdigest(), png=lambda: png)
