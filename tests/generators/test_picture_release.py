"""Pictures on several cores: processes only when there is work for two, and Ctrl-C is the parent's."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

from generators import picture_release

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


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
