"""Picture sets on several cores, and the numbers and the progress of their command lines."""

from __future__ import annotations

import argparse
import signal
from typing import TYPE_CHECKING

import pytest

from generators import picture_release
from generators.picture_release import at_least, tell_pictures

if TYPE_CHECKING:
    from pathlib import Path


def test_nothing_to_draw_needs_no_drawing_process(tmp_path: Path) -> None:
    ledger = tmp_path / "pictures.jsonl"
    assert picture_release.pictures_to_draw([], ledger) == []
    assert list(picture_release.draw_pictures([], ledger, processes=2)) == []


def test_a_drawing_process_leaves_ctrl_c_to_its_parent(monkeypatch: pytest.MonkeyPatch) -> None:
    handlers: dict[int, object] = {}
    prepared: list[str] = []
    monkeypatch.setattr("generators.picture_release.signal.signal", handlers.__setitem__)

    picture_release._start_worker(None)
    picture_release._start_worker(lambda: prepared.append("once"))

    assert handlers == {signal.SIGINT: signal.SIG_IGN}
    assert prepared == ["once"]


@pytest.mark.parametrize("least", [0, 1])
def test_numbers_from_the_least_on_are_taken(least: int) -> None:
    assert [at_least(least)(str(least)), at_least(least)("30")] == [least, 30]


@pytest.mark.parametrize(
    ("least", "text", "fault"),
    [
        (0, "-1", "must be at least 0, got -1"),
        (1, "0", "must be at least 1, got 0"),
        (1, "x", "must be a whole number, got 'x'"),
        (1, "1.5", "must be a whole number, got '1.5'"),
    ],
)
def test_other_texts_are_refused_with_a_reason(least: int, text: str, fault: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match=f"^{fault}$"):
        at_least(least)(text)


def test_a_terminal_rewrites_one_line_for_every_step(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    for done in (4, 8, 9):
        tell_pictures(done, 9)
    assert capsys.readouterr().err == "4 of 9 pictures\r8 of 9 pictures\r9 of 9 pictures\n"


def test_a_log_gets_one_line_at_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    for done in (4, 8, 9):
        tell_pictures(done, 9)
    assert capsys.readouterr().err == "9 of 9 pictures\n"
