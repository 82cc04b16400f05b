"""Every fault of a suite's folder is one line that names the entry, what was expected and what came."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from generators.errors import ItemDataError
from generators.geometry import tasks_of
from generators.geometry.drawing import draw_grey, encode_png, rgb_rows
from generators.geometry.layout import Canvas
from generators.geometry.loader import load_suite, read_yaml
from tests.generators.geometry.folders import MANIFEST, foreign_suite

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Broken:
    """What is replaced in the manifest, what is done to the folder, and what the error must say."""

    name: str
    says: str
    old: str = ""
    new: str = ""
    harm: Callable[[Path], object] | None = None


def _other_size(folder: Path) -> None:
    small = Canvas(width_px=70, height_px=51)
    (folder / "usss_5spots.png").write_bytes(encode_png(rgb_rows(draw_grey([], small))))


def _csv(folder: Path, text: str) -> None:
    (folder / "usss_5spots.csv").write_text(text)


def _link_out(folder: Path) -> None:
    outside = folder.parent / "outside.png"
    outside.write_bytes((folder / "usss_5spots.png").read_bytes())
    (folder / "usss_5spots.png").unlink()
    (folder / "usss_5spots.png").symlink_to(outside)


HEAD = "X_um,Y_um,Diameter_um\n"
FOLDERS = (
    Broken("no manifest", "expected a folder with manifest.yaml, got: file 'manifest.yaml': No such file",
           harm=lambda folder: (folder / "manifest.yaml").unlink()),
    Broken("manifest not UTF-8", "manifest.yaml: 'utf-8' codec can't decode",
           harm=lambda folder: (folder / "manifest.yaml").write_bytes(b"\xff\xfe")),
    Broken("manifest is a list", "expected a mapping with `images`, got ['a']",
           harm=lambda folder: (folder / "manifest.yaml").write_text("- a\n")),
    Broken("manifest malformed", "line 3: mapping values are not allowed here", "version: 1", "version 1"),
    Broken("no images", "expected `images` as a list of mappings, got None", "images:\n", "pictures:\n"),
    Broken("images of texts", "expected `images` as a list of mappings, got ['a']",
           harm=lambda folder: (folder / "manifest.yaml").write_text("images: [a]")),
    Broken("total disagrees", "expected total_images 5 entries, got 4", "total_images: 4", "total_images: 5"),
    Broken("no scale", "expected image_width, image_height and scale_inverse above 0", "0.14", "0"),
    Broken("scale is a text", "expected scale_inverse as a number of at least 0, got 'fine'", "0.14", "fine"),
    Broken("width is a fraction", "expected image_width as a whole number of at least 0, got 700.5",
           "700", "700.5"),
    Broken("no file name", "entry 'number 2': expected filename as a text, got None",
           "- filename: usss_5spots.png", "- name: usss_5spots.png"),
    Broken("path leaves the folder", "entry '../usss_5spots.png': expected filename as a path inside the folder",
           "filename: usss", "filename: ../usss"),
    Broken("unknown class", "entry 'usss_5spots.png': expected class_name out of CTRL, USSS",
           "class_name: USSS", "class_name: XXXX"),
    Broken("pattern of another class", "expected pattern of USSS out of uniform_spots, got 'hexagonal'",
           "pattern: uniform_spots", "pattern: hexagonal"),
    Broken("picture missing", "entry 'usss_5spots.png': file 'usss_5spots.png': No such file or directory; put it",
           harm=lambda folder: (folder / "usss_5spots.png").unlink()),
    Broken("picture damaged", "entry 'usss_5spots.png': picture: expected a whole PNG file",
           harm=lambda folder: (folder / "usss_5spots.png").write_bytes(
               (folder / "usss_5spots.png").read_bytes()[:-30])),
    Broken("picture of another size", "expected a picture of 700 x 510 pixels, got 70 x 51", harm=_other_size),
    Broken("picture is a link out", "got a link that leaves it", harm=_link_out),
    Broken("picture changed", "expected a picture of SHA-256 00", "  spot_count: 5\n",
           "  spot_count: 5\n  image_sha256: '00'\n"),
    Broken("positions missing", "entry 'usss_5spots.png': file 'usss_5spots.csv': No such file",
           harm=lambda folder: (folder / "usss_5spots.csv").unlink()),
    Broken("no positions named", "expected csv_file with the positions of the spots, got None",
           "  csv_file: usss_5spots.csv\n", ""),
    Broken("other header", "expected the columns X_um, Y_um, Diameter_um in usss_5spots.csv, got ['x', 'y']",
           harm=lambda folder: _csv(folder, "x,y\n1,2\n")),
    Broken("cell is no number", "expected three numbers in line 3 of usss_5spots.csv, got ['1', 'a', '3']",
           harm=lambda folder: _csv(folder, f"{HEAD}1,2,3\n1,a,3\n")),
    Broken("cell missing", "expected three numbers in line 2 of usss_5spots.csv, got ['1', '2']",
           harm=lambda folder: _csv(folder, f"{HEAD}1,2\n")),
    Broken("diameter zero", "a diameter above 0 in line 2", harm=lambda folder: _csv(folder, f"{HEAD}1,2,0\n")),
    Broken("not finite", "expected finite numbers", harm=lambda folder: _csv(folder, f"{HEAD}nan,2,3\n")),
    Broken("positions are no text", "usss_5spots.csv: expected text, got 'utf-8' codec",
           harm=lambda folder: (folder / "usss_5spots.csv").write_bytes(b"\xff\xff")),
    Broken("count disagrees", "entry 'usss_5spots.png': expected spot_count 6 rows in usss_5spots.csv, got 5",
           "spot_count: 5", "spot_count: 6"),
    Broken("dot outside", "expected a centre within 98 x 71.4 um in row 2 of usss_5spots.csv, got (99.0, 2.0)",
           harm=lambda folder: _csv(folder, f"{HEAD}99,2,3\n" + "1,2,3\n" * 4)),
    Broken("roles do not fit", "expected roles as 5 of spot, lattice, noise, got ['spot']",
           "  spot_size: 3.0\n", "  roles: [spot]\n"),
    Broken("roles are a text", "expected roles as 5 of spot, lattice, noise, got 'spot'",
           "  spot_size: 3.0\n", "  roles: spot\n"),
    Broken("removed sites malformed", "expected removed_sites as a list of [x, y] in um, got [[1]]",
           "  defect_rate: 0.1\n", "  removed_sites: [[1]]\n"),
    Broken("removed sites are a text", "expected removed_sites as a list of [x, y] in um, got 'none'",
           "  defect_rate: 0.1\n", "  removed_sites: none\n"),
    Broken("settings are a list", "expected settings as a mapping, got [1]",
           "  spot_size: 3.0\n", "  settings: [1]\n"),
    Broken("two of one name", "file names that differ, got 'usss_5spots'",
           "filename: hsfr_hex.png\n  class_name: HSFR\n  pattern: hexagonal\n  csv_file: hsfr_hex.csv",
           "filename: usss_5spots.png\n  class_name: USSS\n  pattern: uniform_spots\n  csv_file: usss_5spots.csv"),
)  # fmt: skip


@pytest.mark.parametrize("broken", FOLDERS, ids=lambda broken: broken.name)
def test_a_broken_folder_is_refused_in_one_line_that_names_the_fault(broken: Broken, tmp_path: Path) -> None:
    folder = tmp_path / "suite"
    folder.mkdir()
    foreign_suite(folder)
    assert broken.old in MANIFEST
    (folder / "manifest.yaml").write_text(MANIFEST.replace(broken.old, broken.new, 1))
    if broken.harm:
        broken.harm(folder)

    with pytest.raises(ItemDataError) as caught:
        load_suite(folder)

    message = str(caught.value)
    assert broken.says in message
    assert message.startswith(str(folder))
    assert "\n" not in message
    assert ";" in message


@pytest.mark.parametrize("named", ["", "  csv_file: null\n"])
def test_one_spot_without_a_file_of_positions_is_counted_and_no_more(named: str, tmp_path: Path) -> None:
    foreign_suite(tmp_path)
    single = MANIFEST.replace(
        "pattern: empty\n  spot_count: 0\n", f"pattern: single_spot\n  spot_count: 1\n{named}"
    )
    assert single != MANIFEST
    (tmp_path / "manifest.yaml").write_text(single)

    item = load_suite(tmp_path)[0]

    assert tasks_of(item) == ("COUNT",)
    assert (item.truth["count"], item.truth["dots"], item.truth["width_px"]) == (1, [], 700)


def test_one_spot_whose_file_is_named_and_missing_is_refused(tmp_path: Path) -> None:
    foreign_suite(tmp_path)
    single = MANIFEST.replace("spot_count: 0", "spot_count: 1\n  csv_file: gone.csv")
    (tmp_path / "manifest.yaml").write_text(single)

    with pytest.raises(ItemDataError, match=r"file 'gone.csv': No such file"):
        load_suite(tmp_path)


def test_a_file_too_large_and_too_many_rows_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    foreign_suite(tmp_path)
    monkeypatch.setattr("generators.geometry.loader.MAX_DOTS", 4)
    with pytest.raises(ItemDataError, match=r"expected at most 4 rows in usss_5spots.csv, got 5"):
        load_suite(tmp_path)

    monkeypatch.setattr("generators.files.MAX_BYTES", 10)
    with pytest.raises(ItemDataError, match="expected at most 10 bytes"):
        load_suite(tmp_path)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("a: 1\nb: 2.5\nc: 'text with: colon'\nd:\n", {"a": 1, "b": 2.5, "c": "text with: colon", "d": None}),
        ("a: [1, x, [2.5]]\nb: {c: 1}\n", {"a": [1, "x", [2.5]], "b": {"c": 1}}),
        ('{"whole": ["file", 1, null]}', {"whole": ["file", 1, None]}),
        ("a: 2024-01-01\n", {"a": "2024-01-01"}),
    ],
)
def test_is_understood(text: str, value: object) -> None:
    assert read_yaml(text) == value


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a: 1\n\tb: 2\n", "line 2: "),
        ("a: &x [1]\nb: *x\n", "line 2: found an alias"),
        ("a: !!python/object:os.system x\n", "line 1: could not determine a constructor"),
        ("a: 1\na: 2\n", "line 2: found the key 'a' twice"),
        ("a: {b: 1, b: 2}\n", "line 1: found the key 'b' twice"),
        ("a: 'open\n", "line 2: "),
        ("a: [1, 2\n", "line 2: "),
        ("--- 1\n--- 2\n", "line 2: "),
        ("a: .nan\n", "found a number that is not finite"),
        ("a: [1, -.inf]\n", "found a number that is not finite"),
        ("a: " + "[" * 40, "found more than 16 levels"),
        ("a: \x00", "special characters are not allowed"),
    ],
)
def test_is_refused_in_one_line_with_its_place(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=re.escape(says)) as caught:
        read_yaml(text)

    assert "\n" not in str(caught.value)
