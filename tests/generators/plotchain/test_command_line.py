"""`python -m generators.plotchain`: layout, resuming, interruption, and failures in one line."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING

import pytest

from generators.errors import PictureError
from generators.plotchain import PlotChainSource
from generators.plotchain.__main__ import main
from generators.plotchain.drawn import DrawnPicture
from generators.png import check_png
from tests.conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_FILES = {"plotchain_v4.jsonl", "validation_rows.csv", "validation_summary.csv", "pictures.jsonl", "images"}


def _write(folder: Path, *more: str) -> int:
    return main(["--out_dir", str(folder), "--n_per_family", "1", "--jobs", "1", *more])


def _pictures(folder: Path) -> dict[str, bytes]:
    return {path.stem: path.read_bytes() for path in sorted(folder.glob("images/*/*.png"))}


def test_the_layout_is_the_seeds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _write(tmp_path / "set", "--seed", "3") == 0

    source = PlotChainSource(seed=3, items_per_family=1)
    assert {path.name for path in (tmp_path / "set").iterdir()} == _FILES
    records = [
        json.loads(line) for line in (tmp_path / "set" / "plotchain_v4.jsonl").read_text("utf-8").splitlines()
    ]
    assert [record["id"] for record in records] == [case.id for case in source.cases]
    for record in records:
        data = (tmp_path / "set" / record["image_path"]).read_bytes()
        assert record["image_path"] == f"images/{record['type']}/{record['id']}.png"
        assert data == source.item(source.case(record["id"])).picture.png()
    output = capsys.readouterr()
    assert output.out.count("\n") == 1
    assert "15 items" in output.out
    assert "15 pictures drawn, 0 kept, 0 values disputed" in output.out
    assert output.err == "15 of 15 pictures\n"


def test_a_second_run_draws_nothing_and_mends_what_was_lost(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _write(tmp_path)
    before = _pictures(tmp_path)
    images = tmp_path / "images"
    (images / "iv_diode" / "iv_diode_000.png").unlink()
    (images / "sn_curve" / "sn_curve_000.png").write_bytes(before["sn_curve_000"][:-1])
    (images / "pole_zero" / "pole_zero_000.png").write_bytes(before["sn_curve_000"])
    with (tmp_path / "pictures.jsonl").open("a") as ledger:
        ledger.write('["no entry"]\n{"id": "cut sho')
    capsys.readouterr()

    assert _write(tmp_path) == 0
    assert "3 pictures drawn, 12 kept" in capsys.readouterr().out
    assert _pictures(tmp_path) == before
    assert _write(tmp_path) == 0
    assert "0 pictures drawn, 15 kept" in capsys.readouterr().out


def test_another_seed_in_the_same_folder_draws_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _write(tmp_path)
    first = _pictures(tmp_path)
    capsys.readouterr()

    _write(tmp_path, "--seed", "9")

    assert "15 pictures drawn, 0 kept" in capsys.readouterr().out
    assert _pictures(tmp_path) != first


def test_several_processes_write_the_same_bytes(tmp_path: Path) -> None:
    _write(tmp_path / "one")
    main(["--out_dir", str(tmp_path / "two"), "--n_per_family", "1", "--jobs", "2"])

    assert _pictures(tmp_path / "two") == _pictures(tmp_path / "one")
    for name in _FILES - {"images", "pictures.jsonl"}:
        assert (tmp_path / "two" / name).read_bytes() == (tmp_path / "one" / name).read_bytes()


@pytest.mark.parametrize(
    "arguments", [[], ["--out_dir", "x", "--n_per_family", "0"], ["--out_dir", "x", "--edition", "v9"]]
)
def test_bad_options_are_usage_errors(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)

    assert caught.value.code == 2
    assert "usage: python -m generators.plotchain" in capsys.readouterr().err


def test_a_file_in_the_way_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")

    assert _write(tmp_path / "file") == 1
    message = capsys.readouterr().err
    assert message.startswith("generators.plotchain: cannot write ")
    assert "choose another folder" in message
    assert message.count("\n") == 1


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_file_in_place_of_a_picture_folder_is_one_line(
    tmp_path: Path, jobs: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "torque_speed").write_text("")

    assert main(["--out_dir", str(tmp_path), "--n_per_family", "1", "--jobs", jobs]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def _raise(error: BaseException) -> Callable[..., object]:
    def fail(*_: object, **__: object) -> object:
        raise error

    return fail


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (OSError(errno.ENOSPC, "No space left", "x.png"), (1, "cannot write 'x.png': No space left; free space")),
        (OSError("odd"), (1, "odd; free space")),
        (PictureError("a_000: cannot draw the picture: x"), (1, "a_000: cannot draw")),
        (BrokenProcessPool("gone"), (1, "a drawing process was killed; run the same command again")),
        (KeyboardInterrupt(), (130, "interrupted; run the same command again to go on")),
    ],
)
def test_what_stops_a_run_is_one_line(
    tmp_path: Path,
    error: BaseException,
    outcome: tuple[int, str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(DrawnPicture, "png", _raise(error))

    assert _write(tmp_path) == outcome[0]
    message = capsys.readouterr().err
    assert outcome[1] in message
    assert message.count("\n") == 1
    assert not list(tmp_path.rglob("*.tmp"))


def test_a_set_that_the_baseline_disputes_is_no_success(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        "generators.plotchain.families.iv_resistor.IvResistor.truth", lambda *_: {"resistance_ohm": 1.0}
    )

    assert _write(tmp_path) == 1
    assert "1 values disputed by the baseline" in capsys.readouterr().out
    assert ",resistance_ohm,1,0.0," in (tmp_path / "validation_summary.csv").read_text()


def _start(folder: Path, count: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "generators.plotchain", "--out_dir", str(folder), "--jobs", "2"]
    return subprocess.Popen(
        [*command, "--n_per_family", str(count)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        start_new_session=True,
    )


def _wait_for_pictures(folder: Path, process: subprocess.Popen[str], count: int) -> None:
    while len(list(folder.glob("images/*/*.png"))) < count:
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)


def _all_whole(folder: Path) -> None:
    for path in folder.glob("images/*/*.png"):
        check_png(path.read_bytes())


def test_interrupting_ends_cleanly(tmp_path: Path) -> None:
    process = _start(tmp_path, 8)
    _wait_for_pictures(tmp_path, process, 3)
    os.killpg(process.pid, signal.SIGINT)
    output, errors = process.communicate()

    assert (process.returncode, output, errors) == (130, "", "interrupted; run the same command again to go on\n")
    _all_whole(tmp_path)
    kept = len(_pictures(tmp_path))
    assert 3 <= kept < 120
    assert not list(tmp_path.rglob("*.tmp"))


@pytest.mark.slow
@pytest.mark.parametrize("pictures", [1, 4, 9])
def test_a_kill_never_leaves_half_a_picture(tmp_path: Path, pictures: int) -> None:
    process = _start(tmp_path, 2)
    _wait_for_pictures(tmp_path, process, pictures)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    _all_whole(tmp_path)

    again = _start(tmp_path, 2)
    output, errors = again.communicate()

    assert (again.returncode, errors) == (0, "")
    assert "30 items" in output
    whole = PlotChainSource(items_per_family=2)
    assert _pictures(tmp_path) == {case.id: whole.item(case).picture.png() for case in whole.cases}
