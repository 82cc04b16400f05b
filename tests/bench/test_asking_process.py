"""Asking from a process of its own: the same replies, stored there, and nobody waits for one that is gone."""

from __future__ import annotations

import asyncio
import json
import os
import pickle
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import pytest

from bench import asking_elsewhere, asking_main, asking_process
from bench.asking_elsewhere import NO_MORE, AskingError, NotBegun
from bench.asking_process import AskingProcess, start_asking
from bench.errors import UserError
from bench.frames import framed, read_frame
from bench.models.limits import ClientLimits
from bench.models.reader.model import ReaderFactory
from bench.models.store_key import StoreKey, StoreResult
from bench.models.types import Message, Request, Response
from bench.results.store import ReplyStore
from tests.bench.asking_apart import (
    KEY,
    deadly_to_askers,
    factory_for,
    filing,
    is_running,
    marked,
    soon,
    until,
)
from tests.bench.conftest import ANSWER
from tests.bench.models.asking import PICTURE, picture_ask
from tests.conftest import ROOT
from tests.loopback.answers import Answer, ReceivedRequest, json_answer
from tests.loopback.server import LoopbackServer

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from bench.models.resolve import ModelFactory
    from tests.bench.conftest import Bench, BenchRun

pytestmark = pytest.mark.skipif(os.name != "posix", reason="no process asks on Windows")


def with_process(
    factory: ModelFactory, store: Path, work: Callable[[AskingProcess], Awaitable[Any]]
) -> tuple[Any, int | None]:
    """What `work` returns, and the process's exit code after it was closed."""

    async def run() -> tuple[Any, int | None]:
        process = AskingProcess(factory, store)
        try:
            result = await asyncio.wait_for(work(process), 60)
        finally:
            await process.close()
        return result, process._process.returncode

    return asyncio.run(run())


def ask_once(
    server: LoopbackServer, store: Path, ask: Request | None = None, given: StoreKey | None = None, **how: Any
) -> StoreResult:
    async def work(process: AskingProcess) -> StoreResult:
        return await process.ask(ask or picture_ask(), given)

    filed, _ = with_process(factory_for(server, **how), store, work)
    assert isinstance(filed, StoreResult)
    return filed


def test_replies_are_those_of_a_model_asked_here(server: LoopbackServer, tmp_path: Path) -> None:
    factory = factory_for(server)

    async def here() -> Response:
        model = factory()
        reply = await model.ask(picture_ask())
        await model.close()
        return reply

    mine = asyncio.run(here())
    theirs = ask_once(server, tmp_path / "r.sqlite").reply
    assert replace(theirs, latency_s=None) == replace(mine, latency_s=None)
    assert server.requests[0].body == server.requests[1].body


def test_a_reply_is_stored_before_it_is_handed_on(server: LoopbackServer, tmp_path: Path) -> None:
    filed = ask_once(server, tmp_path / "r.sqlite", given=filing())
    with ReplyStore(tmp_path / "r.sqlite") as store:
        assert store.get("k") == filed.reply
    assert filed.received is None
    assert filed.trouble is None


@pytest.mark.parametrize("again", [False, True])
def test_another_runs_reply_counts_unless_it_is_to_be_replaced(
    server: LoopbackServer, tmp_path: Path, *, again: bool
) -> None:
    older = Response(status="answered", text="older")
    with ReplyStore(tmp_path / "r.sqlite") as store:
        store.put(older, filing())
    filed = ask_once(server, tmp_path / "r.sqlite", given=filing(replace=again))
    if again:
        assert (filed.reply.text, filed.received) == (ANSWER, None)
    else:
        assert filed.reply == older
        assert filed.received is not None
        assert filed.received.text == ANSWER


def test_a_store_that_cannot_be_written_costs_no_reply(server: LoopbackServer, tmp_path: Path) -> None:
    filed = ask_once(server, tmp_path, given=filing())
    assert filed.reply.text == ANSWER
    assert filed.trouble is not None
    assert f"reply store {tmp_path}: cannot be opened" in filed.trouble


