"""The picture cache: whole files or none, under any number of writers; and small copies."""

from __future__ import annotations

import io
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from generators.errors import PictureError
from generators.pictures import COLOURS, PictureCache, copy_key, small_copy
from generators.plotchain import PlotChainSource
from generators.png import PngSize, encode_rgba

PNG = encode_rgba(b"\0\1\2\3", PngSize(width=1, height=1), dpi=72)


def test_what_was_written_is_read(tmp_path: Path) -> None:
    cache = PictureCache(tmp_path / "new" / "folder")

    cache.write("abc1", PNG)

    assert cache.read("abc1") == PNG
    assert [path.name for path in cache.folder.iterdir()] == ["abc1.png"]


def test_an_absent_picture_is_none(tmp_path: Path) -> None:
    assert PictureCache(tmp_path / "nowhere").read("abc1") is None


def test_keys_are_those_of_its_files_and_none_where_there_is_no_folder(tmp_path: Path) -> None:
    cache = PictureCache(tmp_path / "new")
    assert cache.keys() == frozenset()
    cache.write("abc1", PNG)
    cache.write("abc2", PNG)
    (cache.folder / "notes.txt").touch()
    assert cache.keys() == {"abc1", "abc2"}


@pytest.mark.parametrize("damaged", [b"", PNG[:-1], PNG[:8], b"x" + PNG[1:], b"not a picture"])
def test_a_damaged_file_counts_as_absent_and_is_replaced(tmp_path: Path, damaged: bytes) -> None:
    cache = PictureCache(tmp_path)
    cache.path("abc1").write_bytes(damaged)

    assert cache.read("abc1") is None
    cache.write("abc1", PNG)
    assert cache.read("abc1") == PNG


@pytest.mark.parametrize("key", ["", "../x", "a/b", "a.b", "ä", "a b"])
def test_a_key_that_is_no_plain_name_is_refused(tmp_path: Path, key: str) -> None:
    cache = PictureCache(tmp_path)

    with pytest.raises(ValueError, match="a picture key must be letters and digits"):
        cache.read(key)
    with pytest.raises(ValueError, match="a picture key must be letters and digits"):
        cache.write(key, PNG)


def test_concurrent_writers_and_readers_never_see_half_a_file(tmp_path: Path) -> None:
    cache = PictureCache(tmp_path)

    def use(_: int) -> bytes | None:
        cache.write("abc1", PNG)
        return cache.read("abc1")

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(use, range(200))) == {PNG}
    assert [path.name for path in tmp_path.iterdir()] == ["abc1.png"]


def _refuse(self: Path, target: Path) -> None:
    raise PermissionError(13, "file is open")


def test_a_file_held_open_by_another_process_is_no_error_when_it_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = PictureCache(tmp_path)
    cache.write("abc1", PNG)
    monkeypatch.setattr(Path, "replace", _refuse)

    cache.write("abc1", PNG)

    assert cache.read("abc1") == PNG


def test_a_refused_write_without_a_whole_file_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "replace", _refuse)

    with pytest.raises(PermissionError):
        PictureCache(tmp_path).write("abc1", PNG)


def test_a_file_of_the_key_is_held_whole_or_not(tmp_path: Path) -> None:
    cache = PictureCache(tmp_path / "none yet")
    assert not cache.holds("abc1")
    cache.write("abc1", b"half a picture")
    assert cache.holds("abc1")
    assert cache.read("abc1") is None
    with pytest.raises(ValueError, match="letters and digits"):
        cache.holds("../abc1")


def pixels(png: bytes) -> np.ndarray:
    with Image.open(io.BytesIO(png)) as opened:
        return np.asarray(opened.convert("RGB"), dtype=int)


def test_a_copy_looks_the_same_in_fewer_bytes() -> None:
    source = PlotChainSource()
    png = source.item(source.case("step_response_000")).picture.png()

    copy = small_copy(png)

    assert len(copy) < len(png) / 2
    difference = np.abs(pixels(copy) - pixels(png))
    assert difference.mean() < 2
    with Image.open(io.BytesIO(copy)) as opened:
        assert opened.mode == "P"
        assert len(opened.getcolors() or ()) <= COLOURS


def test_equal_pictures_have_equal_copies() -> None:
    out = io.BytesIO()
    Image.new("RGBA", (30, 20), (200, 10, 10, 255)).save(out, "PNG")

    assert small_copy(out.getvalue()) == small_copy(out.getvalue())


@pytest.mark.parametrize("content", [b"", b"no picture", b"\x89PNG\r\n\x1a\n and then nothing"])
def test_what_is_no_picture_is_said_to_be_none(content: bytes) -> None:
    with pytest.raises(PictureError, match=f"expected a picture to copy, got {len(content)} bytes that are none"):
        small_copy(content)


def test_a_copy_has_a_name_of_its_own() -> None:
    assert copy_key("0a") != "0a"
    assert copy_key("0a").isalnum()
