from __future__ import annotations

import multiprocessing
import sqlite3
import threading
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bench.errors import DataError, UserError
from bench.models.store_key import StoreKey, reply_key
from bench.models.types import Message, Request, Response, SamplingParams, Usage
from bench.results import store as store_module
from bench.results.store import ReplyStore

if TYPE_CHECKING:
    from multiprocessing.synchronize import Barrier

IDENTITY = {"provider": "http", "endpoint": "http://127.0.0.1/v1", "name": "m", "client": "1"}


def an_ask(text: str = "read it", picture: bytes = b"png", repeat: int = 0) -> Request:
    return Request(
        messages=(Message(role="user", text=text, pictures=(picture,)),), sampling=SamplingParams(), repeat=repeat
    )


def a_reply(text: str = '{"a": 1}') -> Response:
    return Response(
        status="answered",
        text=text,
        usage=Usage(input_tokens=7, output_tokens=2),
        latency_s=0.5,
        attempts=2,
        pictures=(b"\x89PNG",),
    )


def put(store: ReplyStore, key: str, reply: Response) -> None:
    store.put(reply, StoreKey(key=key, identity=IDENTITY, case_id="step_response_000", repeat=0))


def test_what_was_put_comes_back_equal(tmp_path: Path) -> None:
    with ReplyStore(tmp_path / "deep" / "replies.sqlite") as store:
        put(store, "k", a_reply("é \x00 \U0001f600"))
        assert store.get("k") == a_reply("é \x00 \U0001f600")
        assert store.get("other") is None
        assert len(store) == 1


def test_put_says_whether_the_reply_was_written(tmp_path: Path) -> None:
    with ReplyStore(tmp_path / "r.sqlite") as store:
        written = [
            store.put(a_reply(text), StoreKey(key="k", identity=IDENTITY, case_id="c", repeat=0, replace=replace))
            for text, replace in (("first", False), ("second", False), ("third", True))
        ]
        assert written == [True, False, True]
        assert store.get("k") == a_reply("third")


@pytest.mark.parametrize("status", ["refused", "truncated"])
def test_refused_and_truncated_replies_are_kept(tmp_path: Path, status: str) -> None:
    reply = Response(status=status)  # type: ignore[arg-type]
    with ReplyStore(tmp_path / "r.sqlite") as store:
        put(store, "k", reply)
        assert store.get("k") == reply


def test_a_failure_is_never_stored(tmp_path: Path) -> None:
    with ReplyStore(tmp_path / "r.sqlite") as store:
        with pytest.raises(ValueError, match="a failure is not a reply"):
            put(store, "k", Response(status="failed", failure="server", error="503"))
        assert store.get("k") is None


@pytest.mark.parametrize(
    ("identity", "ask"),
    [
        (IDENTITY | {"name": "n"}, an_ask()),
        (IDENTITY | {"provider": "openai"}, an_ask()),
        (IDENTITY | {"endpoint": "http://127.0.0.1:2/v1"}, an_ask()),
        (IDENTITY | {"client": "2"}, an_ask()),
        (IDENTITY, an_ask(text="read it ")),
        (IDENTITY, an_ask(picture=b"png2")),
        (IDENTITY, an_ask(repeat=1)),
        (IDENTITY, Request(messages=an_ask().messages, sampling=SamplingParams(temperature=0.5))),
        (IDENTITY, Request(messages=an_ask().messages, sampling=SamplingParams(max_tokens=5))),
        (IDENTITY, Request(messages=an_ask().messages, sampling=SamplingParams(image_detail="low"))),
        (IDENTITY, Request(messages=an_ask().messages, sampling=SamplingParams(reasoning_effort="low"))),
        (IDENTITY, Request(messages=an_ask().messages, sampling=SamplingParams(), schema={"type": "object"})),
        (IDENTITY, Request(messages=(*an_ask().messages, *an_ask().messages), sampling=SamplingParams())),
    ],
)
def test_whatever_can_change_a_reply_changes_the_key(identity: dict[str, str], ask: Request) -> None:
    assert reply_key(identity, ask, "a_000") != reply_key(IDENTITY, an_ask(), "a_000")


def test_copies_of_a_picture_are_samples_of_their_own() -> None:
    assert reply_key(IDENTITY, an_ask(), "a_000") != reply_key(IDENTITY, an_ask(), "a_001")


def test_the_key_does_not_depend_on_the_order_of_the_identity() -> None:
    assert reply_key(dict(reversed(IDENTITY.items())), an_ask(), "a") == reply_key(IDENTITY, an_ask(), "a")