def test_a_failure_is_handed_on_and_not_stored(server: LoopbackServer, tmp_path: Path) -> None:
    server.always(json_answer({"error": {"message": "no", "code": "x"}}, status=401))
    filed = ask_once(server, tmp_path / "r.sqlite", given=filing())
    assert (filed.reply.status, filed.reply.failure) == ("failed", "auth")
    assert not (tmp_path / "r.sqlite").exists()


def test_retries_and_adaptations_happen_there_and_are_told(server: LoopbackServer, tmp_path: Path) -> None:
    said = {
        "message": "Unsupported parameter: 'temperature'",
        "code": "unsupported_parameter",
        "param": "temperature",
    }
    server.script(
        json_answer({"error": said}, status=400), json_answer({"error": {"message": "busy"}}, status=503)
    )

    async def work(process: AskingProcess) -> tuple[Response, list[dict[str, str]]]:
        filed = await process.ask(picture_ask(), None)
        return filed.reply, process.adaptations

    (reply, adaptations), _ = with_process(
        factory_for(server, traffic=ClientLimits(retries=1)), tmp_path / "r.sqlite", work
    )
    assert (reply.status, reply.attempts) == ("answered", 3)
    assert [adaptation["field"] for adaptation in adaptations] == ["temperature"]


def test_the_key_is_sent_and_echoes_of_it_are_hidden(server: LoopbackServer, tmp_path: Path) -> None:
    def echo(request: ReceivedRequest) -> Answer:
        return json_answer({"error": {"message": f"no: {request.headers['authorization']}"}}, status=401)

    server.always(echo)
    filed = ask_once(server, tmp_path / "r.sqlite", key=KEY)
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert KEY not in repr(filed)
    assert "[key]" in str(filed.reply.error)


def test_texts_of_any_kind_and_megabytes_cross(server: LoopbackServer, tmp_path: Path) -> None:
    text = "\ud800 é \x00 \u2028 " + "x" * 3_000_000
    server.always(json_answer({"choices": [{"message": {"content": text}, "finish_reason": "stop"}]}))
    turn = Message(role="user", text="q" * 3_000_000, pictures=(PICTURE * 10_000,))
    reply = ask_once(server, tmp_path / "r.sqlite", replace(picture_ask(), turns=(turn,))).reply
    assert reply.text == text
    assert len(server.requests[0].body) > 6_000_000


def test_many_asks_at_once_each_get_their_own_reply(tmp_path: Path) -> None:
    with LoopbackServer(answer=lambda prompt: f"answer to {prompt}", latency_s=0.05) as server:

        async def work(process: AskingProcess) -> list[StoreResult]:
            return await asyncio.gather(*(process.ask(picture_ask(f"q{n}"), filing(f"k{n}")) for n in range(100)))

        factory = factory_for(server, traffic=ClientLimits(concurrency=32))
        filed, exit_code = with_process(factory, tmp_path / "r.sqlite", work)
        assert server.most_in_flight == 32
    assert [one.reply.text for one in filed] == [f"answer to q{n}" for n in range(100)]
    assert exit_code == 0
    with ReplyStore(tmp_path / "r.sqlite") as store:
        assert len(store) == 100


def test_a_fault_of_the_client_is_raised_where_the_ask_was_made(server: LoopbackServer, tmp_path: Path) -> None:
    async def work(process: AskingProcess) -> StoreResult:
        with pytest.raises(AskingError, match="TypeError: Object of type set is not JSON serializable") as raised:
            await process.ask(replace(picture_ask(), schema={"no JSON": {1, 2}}), None)
        assert "in body" in raised.value.__notes__[0] or "Traceback" in raised.value.__notes__[0]
        return await process.ask(picture_ask(), None)

    filed, _ = with_process(factory_for(server), tmp_path / "r.sqlite", work)
    assert filed.reply.text == ANSWER


