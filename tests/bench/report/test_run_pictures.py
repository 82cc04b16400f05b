"""Which pictures a run's report shows: those of its own items and of its own folder, and no others."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from bench.models.types import Drawing
from bench.report.run_pictures import RunPictures
from bench.results.run_folder import annotated_file
from tests.bench.report.pages import colour
from tests.bench.tables.records import make_record

if TYPE_CHECKING:
    from pathlib import Path

    from bench.results.record import Record


def pictures_of(folder: Path, *, key: str | None = "a key") -> RunPictures:
    """The pictures of a run that asked for one item."""
    item: Any = SimpleNamespace(digest="its digest", picture=SimpleNamespace(key=key))
    return RunPictures(folder, find_item=lambda record: {"known": item}[record.item_id], png=lambda _: colour(1))


def record_of(item_id: str, digest: str = "its digest") -> Record:
    return replace(make_record(item_id=item_id), item_digest=digest)


@pytest.mark.parametrize("key", ["a key", None])
def test_a_record_shows_its_items_picture(tmp_path: Path, key: str | None) -> None:
    found = pictures_of(tmp_path, key=key).picture(record_of("known"))
    assert found is not None
    assert found.png() == colour(1)


def test_an_item_that_is_not_the_records_own_shows_no_picture(tmp_path: Path) -> None:
    pictures = pictures_of(tmp_path)
    assert pictures.picture(record_of("known", "another digest")) is None
    assert pictures.picture(record_of("unknown")) is None


def test_annotated_pictures_and_drawings_come_from_the_runs_folder(tmp_path: Path) -> None:
    record = make_record(
        suite="geometry",
        task="LOCATE",
        drawing=Drawing(status="ok", source="oracle", note="", path="auxsolidmath/images/a.png"),
    )
    pictures = pictures_of(tmp_path)
    assert (pictures.overlay(record), pictures.drawing(record)) == (None, None)
    for shade, name in enumerate((f"geometry/{annotated_file(record)}", "auxsolidmath/images/a.png")):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_bytes(colour(shade))
    overlay, drawing = pictures.overlay(record), pictures.drawing(record)
    assert overlay is not None
    assert drawing is not None
    assert (overlay.png(), drawing.png()) == (colour(0), colour(1))
    assert pictures.overlay(make_record()) is None


@pytest.mark.parametrize("path", ["../secret.png", "/etc/hostname", "a\0b"])
def test_a_record_that_names_a_file_outside_the_runs_folder_shows_none(tmp_path: Path, path: str) -> None:
    (tmp_path / "secret.png").write_bytes(colour(1))
    (tmp_path / "run").mkdir()
    record = make_record(drawing=Drawing(status="ok", source="oracle", note="", path=path))
    assert pictures_of(tmp_path / "run").drawing(record) is None
