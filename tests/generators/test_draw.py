"""The drawing worker: fills the cache, survives bad requests, says so in one line each."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from generators.draw import copy_drawn, draw_requested, main
from generators.errors import PictureError
from generators.pictures import PictureCache, copy_key, small_copy
from generators.plotchain import PlotChainSource, load_jsonl
from generators.plotchain.records import item_line
from tests.conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

RECIPE = {"edition": "v4", "seed": 0, "items_per_family": 30}


def _run(header: object, *ids: str) -> tuple[int, str]:
    text = header if isinstance(header, str) else json.dumps(header)
    errors = io.StringIO()
    status = main(io.StringIO("\n".join([text, *ids])), errors)
    return status, errors.getvalue()


def test_missing_pictures_are_drawn_under_their_keys(tmp_path: Path) -> None:
    source = PlotChainSource()
    item = source.item(source.case("torque_speed_004"))

    status, errors = _run(RECIPE | {"cache": str(tmp_path)}, "torque_speed_004", "", "torque_speed_004")

    assert (status, errors) == (0, "")
    assert [path.name for path in tmp_path.iterdir()] == [f"{item.picture.key}.png"]
    assert PictureCache(tmp_path).read(str(item.picture.key)) == item.picture.png()


def test_a_picture_in_the_cache_is_not_drawn_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _run(RECIPE | {"cache": str(tmp_path)}, "torque_speed_004")
    monkeypatch.setattr("generators.plotchain.pictures.PlotPicture.png", lambda _: pytest.fail("drawn again"))

    assert _run(RECIPE | {"cache": str(tmp_path)}, "torque_speed_004") == (0, "")


def test_small_copies_follow_where_a_folder_for_them_is_named(tmp_path: Path) -> None:
    item = PlotChainSource().item(PlotChainSource().case("torque_speed_004"))
    pictures, copies = tmp_path / "pictures", tmp_path / "copies"

    assert _run(RECIPE | {"cache": str(pictures), "copies": str(copies)}, "torque_speed_004") == (0, "")

    copy = PictureCache(copies).read(copy_key(str(item.picture.key)))
    assert copy == small_copy(item.picture.png())


def test_a_picture_that_is_gone_again_has_no_copy(tmp_path: Path) -> None:
    copy_drawn(["0a"], PictureCache(tmp_path / "pictures"), PictureCache(tmp_path / "copies"))

    assert list(tmp_path.iterdir()) == []


def test_an_unknown_id_is_one_line_and_the_next_is_drawn(tmp_path: Path) -> None:
    status, errors = _run(RECIPE | {"cache": str(tmp_path), "items_per_family": 5}, "nonsense", "torque_speed_004")

    assert status == 0
    assert errors == "generators.draw: no PlotChain item 'nonsense' among 75\n"
    assert len(list(tmp_path.iterdir())) == 1


def test_a_picture_that_cannot_be_drawn_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> bytes:
        raise PictureError("step_response_000: cannot draw the picture: no points")

    monkeypatch.setattr("generators.plotchain.pictures.PlotPicture.png", fail)

    status, errors = _run(RECIPE | {"cache": str(tmp_path)}, "step_response_000")

    assert (status, errors) == (0, "generators.draw: step_response_000: cannot draw the picture: no points\n")


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        ("", "Expecting value"),
        ("[]", "expected a JSON object with a folder as 'cache', got '[]'"),
        ({"seed": 1}, "expected a JSON object with a folder as 'cache'"),
        ({"cache": "c"}, "expected a text as edition, whole numbers as seed and items_per_family, got None, None"),
        (RECIPE | {"cache": "c", "edition": "v9"}, "unknown PlotChain edition 'v9'; expected one of: v4, v5"),
        (RECIPE | {"cache": "c", "seed": "x"}, "whole numbers as seed and items_per_family, got 'v4', 'x' and 30"),
        (RECIPE | {"cache": "c", "items_per_family": 0}, "items per family must be at least 1, got 0"),
    ],
)
def test_an_unusable_header_ends_the_worker_with_one_line(header: object, reason: str) -> None:
    status, errors = _run(header, "torque_speed_004")

    assert status == 2
    assert errors.startswith("generators.draw: unusable header: ")
    assert reason in errors
    assert errors.count("\n") == 1


def test_an_unwritable_cache_ends_the_worker_with_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    status, errors = _run(RECIPE | {"cache": str(tmp_path / "file")}, "torque_speed_004")

    assert status == 1
    assert errors.startswith("generators.draw: cannot write the cache")
    assert errors.count("\n") == 1


def test_a_picture_that_is_a_file_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "set.jsonl").write_text(item_line(PlotChainSource().item(PlotChainSource().case("iv_diode_000"))))
    items = {item.id: item for item in load_jsonl(tmp_path / "set.jsonl")}
    errors = io.StringIO()

    drawn = draw_requested(["iv_diode_000"], items.__getitem__, PictureCache(tmp_path / "c"), errors)

    assert (drawn, errors.getvalue()) == ([], "")
    assert not (tmp_path / "c").exists()


@pytest.mark.parametrize("item_id", ["nonsense", pytest.param("iv_resistor_000", marks=pytest.mark.sweep)])
def test_it_runs_as_a_module(tmp_path: Path, item_id: str) -> None:
    requests = json.dumps(RECIPE | {"cache": str(tmp_path)}) + f"\n{item_id}\n"

    command = [sys.executable, "-m", "generators.draw"]
    result = subprocess.run(command, input=requests, capture_output=True, text=True, check=False, cwd=ROOT)

    said = "generators.draw: no PlotChain item 'nonsense' among 450\n" if item_id == "nonsense" else ""
    assert (result.returncode, result.stdout, result.stderr) == (0, "", said)
    assert len(list(tmp_path.glob("*.png"))) == (not said)
