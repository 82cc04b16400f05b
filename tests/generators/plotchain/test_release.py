"""`python -m generators.plotchain`: layout, resuming, interruption, failures in one line; the baseline."""

from __future__ import annotations

import dataclasses
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
from generators.plotchain.family import EDITIONS, PlotFamily, StoredParams
from generators.plotchain.pictures import PlotPicture
from generators.plotchain.release import rows_csv, summary_csv, validate
from generators.png import check_png
from tests.conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from generators.items import Item


_FILES = {"plotchain_v4.jsonl", "validation_rows.csv", "validation_summary.csv", "pictures.jsonl", "images"}


few = pytest.mark.usefixtures("few_families")


def _write(folder: Path, *more: str) -> int:
    return main(["--out_dir", str(folder), "--n_per_family", "1", "--jobs", "1", *more])


def _pictures(folder: Path) -> dict[str, bytes]:
    return {path.stem: path.read_bytes() for path in sorted(folder.glob("images/*/*.png"))}


@few
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
    assert "3 items" in output.out
    assert "3 pictures drawn, 0 kept, 0 values disputed" in output.out
    assert output.err == "3 of 3 pictures\n"


@few
def test_a_second_run_draws_nothing_and_mends_what_was_lost(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _write(tmp_path)
    before = _pictures(tmp_path)
    images = tmp_path / "images"
    (images / "iv_diode" / "iv_diode_000.png").unlink()
    (images / "pole_zero" / "pole_zero_000.png").write_bytes(before["sn_curve_000"])
    with (tmp_path / "pictures.jsonl").open("a") as ledger:
        ledger.write('["no entry"]\n{"id": "cut sho')
    capsys.readouterr()

    assert _write(tmp_path) == 0
    assert "2 pictures drawn, 1 kept" in capsys.readouterr().out
    assert _pictures(tmp_path) == before
    assert _write(tmp_path) == 0
    assert "0 pictures drawn, 3 kept" in capsys.readouterr().out


@few
def test_another_seed_in_the_same_folder_draws_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _write(tmp_path)
    first = _pictures(tmp_path)
    capsys.readouterr()

    _write(tmp_path, "--seed", "9")

    assert "3 pictures drawn, 0 kept" in capsys.readouterr().out
    assert _pictures(tmp_path) != first


@few
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


@few
def test_a_file_in_the_way_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")

    assert _write(tmp_path / "file") == 1
    message = capsys.readouterr().err
    assert message.startswith("generators.plotchain: cannot write ")
    assert "choose another folder" in message
    assert message.count("\n") == 1


@few
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_file_in_place_of_a_picture_folder_is_one_line(
    tmp_path: Path, jobs: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "pole_zero").write_text("")

    assert main(["--out_dir", str(tmp_path), "--n_per_family", "1", "--jobs", jobs]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def _raise(error: BaseException) -> Callable[..., object]:
    def fail(*_: object, **__: object) -> object:
        raise error

    return fail


@few
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
    monkeypatch.setattr(PlotPicture, "png", _raise(error))

    assert _write(tmp_path) == outcome[0]
    message = capsys.readouterr().err
    assert outcome[1] in message
    assert message.count("\n") == 1
    assert not list(tmp_path.rglob("*.tmp"))


@few
def test_a_set_that_the_baseline_disputes_is_no_success(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        "generators.plotchain.v4.families.iv_diode.IvDiode.truth", lambda *_: {"target_current_a": 1.0}
    )

    assert _write(tmp_path) == 1
    assert "1 values disputed by the baseline" in capsys.readouterr().out
    assert ",target_current_a,1,0.0," in (tmp_path / "validation_summary.csv").read_text()


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


@pytest.mark.sweep
def test_interrupting_ends_cleanly(tmp_path: Path) -> None:
    process = _start(tmp_path, 8)
    _wait_for_pictures(tmp_path, process, 3)
    os.killpg(process.pid, signal.SIGINT)
    output, errors = process.communicate()

    assert (process.returncode, output, errors) == (130, "", "interrupted; run the same command again to go on\n")
    _all_whole(tmp_path)
    kept = len(_pictures(tmp_path))
    assert 3 <= kept < len(PlotChainSource(items_per_family=8))
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

    whole = PlotChainSource(items_per_family=2)
    assert (again.returncode, errors) == (0, "")
    assert f"{len(whole)} items" in output
    assert _pictures(tmp_path) == {case.id: whole.item(case).picture.png() for case in whole.cases}


@pytest.mark.parametrize(
    "seed", [1, pytest.param(0, marks=pytest.mark.sweep), pytest.param(2**31 - 1, marks=pytest.mark.sweep)]
)
def test_the_baseline_confirms_every_value_of_any_set(seed: int) -> None:
    source = PlotChainSource(seed=seed)

    rows = validate(source, source.edition)

    assert [row for row in rows if not row.passed] == []
    assert len(rows) > 1700


def test_a_wrong_value_of_every_field_is_noticed(items: list[Item]) -> None:
    first = {item.family: item for item in reversed(items)}
    for item in first.values():
        decimals = {spec.name: spec.decimals for spec in EDITIONS["v4"].family(item.family).fields}
        for name, value in item.truth.items():
            assert isinstance(value, float)
            places = decimals[name]
            step = 1.1 * 10.0**-places if places is not None else 1e-4 * max(abs(value), 1.0)
            wrong = dataclasses.replace(item, truth={**item.truth, name: value + step})

            noticed = [row for row in validate([wrong], EDITIONS["v4"]) if not row.passed]

            assert [row.field for row in noticed] == [name]
            assert 0.0 < noticed[0].abs_err <= 1.7 * step


def test_tables_say_what_failed(items: list[Item]) -> None:
    item = next(item for item in items if item.family == "iv_resistor")
    wrong = dataclasses.replace(item, truth={**item.truth, "resistance_ohm": 999.0})
    rows = validate([item, wrong], EDITIONS["v4"])

    assert "iv_resistor,iv_resistor_000,resistance_ohm,False,499.0" in rows_csv(rows)
    assert "iv_resistor,resistance_ohm,2,0.5,499.0\n" in summary_csv(rows).replace("499.00000000000006", "499.0")


def test_a_family_without_a_baseline_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    family = EDITIONS["v4"].family("iv_diode")
    monkeypatch.setattr(type(family), "baseline", PlotFamily.baseline)

    with pytest.raises(KeyError, match="iv_diode has no baseline: write its method `baseline`"):
        family.baseline(StoredParams({}))