def test_who_waits_for_a_process_that_is_killed_is_told(tmp_path: Path) -> None:
    with LoopbackServer(latency_s=30) as server:

        async def work(process: AskingProcess) -> tuple[StoreResult, StoreResult]:
            waiting = asyncio.create_task(process.ask(picture_ask(), filing()))
            await soon(lambda: bool(server.requests))
            process._process.send_signal(signal.SIGKILL)
            return await waiting, await process.ask(picture_ask(), filing())

        both, exit_code = with_process(factory_for(server), tmp_path / "r.sqlite", work)
    for filed in both:
        assert (filed.reply.status, filed.reply.failure) == ("failed", "network")
        assert filed.reply.error == "the process that sends requests ended by signal 9 (out of memory?)"
    assert [filed.reply.attempts for filed in both] == [1, 0]  # the second was never sent
    assert exit_code == -signal.SIGKILL


def test_a_process_that_fails_says_why_without_the_key(
    server: LoopbackServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking_process, "framed", lambda _: framed(pickle.dumps(f"no factory but {KEY}")))
    filed = ask_once(server, tmp_path / "r.sqlite", key=KEY)
    assert (filed.reply.status, filed.reply.failure) == ("failed", "network")
    assert str(filed.reply.error).startswith(
        "the process that sends requests ended with exit code 1: ValueError: too many values to unpack"
    )
    assert KEY not in repr(filed)


@pytest.mark.parametrize("message", ["[]", "{}", '{"number": 0, "adaptations": [], "filed": {}}', "no JSON"])
def test_a_message_that_cannot_be_read_lets_nobody_wait(
    server: LoopbackServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, message: str
) -> None:
    async def garbled(stream: asyncio.StreamReader) -> bytes:
        await read_frame(stream)
        return message.encode()

    monkeypatch.setattr(asking_elsewhere, "read_frame", garbled)
    monkeypatch.setattr(asking_process, "ENDING_S", 0.2)
    filed = ask_once(server, tmp_path / "r.sqlite")
    assert (filed.reply.status, filed.reply.failure) == ("failed", "network")
    assert "was ended, for what it wrote cannot be read: " in str(filed.reply.error)


class Sabotaged:
    """A model of which every ask ends in an error."""

    adaptations: ClassVar[list[dict[str, str]]] = []
    ending: ClassVar[bool] = False

    def __init__(self, error: BaseException) -> None:
        self._error = error

    async def ask(self, ask: Request, filing: StoreKey | None, *, turn: object) -> StoreResult:
        raise self._error

    def send_no_more(self, tasks: object) -> None:
        """Nothing waits."""


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (MemoryError(), "MemoryError"),
        (KeyError("usage"), "KeyError: 'usage'"),
        (UserError("the file of limits cannot be used"), "the file of limits cannot be used"),
        (asyncio.CancelledError(), "asyncio.exceptions.CancelledError"),
    ],
)
def test_whatever_ends_an_ask_the_parent_is_told(error: BaseException, line: str) -> None:
    sent: list[bytes] = []

    class Replies(asyncio.WriteTransport):
        def write(self, data: bytes | bytearray | memoryview) -> None:
            sent.append(bytes(data))

    async def answer() -> None:
        with suppress(asyncio.CancelledError):
            conversation = asking_main.Conversation(Sabotaged(error), Replies())  # type: ignore[arg-type]
            await conversation._answer(7, picture_ask(), None)

    asyncio.run(answer())
    (message,) = [json.loads(frame[4:]) for frame in sent]
    assert (message["number"], message["fault"]) == (7, line)
    assert message["of_user"] == isinstance(error, UserError)


def test_an_ask_that_comes_just_before_the_end_is_not_sent() -> None:
    """Message after message may be read before the first one's task begins."""
    sent: list[bytes] = []

    class Replies(asyncio.WriteTransport):
        def write(self, data: bytes | bytearray | memoryview) -> None:
            sent.append(bytes(data))

    async def hold() -> None:
        requests = asyncio.StreamReader()
        for message in ((7, picture_ask(), None), NO_MORE, (8, picture_ask(), None)):
            requests.feed_data(framed(pickle.dumps(message)))
        requests.feed_eof()
        conversation = asking_main.Conversation(Sabotaged(AssertionError()), Replies())  # type: ignore[arg-type]
        with suppress(asyncio.IncompleteReadError):
            await conversation.hold(requests)

    asyncio.run(hold())
    assert [json.loads(frame[4:]) for frame in sent] == [
        {"number": number, "adaptations": [], "cancelled": True} for number in (7, 8)
    ]


