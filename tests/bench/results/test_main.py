from __future__ import annotations

import json
import sqlite3
from typing import TYPE_CHECKING

import pytest

from bench.models.store_key import StoreKey
from bench.models.types import Response
from bench.results.__main__ import main
from bench.results.store import ReplyStore

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "replies.sqlite"
    with ReplyStore(path) as store:
        for number, (name, reply) in enumerate(
            [
                ("small", Response(status="answered", text="{}")),
                ("small", Response(status="answered", text='{"a": "\u00e9"}')),
                ("large", Response(status="refused")),
            ]
        ):
            identity = {"provider": "http", "name": name}
            store.put(reply, StoreKey(key=f"k{number}", identity=identity, case_id=f"c{number}", repeat=0))
    return path


def test_list_counts_by_model_and_status(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "--replies", str(path)]) == 0
    assert [line.split() for line in capsys.readouterr().out.splitlines()[1:]] == [
        ["1", "http:large", "refused"],
        ["2", "http:small", "answered"],
    ]


@pytest.mark.parametrize(("model", "count"), [([], 3), (["--model", "small"], 2), (["--model", "http:large"], 1)])
def test_export_writes_what_is_chosen(path: Path, tmp_path: Path, model: list[str], count: int) -> None:
    target = tmp_path / "out.jsonl"
    assert main(["export", "--replies", str(path), "--to", str(target), *model]) == 0
    rows = [json.loads(line) for line in target.read_text("utf-8").splitlines()]
    assert len(rows) == count
    assert {"key", "case_id", "repeat", "stored_at", "identity", "reply"} == set(rows[0])


@pytest.mark.parametrize("how", ["itself", "through a link", "a second name", "its log"])
def test_export_does_not_overwrite_the_store(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], how: str
) -> None:
    target = tmp_path / "target"
    if how == "through a link":
        target.symlink_to(path)
    elif how == "a second name":
        target.hardlink_to(path)
    else:
        target = path if how == "itself" else path.with_name(f"{path.name}-wal")
    before = path.read_bytes()
    assert main(["export", "--replies", str(path), "--to", str(target)]) == 1
    assert "is the reply store itself; name another file" in capsys.readouterr().err
    assert path.read_bytes() == before


def test_prune_only_counts_until_told_to_delete(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prune", "--replies", str(path), "--model", "small"]) == 0
    assert "2 replies would be deleted" in capsys.readouterr().out
    with ReplyStore(path) as store:
        assert len(store) == 3
    assert main(["prune", "--replies", str(path), "--model", "small", "--yes"]) == 0
    with ReplyStore(path) as store:
        assert len(store) == 1
        assert store.get("k2") == Response(status="refused")


def test_prune_spares_what_is_young_enough(path: Path) -> None:
    assert main(["prune", "--replies", str(path), "--older-than-days", "1", "--yes"]) == 0
    with ReplyStore(path) as store:
        assert len(store) == 3
    assert main(["prune", "--replies", str(path), "--older-than-days", "0", "--yes"]) == 0
    with ReplyStore(path) as store:
        assert len(store) == 0


def test_a_store_that_is_not_there_is_not_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    absent = tmp_path / "absent.sqlite"
    assert main(["list", "--replies", str(absent)]) == 1
    assert f"no reply store at {absent}" in capsys.readouterr().err
    assert not absent.exists()


def test_prune_without_a_choice_deletes_nothing(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prune", "--replies", str(path), "--yes"]) == 1
    assert "--all for every reply that was paid for" in capsys.readouterr().err
    with ReplyStore(path) as store:
        assert len(store) == 3
    assert main(["prune", "--replies", str(path), "--all", "--yes"]) == 0


@pytest.mark.parametrize("days", ["nan", "inf", "-1", "x"])
def test_an_age_that_is_no_age_is_refused(path: Path, days: str) -> None:
    with pytest.raises(SystemExit):
        main(["prune", "--replies", str(path), "--older-than-days", days, "--yes"])
    with ReplyStore(path) as store:
        assert len(store) == 3


def test_an_empty_file_is_no_store_and_stays_empty(tmp_path: Path) -> None:
    (tmp_path / "empty").write_bytes(b"")
    assert main(["list", "--replies", str(tmp_path / "empty")]) == 1
    assert (tmp_path / "empty").stat().st_size == 0


def test_a_store_without_its_columns_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "r.sqlite"
    ReplyStore(path).close()
    connection = sqlite3.connect(path)
    connection.execute("DROP TABLE reply")
    connection.execute("CREATE TABLE reply (x)")
    connection.close()
    assert main(["list", "--replies", str(path)]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_a_file_that_cannot_be_written_is_one_line(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    assert main(["export", "--replies", str(path), "--to", str(tmp_path / "file" / "x.jsonl")]) == 1
    assert capsys.readouterr().err.count("\n") == 1
