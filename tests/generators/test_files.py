"""Whole files: the old one or the new one, never half of either."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from generators.files import write_atomically


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