def test_an_error_of_the_user_is_one_there_and_one_here(server: LoopbackServer, tmp_path: Path) -> None:
    limits = tmp_path / "no folder" / "limits"

    async def work(process: AskingProcess) -> None:
        with pytest.raises(UserError, match="limits"):
            await process.ask(picture_ask(), None)

    with_process(
        factory_for(server, traffic=ClientLimits(rpm=60, shared_limits=limits)), tmp_path / "r.sqlite", work
    )


def test_what_start_up_files_print_is_no_message(
    server: LoopbackServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sitecustomize.py").write_text("print('welcome to this machine' * 9)\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert ask_once(server, tmp_path / "r.sqlite").reply.text == ANSWER


@pytest.mark.parametrize("start_up", ["while True: print('talk ' * 9999)", "sys.exit(3)"])
def test_a_process_that_never_gets_ready_has_sent_nothing(
    server: LoopbackServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, start_up: str
) -> None:
    (tmp_path / "sitecustomize.py").write_text(f"import sys\nif '-c' in sys.orig_argv:\n    {start_up}\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(asking_process, "ENDING_S", 0.2)

    async def work(process: AskingProcess) -> None:
        for _ in range(2):
            with pytest.raises(NotBegun):
                await process.ask(picture_ask(), None)

    with_process(factory_for(server), tmp_path / "r.sqlite", work)
    assert server.requests == []


def test_a_process_gets_ready_while_nobody_asks(
    server: LoopbackServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking_process, "what_it_serves", lambda *_: framed(b"what nobody can serve"))
    process = AskingProcess(factory_for(server), tmp_path / "r.sqlite")
    until(lambda: process._process.poll() is not None)
    assert "UnpicklingError" in asking_elsewhere.last_words(process._complaints)
    process.end()


def test_a_process_that_ended_before_it_was_told_what_to_serve_is_met_by_who_asks(
    server: LoopbackServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spawn = asking_process.spawn

    def spawn_and_wait(*of: Any, **how: Any) -> subprocess.Popen[bytes]:
        process = spawn(*of, **how)
        process.wait()
        return process

    monkeypatch.setattr(asking_process, "START", "")
    monkeypatch.setattr(asking_process, "spawn", spawn_and_wait)

    async def work(process: AskingProcess) -> None:
        with pytest.raises(NotBegun):
            await process.ask(picture_ask(), None)

    assert with_process(factory_for(server), tmp_path / "r.sqlite", work) == (None, 0)


def test_modules_are_found_where_the_parent_finds_them(
    server: LoopbackServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "co:lon"
    elsewhere.mkdir()
    for package in ("bench", "scorers", "generators"):
        (elsewhere / package).symlink_to(ROOT / package)
    monkeypatch.setattr(sys, "path", [str(elsewhere), *(entry for entry in sys.path if entry != str(ROOT))])
    (tmp_path / "json.py").write_text("raise ImportError('a module of the working folder')\n")
    monkeypatch.chdir(tmp_path)
    assert ask_once(server, tmp_path / "r.sqlite").reply.text == ANSWER


def test_a_cancelled_ask_is_cancelled_there(tmp_path: Path) -> None:
    with LoopbackServer(answer=lambda _: ANSWER, latency_s=30) as server:

        async def work(process: AskingProcess) -> StoreResult:
            asking = asyncio.create_task(process.ask(picture_ask(), filing()))
            await soon(lambda: bool(server.in_flight))
            asking.cancel()
            await asyncio.wait([asking])
            assert asking.cancelled()
            server.latency_s = 0.0
            return await asyncio.wait_for(process.ask(picture_ask(), filing()), 20)

        factory = factory_for(server, traffic=ClientLimits(concurrency=1, request_timeout_s=60))
        filed, _ = with_process(factory, tmp_path / "r.sqlite", work)
    assert filed.reply.text == ANSWER


def test_closing_ends_the_process_at_any_time(
    server: LoopbackServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking_process, "ENDING_S", 30.0)

    async def at_once(process: AskingProcess) -> None:
        await process.close()

    def while_connecting(steps: int) -> Callable[[AskingProcess], Awaitable[None]]:
        async def work(process: AskingProcess) -> None:
            asking = asyncio.create_task(process.ask(picture_ask(), None))
            for _ in range(steps):
                await asyncio.sleep(0)
            asking.cancel()
            await process.close()

        return work

    async def in_flight(process: AskingProcess) -> None:
        server.latency_s = 30
        asking = asyncio.create_task(process.ask(picture_ask(), None))
        await soon(lambda: bool(server.in_flight))
        await process.close()
        asking.cancel()

    for work in (at_once, *map(while_connecting, range(12)), in_flight):
        _, exit_code = with_process(factory_for(server), tmp_path / "r.sqlite", work)
        assert exit_code == 0


def test_a_process_that_nobody_asked_can_be_ended_without_a_loop(server: LoopbackServer, tmp_path: Path) -> None:
    process = AskingProcess(factory_for(server), tmp_path / "r.sqlite")
    process.end()
    process.end()
    assert process._process.returncode == 0


PARENT = """
import asyncio, sys
from pathlib import Path
from bench.asking_process import AskingProcess
from bench.models.resolve import resolve
from tests.bench.asking_apart import filing
from tests.bench.models.asking import picture_ask

async def main():
    process = AskingProcess(resolve("http:m", api_base=sys.argv[1]), Path(sys.argv[2]))
    print(process._process.pid, flush=True)
    await process.ask(picture_ask(), filing())

asyncio.run(main())
"""


def test_the_process_ends_with_its_parent_and_files_what_was_under_way(tmp_path: Path) -> None:
    with LoopbackServer(answer=lambda _: ANSWER, latency_s=1) as server:
        command = [sys.executable, "-c", PARENT, server.base, str(tmp_path / "r.sqlite")]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as parent:
            assert parent.stdout is not None
            child = int(parent.stdout.readline())
            until(lambda: bool(server.in_flight))
            parent.kill()
        until(lambda: not is_running(child))
    with ReplyStore(tmp_path / "r.sqlite") as store:
        assert len(store) == 1


@pytest.mark.parametrize("obstacle", ["one core", "Windows", "no process", "no server"])
def test_none_is_started_where_it_cannot_help(
    server: LoopbackServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, obstacle: str
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError("Resource temporarily unavailable")

    if obstacle == "one core":
        monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0}, raising=False)
    elif obstacle == "Windows":
        monkeypatch.setattr(os, "name", "nt")
    elif obstacle == "no process":
        monkeypatch.setattr(subprocess, "Popen", refuse)
    factory = ReaderFactory() if obstacle == "no server" else factory_for(server)
    store = tmp_path / "r.sqlite"
    process = start_asking(factory, store)
    monkeypatch.undo()
    assert process is None


# ---- whole runs


def run(bench: Bench, server: LoopbackServer, *options: str, **variables: str) -> BenchRun:
    """A short run that processes of their own ask."""
    return bench(*live(server, *options), PYTHONPATH=str(ROOT), **variables)


def live(server: LoopbackServer, *options: str) -> tuple[str, ...]:
    return (
        "-p",
        "tests.bench.always_apart",
        "--limit",
        "10",
        "--model",
        "http:fake",
        "--api-base",
        server.base,
        *options,
    )


def test_a_run_gives_the_records_of_one_without_the_process_and_asks_nothing_twice(
    bench: Bench, server: LoopbackServer
) -> None:
    apart = run(bench, server, "--replies", "apart.sqlite")
    here = bench("--limit", "10", "--model", "http:fake", "--api-base", server.base, "--replies", "here.sqlite")
    assert apart.raw() == here.raw()
    assert [apart.manifest[part] for part in ("replies", "tokens", "cost_usd") if part in apart.manifest] == [
        here.manifest[part] for part in ("replies", "tokens", "cost_usd") if part in here.manifest
    ]
    again = run(bench, server, "--replies", "apart.sqlite")
    assert len(server.requests) == 20
    assert again.raw() == apart.raw()
    assert again.manifest["replies"]["from_store"] == 10


def test_a_refused_key_stops_the_run_with_one_line(bench: Bench, server: LoopbackServer) -> None:
    server.always(json_answer({"error": {"message": f"bad key {KEY}", "code": "x"}}, status=401))
    stopped = run(bench, server, "--concurrency", "2", EYECHART_API_KEY=KEY)
    assert "fake: the server answered 401 (x): bad key [key]" in stopped.out
    assert KEY not in stopped.out + stopped.err
    assert len(server.requests) < 10


@pytest.mark.skipif(not Path("/proc/self/environ").is_file(), reason="looks for processes in /proc")
def test_an_interrupted_run_keeps_what_was_answered_and_leaves_no_process(
    bench: Bench, server: LoopbackServer, tmp_path: Path
) -> None:
    server.latency_s = 0.5
    process = bench.start(
        *live(server, "--concurrency", "1", "--out", "cut", "--replies", "cut.sqlite"),
        PYTHONPATH=str(ROOT),
        EYECHART_MARK=str(tmp_path),
    )
    until(lambda: len(server.requests) >= 3)
    assert len(marked(str(tmp_path))) == 2
    os.killpg(process.pid, signal.SIGINT)
    cut = bench.finish(process, bench.folder / "cut")
    assert marked(str(tmp_path)) == []
    assert cut.code == pytest.ExitCode.INTERRUPTED
    assert "the same command goes on from there" in cut.out
    asked = len(server.requests)
    until(lambda: server.in_flight == 0)
    with ReplyStore(bench.folder / "cut.sqlite") as store:
        assert asked - 1 <= len(store) <= asked
    server.latency_s = 0.0
    whole = run(bench, server, "--out", "cut", "--replies", "cut.sqlite")
    assert whole.manifest["complete"] is True


def test_a_selection_of_nothing_ends_the_process_that_was_started_ahead(
    bench: Bench, server: LoopbackServer
) -> None:
    nothing = run(bench, server, "-m", "plotchain and hard")
    assert nothing.code == pytest.ExitCode.NO_TESTS_COLLECTED
    assert server.requests == []
    assert nothing.err == ""


def test_where_no_process_gets_ready_the_run_asks_itself(
    bench: Bench, server: LoopbackServer, tmp_path: Path
) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys\nif '-c' in sys.orig_argv:\n    sys.exit(3)\n")
    found = bench(*live(server), PYTHONPATH=os.pathsep.join([str(tmp_path), str(ROOT)]))
    assert found.manifest["complete"] is True
    assert len(server.requests) == 10


def test_asks_after_the_process_is_gone_are_not_counted_as_sent(bench: Bench, server: LoopbackServer) -> None:
    server.always(deadly_to_askers(str(bench.folder)))
    stopped = run(bench, server, "--concurrency", "1", EYECHART_MARK=str(bench.folder))
    assert stopped.code == pytest.ExitCode.INTERRUPTED
    assert "fake: the process that sends requests ended by signal 9 (out of memory?)" in stopped.out
    assert len(server.requests) == 1
    assert stopped.manifest["asked"]["fake"]["asks"] == 1


@pytest.mark.parametrize(
    "options",
    [
        ("--repeats", "2"),
        ("--model", "http:second"),
        ("--fresh",),
        ("--rpm", "6000"),
        ("-x",),
    ],
    ids=" ".join,
)
def test_options_give_what_they_give_without_the_process(
    bench: Bench, server: LoopbackServer, options: tuple[str, ...]
) -> None:
    apart = run(bench, server, "--replies", "apart.sqlite", "--concurrency", "1", *options)
    asked = len(server.requests)
    here = bench(*live(server)[2:], "--replies", "here.sqlite", "--concurrency", "1", *options)
    assert apart.raw() == here.raw()
    assert apart.code == here.code
    if "-x" not in options:  # how far it asked ahead is a matter of timing
        assert len(server.requests) == 2 * asked
