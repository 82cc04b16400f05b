"""Which pictures are read, and written, for the report while a run's tests go on."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from bench.report import run_pictures
from bench.report.image_store import FOLDER
from bench.report.run_pictures import RunPictures
from bench.suites.image_cache import Pictures
from generators.pictures import copy_key
from tests.bench.report.pages import colour
from tests.bench.tables.records import make_record

if TYPE_CHECKING:
    from pathlib import Path

    from bench.results.record import Record


class OneSuite:
    """A suite of items that have nothing but a drawn picture."""

    def item(self, item_id: str, task: str | None) -> Any:
        return SimpleNamespace(digest="its digest", picture=SimpleNamespace(key=item_id))


def seen_by(folder: Path, *keys: str) -> RunPictures:
    pictures = Pictures(folder / "pictures", drawing=folder / "drawing")
    for place, key in enumerate(keys):
        pictures.copies.write(copy_key(key), colour(place))
    return RunPictures({"plotchain": OneSuite()}, pictures, folder / "run")  # type: ignore[dict-item]


def record_of(key: str) -> Record:
    return replace(make_record(item_id=key), item_digest="its digest")


@pytest.mark.parametrize(("most_bytes", "write", "written"), [(0, True, 2), (0, False, 0), (14_000_000, True, 0)])
def test_pictures_are_written_ahead_once_they_are_too_many_for_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most_bytes: int, *, write: bool, written: int
) -> None:
    monkeypatch.setattr(run_pictures, "MOST_BYTES", most_bytes)
    seen = seen_by(tmp_path, "a", "b")
    (tmp_path / "run").mkdir()
    for key in ("a", "b", "c"):
        seen.read_ahead([record_of(key)], of=3, write=write)
    assert seen.shelf.ahead == 2
    folder = tmp_path / "run" / FOLDER
    assert (len(list(folder.iterdir())) if folder.exists() else 0) == written


class Interrupted(dict[str, bytes]):
    """A dictionary that is never written to."""

    def __setitem__(self, key: str, value: bytes) -> None:
        raise KeyboardInterrupt


def test_an_interrupt_while_a_picture_is_read_ahead_costs_no_report(tmp_path: Path) -> None:
    seen = seen_by(tmp_path, "a")
    seen.shelf._pictures_ahead = Interrupted()
    with pytest.raises(KeyboardInterrupt):
        seen.read_ahead([record_of("a")], of=1, write=True)
    assert seen.shelf.put(seen.picture(record_of("a"))) is not None
