"""Files: whole or the old one; JSON lines with finite numbers; pictures that a data set names."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest
from PIL import Image

from generators import files as picture_file
from generators.errors import ItemDataError, PictureError
from generators.files import FilePicture, lines_of, parse_json, path_fault, write_atomically
from generators.png import PngSize, encode_rgba


@pytest.mark.parametrize("synced", [False, True])
def test_a_file_is_replaced_and_its_folder_made(tmp_path: Path, *, synced: bool) -> None:
    target = tmp_path / "new" / "folder" / "table.csv"

    for data in (b"old", b"new"):
        write_atomically(target, data, synced=synced)

        assert target.read_bytes() == data
        assert list(target.parent.iterdir()) == [target]


@pytest.mark.parametrize("synced", [False, True])
def test_a_failed_write_leaves_the_old_file_and_no_temporary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, synced: bool
) -> None:
    target = tmp_path / "table.csv"
    write_atomically(target, b"old")

    def fail(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="No space left"):
        write_atomically(target, b"new", synced=synced)

    assert target.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize(("synced", "held"), [(False, []), (True, [b"new"])])
def test_only_a_synced_file_is_on_the_disk_before_it_gets_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, synced: bool, held: list[bytes]
) -> None:
    target = tmp_path / "table.csv"
    synced_bytes: list[bytes] = []

    def record(_: int) -> None:
        assert not target.exists()
        synced_bytes.extend(path.read_bytes() for path in tmp_path.iterdir())

    monkeypatch.setattr(os, "fsync", record)
    write_atomically(target, b"new", synced=synced)

    assert synced_bytes == held


def test_blank_lines_count_but_are_not_given(tmp_path: Path) -> None:
    (tmp_path / "set.jsonl").write_bytes(b'\xef\xbb\xbf{"a": 1}\r\n\n  \n[2]')

    assert list(lines_of(tmp_path / "set.jsonl")) == [(1, b'{"a": 1}\r'), (4, b"[2]")]


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(ItemDataError, match=r"set\.jsonl: expected a readable JSONL file, got: .+; name another"):
        list(lines_of(tmp_path / "set.jsonl"))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (b"NaN", "NaN is no JSON number"),
        (b"[-Infinity]", "-Infinity is no JSON number"),
        (b"-1e999", "-1e999 is beyond the largest number"),
        (b"\xff", "can't decode byte 0xff"),
        (b"{", "line 1 column 2"),
    ],
)
def test_what_is_no_finite_json_is_refused(text: bytes, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        parse_json(text)


def test_finite_numbers_are_kept_as_they_are() -> None:
    assert parse_json(b"[1, 1.5, -1e300]") == [1, 1.5, -1e300]


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