def test_a_foreign_sqlite_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "foreign.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE mine (x)")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(UserError, match="of another program; it was left as it is"):
        ReplyStore(path)
    assert path.read_bytes() == before


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("these are my notes, and they are long enough to be looked at as a header\n" * 50)
    before = path.read_bytes()
    with pytest.raises(UserError, match=r"not usable .*left as it is"):
        ReplyStore(path)
    assert path.read_bytes() == before


def test_a_store_of_a_newer_format_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite"
    ReplyStore(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version=99")
    connection.close()
    with pytest.raises(UserError, match="format 99, this version reads 1"):
        ReplyStore(path)


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match=r"cannot be opened .*--replies"):
        ReplyStore(tmp_path / "file" / "r.sqlite")


@pytest.mark.parametrize("reply", ["{", "[" * 100_000, "[]", '{"status": "answered"}', '{"status": 3}'])
def test_a_damaged_row_names_its_case_and_the_way_out(tmp_path: Path, reply: str) -> None:
    path = tmp_path / "r.sqlite"
    with ReplyStore(path) as store:
        put(store, "k", a_reply())
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE reply SET reply = ?", (reply,))
    connection.close()
    with ReplyStore(path) as store, pytest.raises(DataError, match=r"step_response_000 is damaged.*--fresh"):
        store.get("k")


def test_a_full_disk_is_one_line_and_keeps_what_was_stored(tmp_path: Path) -> None:
    with ReplyStore(tmp_path / "r.sqlite") as store:
        put(store, "kept", a_reply())
        store._connection.execute("PRAGMA max_page_count=4")
        with pytest.raises(UserError, match=r"cannot be written .*full"):
            put(store, "lost", a_reply("x" * 100_000))
        assert store.get("kept") == a_reply()


def test_closing_waits_for_another_threads_work(tmp_path: Path) -> None:
    store = ReplyStore(tmp_path / "r.sqlite")
    closing_thread = threading.Thread(target=store.close)
    with store._lock:  # as while a reply is written: SQLite does not survive that its file is closed then
        closing_thread.start()
        closing_thread.join(0.1)
        assert closing_thread.is_alive()
        assert len(store) == 0
    closing_thread.join(10)
    assert not closing_thread.is_alive()
    store.close()


@pytest.mark.parametrize("lock", ["BEGIN", "BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"])
def test_a_store_that_another_process_is_just_opening_is_waited_for(tmp_path: Path, lock: str) -> None:
    path = tmp_path / "r.sqlite"
    ReplyStore(path).close()
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("PRAGMA journal_mode=DELETE")
        other.execute(lock)
        other.execute("SELECT count(*) FROM reply").fetchone()
        waking = threading.Timer(0.3, other.execute, ["COMMIT"])
        waking.start()
        with ReplyStore(path) as store:
            put(store, "k", a_reply())
            assert store.get("k") == a_reply()
        waking.join()


def test_a_store_that_stays_locked_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "BUSY_TIMEOUT_S", 0.1)
    path = tmp_path / "r.sqlite"
    ReplyStore(path).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode=DELETE")
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM reply").fetchone()
        with pytest.raises(UserError, match=r"not usable \(database is locked\).*--replies"):
            ReplyStore(path)


def _fill(path: str, name: str, count: int) -> None:
    with ReplyStore(Path(path)) as store:
        for number in range(count):
            put(store, f"{name}-{number}", a_reply(name))


def _open_at_once(folder: str, number: int, stores: int, together: Barrier) -> None:
    for place in range(stores):
        together.wait(60)
        with ReplyStore(Path(folder) / f"{place}.sqlite") as store:
            put(store, f"w{number}", a_reply())


@pytest.mark.parametrize(("starters_n", "stores"), [(3, 10), pytest.param(4, 60, marks=pytest.mark.sweep)])
def test_a_new_store_can_be_opened_by_many_at_the_same_moment(
    tmp_path: Path, starters_n: int, stores: int
) -> None:
    context = multiprocessing.get_context("spawn")
    together = context.Barrier(starters_n)
    starters = [
        context.Process(target=_open_at_once, args=(str(tmp_path), n, stores, together)) for n in range(starters_n)
    ]
    for starter in starters:
        starter.start()
    for starter in starters:
        starter.join()
    assert [starter.exitcode for starter in starters] == [0] * starters_n


@pytest.mark.parametrize("writers_n", [2, pytest.param(4, marks=pytest.mark.sweep)])
def test_processes_that_open_and_write_at_once_lose_nothing(tmp_path: Path, writers_n: int) -> None:
    path = tmp_path / "r.sqlite"
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_fill, args=(str(path), f"w{n}", 40)) for n in range(writers_n)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0] * writers_n
    with ReplyStore(path) as store:
        assert len(store) == 40 * writers_n
