"""Pictures that a data set names: read when whole, refused in one line otherwise."""

from __future__ import annotations

import io
import os
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from generators import picture_file
from generators.errors import PictureError
from generators.picture_file import FilePicture, path_fault
from generators.png import PngSize, encode_rgba

if TYPE_CHECKING:
    from pathlib import Path

PNG = encode_rgba(b"\0\1\2\3", PngSize(width=1, height=1), dpi=72)


def _picture(root: Path, name: str = "images/a.png") -> FilePicture:
    return FilePicture(item_id="a_000", folder=root, relative_path=name)


def _refused(picture: FilePicture) -> str:
    with pytest.raises(PictureError) as caught:
        picture.png()
    message = str(caught.value)
    assert message.startswith(f"a_000: picture {picture.relative_path!r}: ")
    assert "\n" not in message
    return message


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "set" / "images").mkdir(parents=True)
    return tmp_path / "set"


def test_a_whole_picture_is_read_byte_for_byte(root: Path) -> None:
    (root / "images" / "a.png").write_bytes(PNG)

    assert _picture(root).png() == PNG
    assert _picture(root).key is None


def test_a_link_that_stays_inside_is_followed(root: Path) -> None:
    (root / "real.png").write_bytes(PNG)
    (root / "images" / "a.png").symlink_to(root / "real.png")

    assert _picture(root).png() == PNG


def test_a_folder_reached_through_a_link_is_fine(root: Path, tmp_path: Path) -> None:
    (root / "images" / "a.png").write_bytes(PNG)
    (tmp_path / "link").symlink_to(root)

    assert _picture(tmp_path / "link").png() == PNG


def test_a_link_that_leaves_the_folder_is_refused(root: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes(PNG)
    (root / "images" / "a.png").symlink_to(tmp_path / "secret.png")

    assert "got a link that leaves it; replace it" in _refused(_picture(root))


def test_a_missing_picture_is_named(root: Path) -> None:
    assert "No such file or directory; put it there" in _refused(_picture(root))


def test_a_folder_or_pipe_is_refused_without_waiting(root: Path) -> None:
    os.mkfifo(root / "images" / "a.png")

    assert "expected a file, got a folder or device" in _refused(_picture(root))
    assert "expected a file, got a folder or device" in _refused(_picture(root, "images"))


@pytest.mark.parametrize("kind", ["JPEG", "GIF"])
def test_another_format_is_refused(root: Path, kind: str) -> None:
    buffer = io.BytesIO()
    Image.new("RGB", (4, 4)).save(buffer, kind)
    (root / "images" / "a.png").write_bytes(buffer.getvalue())

    assert "expected a PNG file, got bytes that begin with" in _refused(_picture(root))


def test_a_cut_picture_is_refused(root: Path) -> None:
    (root / "images" / "a.png").write_bytes(PNG[:-5])

    assert "expected a whole PNG file" in _refused(_picture(root))


def test_a_file_beyond_the_size_cap_is_not_read(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "images" / "a.png").write_bytes(PNG)
    monkeypatch.setattr(picture_file, "MAX_BYTES", len(PNG) - 1)

    assert f"expected at most {len(PNG) - 1} bytes, got {len(PNG)}" in _refused(_picture(root))


def test_a_link_to_itself_is_refused(root: Path) -> None:
    (root / "images" / "a.png").symlink_to(root / "images" / "a.png")

    assert "put it there" in _refused(_picture(root)) or "replace it" in _refused(_picture(root))


@pytest.mark.parametrize("text", ["a.png", "images/a.png", "./a.png", "a..b/c.png", "..a.png"])
def test_relative_paths_inside_are_fine(text: str) -> None:
    assert path_fault(text) is None


@pytest.mark.parametrize("text", ["", ".", "..", "../a", "a/../b", "/a", "\\\\server\\share\\a", "c:a", "a\0"])
def test_other_paths_have_a_fault(text: str) -> None:
    assert path_fault(text) is not None
