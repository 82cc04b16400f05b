"""`python -m generators.auxsolidmath`: layout, resuming, failures in one line, shares of blind answers."""

from __future__ import annotations

import errno
import json
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING

import pytest

from generators.auxsolidmath.__main__ import blind_shares, main
from generators.auxsolidmath.drawing.pictures import DiagramPicture
from generators.auxsolidmath.source import AuxSolidMathSource, auxiliary_picture
from generators.errors import PictureError
from generators.png import check_png

if TYPE_CHECKING:
    from pathlib import Path

    from generators.items import Item

_SMALL = ("--easy", "2", "--hard", "1", "--jobs", "1")
_FIELDS = {
    "answer",
    "answer_kind",
    "auxiliary_line_description",
    "auxiliary_line_image",
    "id",
    "kind",
    "original_image",
    "question",
    "solution",
}


def write(folder: Path, *more: str) -> int:
    return main(["--out_dir", str(folder), *_SMALL, *more])


def records(folder: Path, difficulty: str) -> list[dict[str, str]]:
    lines = (folder / f"test_{difficulty}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_the_layout_is_the_data_sets(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert write(tmp_path / "set", "--seed", "3") == 0

    source = AuxSolidMathSource(seed=3, easy=2, hard=1)
    written = records(tmp_path / "set", "easy") + records(tmp_path / "set", "hard")
    assert [record["id"] for record in written] == [ref.id for ref in source.cases]
    for record in written:
        item = source.item(source.case(record["id"]))
        assert set(record) >= _FIELDS
        assert (tmp_path / "set" / record["original_image"]).read_bytes() == item.picture.png()
        assert (tmp_path / "set" / record["auxiliary_line_image"]).read_bytes() == auxiliary_picture(item).png()
    output = capsys.readouterr()
    assert output.out.startswith(f"3 items in {tmp_path / 'set'}: 6 pictures drawn, 0 kept\n")
    assert output.out.count("\n") == 2
    assert output.err.endswith("6 of 6 pictures\n")


def test_questions_may_be_chinese(tmp_path: Path) -> None:
    assert write(tmp_path, "--language", "zh") == 0
    assert all("求" in record["question"] for record in records(tmp_path, "easy"))


def test_a_second_run_draws_nothing_and_mends_what_was_lost(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert write(tmp_path) == 0
    lost, cut, *_ = sorted((tmp_path / "images").glob("*.png"))
    lost.unlink()
    cut.write_bytes(cut.read_bytes()[:200])
    with (tmp_path / "pictures.jsonl").open("a") as ledger:
        ledger.write('{"id": "cut sh')
    capsys.readouterr()

    assert write(tmp_path) == 0

    assert "2 pictures drawn, 4 kept" in capsys.readouterr().out
    assert check_png(lost.read_bytes())
    assert check_png(cut.read_bytes())


def test_one_picture_that_fails_stops_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    draw = DiagramPicture.png

    def failing(picture: DiagramPicture) -> bytes:
        if picture.item_id.endswith("G02-000") and picture.auxiliary:
            raise PictureError(f"{picture.item_id}: cannot draw the picture: ink is out")
        return draw(picture)

    monkeypatch.setattr(DiagramPicture, "png", failing)

    assert write(tmp_path) == 1

    output = capsys.readouterr()
    assert "5 pictures drawn, 0 kept" in output.out
    assert (
        "generators.auxsolidmath: auxsolidmath_easy-G02-000: cannot draw the picture: ink is out\n" in output.err
    )
    assert len(list((tmp_path / "images").glob("*.png"))) == 5


@pytest.mark.parametrize(
    ("trouble", "status", "message"),
    [
        (
            OSError(errno.ENOSPC, "No space left on device", "here"),
            1,
            "cannot write 'here': No space left on device",
        ),
        (BrokenProcessPool(), 1, "a drawing process was killed; run the same command again"),
        (KeyboardInterrupt(), 130, "interrupted; run the same command again to go on"),
    ],
)
def test_trouble_is_one_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    *,
    trouble: BaseException,
    status: int,
    message: str,
) -> None:
    def failing(*_: object, **__: object) -> object:
        raise trouble

    monkeypatch.setattr("generators.auxsolidmath.__main__.write_set", failing)
    assert write(tmp_path) == status
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


@pytest.mark.parametrize("option", [("--easy", "-1"), ("--jobs", "0"), ("--language", "fr"), ("--hard", "x")])
def test_wrong_options_are_refused(tmp_path: Path, option: tuple[str, str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["--out_dir", str(tmp_path), *option])
    assert stopped.value.code == 2


def test_several_processes_write_the_same_set(tmp_path: Path) -> None:
    assert write(tmp_path / "one") == 0
    assert write(tmp_path / "two", "--jobs", "2") == 0
    names = {path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*.*")}
    for name in names - {next(path for path in names if path.name == "pictures.jsonl")}:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


@pytest.mark.sweep
def test_the_commonest_answers_are_seldom_right(standard_items: list[Item]) -> None:
    found = blind_shares(standard_items)
    assert found.share <= 0.05
    assert found.family_share <= 0.2


def test_a_set_without_answers_has_no_commonest(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert blind_shares([]).answer is None
    assert main(["--out_dir", str(tmp_path), "--easy", "0", "--hard", "0"]) == 0
    assert capsys.readouterr().out == f"0 items in {tmp_path}: 0 pictures drawn, 0 kept\n"
