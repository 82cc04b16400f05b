"""Writing and loading imagegen's layout: whole, resumable, the same items again."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from generators.errors import PictureError
from generators.geometry import GeometrySource, list_images, tasks_of
from generators.geometry.__main__ import main
from generators.geometry.loader import load_suite, read_yaml
from generators.geometry.writer import write_suite
from tests.generators.geometry.folders import foreign_suite

if TYPE_CHECKING:
    from generators.items import Item

ROOT = Path(__file__).parents[3]


CLASSES = ("CTRL", "HSFR", "HSDN")


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("suite")
    assert write_suite(folder, classes=CLASSES) == 23
    return folder


def test_a_written_suite_loads_as_the_generated_items(suite: Path) -> None:
    _assert_loads_as(suite, list(GeometrySource(classes=CLASSES)))


@pytest.mark.sweep
def test_the_whole_suite_loads_as_the_generated_items(tmp_path: Path) -> None:
    assert write_suite(tmp_path) == 92
    _assert_loads_as(tmp_path, list(GeometrySource()))


def _assert_loads_as(folder: Path, made: list[Item]) -> None:
    loaded = load_suite(folder)
    assert loaded == made
    assert [item.digest for item in loaded] == [item.digest for item in made]
    assert {item.picture.key for item in loaded} == {None}
    assert loaded[4].picture.png() == made[4].picture.png()


def test_the_folder_holds_pictures_positions_and_the_manifest(suite: Path) -> None:
    names = sorted(path.name for path in suite.iterdir())
    ids = [ref.id for ref in list_images(CLASSES)]

    assert names == sorted(["manifest.yaml", *(f"{i}.png" for i in ids), *(f"{i}.csv" for i in ids)])
    assert (suite / "HSFR_sp8_wb.csv").read_text().splitlines()[0] == "X_um,Y_um,Diameter_um"


def test_the_manifest_carries_every_quantity(suite: Path) -> None:
    manifest = read_yaml((suite / "manifest.yaml").read_text())
    assert isinstance(manifest, dict)
    entries = manifest["images"]
    assert isinstance(entries, list)
    entry: Any = next(e for e in entries if isinstance(e, dict) and e["filename"] == "HSDN_sp12_d10_n5_wb.png")
    png = (suite / "HSDN_sp12_d10_n5_wb.png").read_bytes()

    assert entry["image_sha256"] == hashlib.sha256(png).hexdigest()
    assert (entry["class_name"], entry["pattern"], entry["spot_count"]) == ("HSDN", "hexagonal_defects", 42)
    assert (entry["defect_rate"], entry["noise_rate"], entry["spacing_um"]) == (10.0, 5.0, 12.0)
    assert len(entry["removed_sites"]) == 5
    assert entry["roles"].count("noise") == 2
    assert {"seed", "spot_size", "displacement_um", "settings", "pixels_sha256"} <= set(entry)
    assert (manifest["total_images"], manifest["image_width"], manifest["scale_inverse"]) == (23, 700, 0.14)


def test_an_interrupted_run_is_taken_up_and_whole_files_are_left_alone(tmp_path: Path) -> None:
    write_suite(tmp_path, classes=["HSFR", "CTRL"])
    for path in tmp_path.iterdir():
        os.utime(path, (1, 1))
    (tmp_path / "HSFR_sp8_wb.png").write_bytes(b"half a fi")
    (tmp_path / "manifest.yaml").unlink()

    write_suite(tmp_path, classes=["HSFR", "CTRL"])

    renewed = {path.name for path in tmp_path.iterdir() if path.stat().st_mtime > 1}
    assert renewed == {"HSFR_sp8_wb.png", "manifest.yaml"}
    assert len(load_suite(tmp_path)) == 5


def test_the_command_writes_a_fresh_suite(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "fresh"

    assert main(["--out", str(out), "--seed", "3", "--classes", "hsfr, ctrl"]) == 0

    assert capsys.readouterr().out == f"5 pictures of seed 3 in {out}\n"
    assert load_suite(out) == list(GeometrySource(seed=3, classes=["CTRL", "HSFR"]))


def test_the_command_runs_as_a_module(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "generators.geometry", "--out-dir", str(tmp_path), "--classes", "CTRL"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout) == (0, f"2 pictures of seed 0 in {tmp_path}\n")


@pytest.mark.parametrize("classes", ["CTRL,NOPE", ","])
def test_the_command_names_unknown_classes(classes: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--out", "x", "--classes", classes])

    assert f"expected some of CTRL, USSS, USDS, HSFR, HSRP, HSDN, got {classes!r}" in capsys.readouterr().err


def test_the_command_says_when_the_folder_cannot_be_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")

    assert main(["--out", str(blocked), "--classes", "CTRL"]) == 1
    assert "cannot be written" in capsys.readouterr().err


def test_a_folder_of_imagegens_own_form_is_understood(tmp_path: Path) -> None:
    items = {item.id: item for item in load_suite(foreign_suite(tmp_path))}

    assert list(items) == ["ctrl_empty", "usss_5spots", "hsfr_hex", "hsdn_a"]
    assert tasks_of(items["ctrl_empty"]) == ("COUNT",)
    assert items["usss_5spots"].truth["count"] == 5
    assert items["usss_5spots"].truth["diameter_um"] == 3.0
    assert items["hsfr_hex"].truth["spacing_um"] == 12.0
    assert items["hsfr_hex"].truth["has_defects"] is False


def test_unknown_numbers_of_defects_leave_the_verdict_to_ask_for(tmp_path: Path) -> None:
    item = load_suite(foreign_suite(tmp_path))[-1]

    assert item.truth["has_defects"] is True
    assert item.truth["missing_count"] is None
    assert tasks_of(item) == ("COUNT", "LOCATE", "PATTERN", "DEFECT", "REGULARITY")


def test_a_picture_that_vanishes_or_breaks_after_loading_is_that_items_error(tmp_path: Path) -> None:
    items = load_suite(foreign_suite(tmp_path))
    (tmp_path / "usss_5spots.png").write_bytes(b"no picture")
    (tmp_path / "hsfr_hex.png").unlink()

    with pytest.raises(PictureError, match=r"usss_5spots: picture 'usss_5spots.png': expected a PNG file"):
        items[1].picture.png()
    with pytest.raises(PictureError, match=r"hsfr_hex: picture 'hsfr_hex.png': No such file"):
        items[2].picture.png()
