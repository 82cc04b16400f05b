"""Pictures beside a page: written anew each time, never through a link, none left where they do not fit."""

from __future__ import annotations

import errno
import hashlib
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import pytest

from bench.report import page
from bench.report.contents import Contents, PagePicture
from bench.report.image_store import FOLDER, ImageStore
from generators.pictures import PictureCache
from tests.bench.report.pages import MANIFEST, a_run, colour, page_of, tiny_picture

if TYPE_CHECKING:
    from bench.results.record import Record

DRAWN = Contents(manifest=MANIFEST, records=a_run(), cost_usd=lambda _: None, picture=tiny_picture)
"""A run in which every item has a picture."""


@pytest.fixture
def beside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages that hold no picture: all lie beside them."""
    monkeypatch.setattr(page, "MOST_BYTES", 0)


def write(folder: Path, copies: PictureCache | None = None) -> Path:
    """Write a page into this folder; return its folder of pictures."""
    return page.write_report(folder / "report.html", DRAWN, ImageStore(copies)).parent / FOLDER


def assert_whole(pictures: Path) -> None:
    for file in pictures.iterdir():
        assert not file.is_symlink()
        assert hashlib.sha256(file.read_bytes()).hexdigest()[:20] == file.stem
        assert file.stat().st_mode & 0o200


def test_small_copies_are_kept_for_the_next_report(tmp_path: Path) -> None:
    copies = PictureCache(tmp_path / "copies")
    asked: list[str] = []

    def picture(record: Record) -> PagePicture:
        def png() -> bytes:
            asked.append(record.item_id)
            return colour(3)

        return PagePicture(key=record.item_id, png=png)

    contents = Contents(manifest=MANIFEST, records=a_run(), cost_usd=lambda _: None, picture=picture)
    page.write_report(tmp_path / "a.html", contents, ImageStore(copies))
    page.write_report(tmp_path / "b.html", contents, ImageStore(copies))
    assert len(asked) == len(set(asked)) == 9
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()


@pytest.mark.usefixtures("beside")
@pytest.mark.parametrize("what", ["short", "edited", "read-only", "a link", "one file in two folders"])
def test_a_picture_that_lies_there_already_is_made_anew_and_nothing_is_written_through_it(
    tmp_path: Path, what: str
) -> None:
    pictures, precious = write(tmp_path), tmp_path / "precious"
    for file in pictures.iterdir():
        if what in {"a link", "one file in two folders"}:
            file.unlink()
            precious.write_bytes(b"precious")
            (file.symlink_to if what == "a link" else file.hardlink_to)(precious)
        else:
            file.write_bytes(b"" if what == "short" else b"x" * file.stat().st_size)
            file.chmod(0o400 if what == "read-only" else 0o600)
    write(tmp_path)
    assert len(list(pictures.iterdir())) == 9
    assert_whole(pictures)
    assert not precious.exists() or precious.read_bytes() == b"precious"


@pytest.mark.usefixtures("beside")
def test_pictures_that_do_not_fit_leave_the_room_to_the_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Path.open

    def open_on_a_full_disk(path: Path, mode: str = "r", **how: Any) -> IO[Any]:
        full = mode == "xb" and len(list(path.parent.iterdir())) >= 3
        file = real(path, mode, **how)
        if full:
            file.close()
            raise OSError(errno.ENOSPC, "No space left on device")
        return file

    with monkeypatch.context() as full_disk:
        full_disk.setattr(Path, "open", open_on_a_full_disk)
        with pytest.raises(OSError, match="No space left"):
            write(tmp_path)
    assert list((tmp_path / FOLDER).iterdir()) == []
    assert not (tmp_path / "report.html").exists()


def test_a_folder_of_pictures_that_is_a_link_stays(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / FOLDER).symlink_to(tmp_path / "elsewhere")
    assert write(tmp_path).is_symlink()


@pytest.mark.usefixtures("beside")
def test_a_file_in_the_way_of_the_folder_is_told_with_the_page(tmp_path: Path) -> None:
    (tmp_path / FOLDER).write_text("a file in the way")
    with pytest.raises(OSError, match=FOLDER):
        write(tmp_path)


@pytest.mark.usefixtures("beside")
def test_an_edited_picture_beside_a_page_changes_no_other_page(tmp_path: Path) -> None:
    copies = PictureCache(tmp_path / "copies")
    for file in write(tmp_path / "first", copies).iterdir():
        file.write_bytes(colour(7))
        file.chmod(0o400)
    assert_whole(write(tmp_path / "second", copies))


@pytest.mark.parametrize("png", [None, b"", b"no picture"])
def test_a_picture_that_cannot_be_had_is_left_out(tmp_path: Path, png: bytes | None) -> None:
    found = page_of(tmp_path, a_run(), picture=lambda _: PagePicture(key="k", png=lambda: png))
    assert {case["picture"] for case in found.data["cases"]} == {None}
