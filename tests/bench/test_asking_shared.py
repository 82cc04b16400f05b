"""One process asks for all workers: each gets its own replies, and none waits for a process that is gone."""

from __future__ import annotations

import asyncio
import os
import signal
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bench import asking_shared
from bench.asking_elsewhere import NotBegun
from bench.asking_shared import AskingShared, SharedProcess, reach, share_asking
from bench.frames import framed
from bench.models.limits import ClientLimits
from bench.models.reader.model import ReaderFactory
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
from tests.bench.models.asking import picture_ask
from tests.conftest import ROOT
from tests.loopback.answers import json_answer
from tests.loopback.server import LoopbackServer

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from bench.models.resolve import ModelFactory
    from bench.models.store_key import StoreResult
    from tests.bench.conftest import Bench, BenchRun

pytestmark = pytest.mark.skipif(os.name != "posix", reason="no process asks on Windows")


def with_workers(
    factory: ModelFactory,
    store: Path,
    work: Callable[[list[AskingShared], SharedProcess], Awaitable[Any]],
    *,
    workers: int = 2,
) -> Any:
    """What `work` returns that asks as so many workers do."""
    process = share_asking(factory, store, workers=workers)
    assert process is not None

    async def run() -> Any:
        asking = [AskingShared(process.address, factory.key) for _ in range(workers)]
        try:
            return await asyncio.wait_for(work(asking, process), 60)
        finally:
            await asyncio.gather(*(one.close() for one in asking))

    try:
        return asyncio.run(run())
    finally:
        process.end()


def test_each_worker_gets_its_own_replies_which_are_stored(tmp_path: Path) -> None:
    with LoopbackServer(answer=lambda prompt: f'{{"prompt": "{prompt[-20:]}"}}') as server:

        async def work(asking: list[AskingShared], _: SharedProcess) -> list[list[StoreResult]]:
            async def one_after_the_other(number: int) -> list[StoreResult]:
                asks = [
                    (picture_ask(f"worker {number} item {item:02}"), filing(f"{number}-{item}"))
                    for item in range(20)
                ]
                return [await asking[number].ask(*ask) for ask in asks]

            return await asyncio.gather(*map(one_after_the_other, range(4)))

        found = with_workers(factory_for(server), tmp_path / "r.sqlite", work, workers=4)
    for number, replies in enumerate(found):
        for item, filed in enumerate(replies):
            assert f"worker {number} item {item:02}" in str(filed.reply.text)
    with ReplyStore(tmp_path / "r.sqlite") as store:
        assert len(store) == 80


def test_as_many_asks_are_in_flight_as_there_are_workers(tmp_path: Path) -> None:
    with LoopbackServer(answer=lambda _: ANSWER, latency_s=0.3) as server:

        async def work(asking: list[AskingShared], _: SharedProcess) -> list[StoreResult]:
            return await asyncio.gather(*(one.ask(picture_ask(), None) for one in asking))

        narrow = ClientLimits(concurrency=1, retries=0)
        with_workers(factory_for(server, traffic=narrow), tmp_path / "r.sqlite", work, workers=3)
        assert server.most_in_flight == 3


def test_what_one_worker_finds_refused_no_other_sends(server: LoopbackServer, tmp_path: Path) -> None:
    refusal = {"error": {"message": "temperature is not supported", "param": "temperature"}}
    server.script(json_answer(refusal, status=400))

    async def work(asking: list[AskingShared], _: SharedProcess) -> list[list[dict[str, str]]]:
        for one in asking:
            await one.ask(picture_ask(), None)
        return [one.adaptations for one in asking]

    first, second = with_workers(factory_for(server), tmp_path / "r.sqlite", work)
    assert len(server.requests) == 3
    assert first == second != []


def test_who_waits_for_a_process_that_is_killed_is_told(tmp_path: Path) -> None:
    with LoopbackServer(latency_s=30) as server:

        async def work(asking: list[AskingShared], process: SharedProcess) -> list[StoreResult]:
            one, other = asking
            waiting = asyncio.create_task(one.ask(picture_ask(), None))
            await soon(lambda: bool(server.requests))
            process._process.send_signal(signal.SIGKILL)
            told = [await waiting, await one.ask(picture_ask(), None)]
            with pytest.raises(NotBegun):
                await other.ask(picture_ask(), None)
            return told

        both = with_workers(factory_for(server), tmp_path / "r.sqlite", work)
    for filed in both:
        assert (filed.reply.status, filed.reply.failure) == ("failed", "network")
        assert filed.reply.error == "the process that sends requests for all workers is gone: out of memory?"
    assert [filed.reply.attempts for filed in both] == [1, 0]  # the second was never sent


def test_a_process_that_fails_says_why_without_the_key(tmp_path: Path) -> None:
    with LoopbackServer(latency_s=30) as server:

        async def work(asking: list[AskingShared], process: SharedProcess) -> StoreResult:
            waiting = asyncio.create_task(asking[0].ask(picture_ask(), None))
            await soon(lambda: bool(server.requests))
            process.address.with_name("complaints").write_text(f"a warning\nno room for {KEY}\n")
            process._process.send_signal(signal.SIGABRT)
            return await waiting

        filed = with_workers(factory_for(server, key=KEY), tmp_path / "r.sqlite", work)
    assert filed.reply.error == "the process that sends requests for all workers is gone: no room for [key]"


@pytest.mark.parametrize("start_up", ["sys.exit(3)", "sys.stderr.close(); import os; os.kill(os.getpid(), 9)"])
def test_a_process_that_never_gets_ready_has_sent_nothing(
    server: LoopbackServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, start_up: str
) -> None:
    (tmp_path / "sitecustomize.py").write_text(f"import sys\nif '-c' in sys.orig_argv:\n    {start_up}\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    async def work(asking: list[AskingShared], _: SharedProcess) -> None:
        for one in (*asking, *asking):
            with pytest.raises(NotBegun):
                await one.ask(picture_ask(), None)

    with_workers(factory_for(server), tmp_path / "r.sqlite", work)
    assert server.requests == []


def test_what_a_worker_that_goes_has_under_way_is_filed(tmp_path: Path) -> None:
    with LoopbackServer(answer=lambda _: ANSWER, latency_s=0.6) as server:

        async def work(asking: list[AskingShared], _: SharedProcess) -> StoreResult:
            leaving, staying = asking
            left = [asyncio.create_task(leaving.ask(picture_ask(), filing(f"left {n}"))) for n in range(2)]
            stayed = asyncio.create_task(staying.ask(picture_ask(), filing("stayed")))
            await soon(lambda: server.in_flight == 2)
            for transport in leaving._transports:
                transport.abort()  # type: ignore[attr-defined]
            filed = await stayed
            await asyncio.wait(left)
            return filed

        filed = with_workers(factory_for(server), tmp_path / "r.sqlite", work)
    assert filed.reply.text == ANSWER
    with ReplyStore(tmp_path / "r.sqlite") as store:
        assert len(store) == 2


def test_asks_that_a_worker_gives_up_are_cancelled(tmp_path: Path) -> None:
    with LoopbackServer(answer=lambda _: ANSWER, latency_s=30) as server:

        async def work(asking: list[AskingShared], process: SharedProcess) -> SharedProcess:
            asked = asyncio.create_task(asking[0].ask(picture_ask(), filing()))
            await soon(lambda: bool(server.in_flight))
            await asking[0].close()
            asked.cancel()
            return process

        process = with_workers(factory_for(server), tmp_path / "r.sqlite", work)
    assert process._process.returncode == 0  # it had nothing to wait for


def test_ending_it_waits_a_while_for_what_is_under_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with LoopbackServer(answer=lambda _: ANSWER, latency_s=1) as server:
        process = SharedProcess(factory_for(server), tmp_path / "r.sqlite")
        assert stat.S_IMODE(process.address.parent.stat().st_mode) == 0o700
        _, sent_in_vain = asyncio.run(ended_while_asked(process, server))
        assert len(server.requests) == 1
        assert sent_in_vain == []
    with ReplyStore(tmp_path / "r.sqlite") as store:
        assert len(store) == 1
    process.end()
    assert process._process.returncode == 0
    assert not process.address.parent.exists()

    monkeypatch.setattr(asking_shared, "PATIENCE_S", 0.5)
    with LoopbackServer(latency_s=60) as server:
        process = SharedProcess(factory_for(server), tmp_path / "r.sqlite")
        (lost, *_), _ = asyncio.run(ended_while_asked(process, server))
    assert lost.reply.failure == "network"
    assert process._process.returncode == -signal.SIGKILL
    assert not process.address.parent.exists()


async def ended_while_asked(process: SharedProcess, server: LoopbackServer) -> tuple[list[Any], list[Any]]:
    """What came of an ask that was under way when the process was ended, and of one that was not sent yet."""
    asking = AskingShared(process.address, None)
    waiting = [asyncio.create_task(asking.ask(picture_ask(), filing(key))) for key in "ab"]
    await soon(lambda: bool(server.in_flight))
    await asyncio.to_thread(process.end)
    done, _ = await asyncio.wait(waiting, timeout=20)
    await asking.close()
    sent = [one.result() for one in waiting if one in done and not one.cancelled()]
    return sent, [filed for filed in sent[1:] if filed.reply.status == "answered"]


def test_a_worker_that_stops_gets_what_is_under_way_and_sends_nothing_more(tmp_path: Path) -> None:
    with LoopbackServer(answer=lambda _: ANSWER, latency_s=0.5) as server:

        async def work(asking: list[AskingShared], _: SharedProcess) -> tuple[StoreResult, bool]:
            stopping = asking[0]
            first, second = (asyncio.create_task(stopping.ask(picture_ask(), filing(key))) for key in "ab")
            await soon(lambda: bool(server.in_flight))
            stopping.send_no_more()
            await asyncio.wait([first, second])
            return first.result(), second.cancelled()

        filed, cancelled = with_workers(factory_for(server), tmp_path / "r.sqlite", work)
    assert filed.reply.text == ANSWER
    assert cancelled
    assert len(server.requests) == 1


def test_when_the_run_ends_no_worker_sends_anything_more(tmp_path: Path) -> None:
    with LoopbackServer(answer=lambda _: ANSWER, latency_s=0.5) as server:

        async def work(asking: list[AskingShared], process: SharedProcess) -> tuple[StoreResult, list[bool]]:
            one, other = asking
            first, second = (asyncio.create_task(one.ask(picture_ask(), filing(key))) for key in "ab")
            await soon(lambda: bool(server.in_flight))
            process.send_no_more()
            await asyncio.wait([first, second])
            late = asyncio.create_task(other.ask(picture_ask(), filing("c")))
            await asyncio.wait([late])
            return first.result(), [second.cancelled(), late.cancelled()]

        filed, cancelled = with_workers(factory_for(server), tmp_path / "r.sqlite", work)
    assert filed.reply.text == ANSWER
    assert cancelled == [True, True]
    assert len(server.requests) == 1


def test_a_retry_is_not_sent_after_the_end(tmp_path: Path) -> None:
    with LoopbackServer(answer=lambda _: ANSWER, latency_s=0.5) as server:
        busy = json_answer({"error": {"message": "busy"}}, status=503)
        server.always(replace(busy, headers={**busy.headers, "retry-after": "60"}))

        async def work(asking: list[AskingShared], _: SharedProcess) -> bool:
            asked = asyncio.create_task(asking[0].ask(picture_ask(), filing()))
            await soon(lambda: bool(server.in_flight))
            asking[0].send_no_more()
            await asyncio.wait([asked], timeout=20)
            return asked.cancelled()

        assert with_workers(factory_for(server, traffic=ClientLimits(retries=3)), tmp_path / "r.sqlite", work)
    assert len(server.requests) == 1


def test_a_message_that_cannot_be_read_ends_its_conversation_and_no_other(
    server: LoopbackServer, tmp_path: Path
) -> None:
    async def work(asking: list[AskingShared], _: SharedProcess) -> tuple[StoreResult, StoreResult]:
        broken, other = asking
        await broken.ask(picture_ask(), None)
        broken._transports[0].write(framed(b"no pickle"))  # type: ignore[attr-defined]
        return await broken.ask(picture_ask(), None), await other.ask(picture_ask(), None)

    told, answered = with_workers(factory_for(server), tmp_path / "r.sqlite", work)
    assert (told.reply.status, told.reply.failure) == ("failed", "network")
    assert answered.reply.text == ANSWER


PARENT = """
import asyncio, sys
from pathlib import Path
from bench.asking_shared import AskingShared, SharedProcess
from bench.models.resolve import resolve
from tests.bench.asking_apart import filing
from tests.bench.models.asking import picture_ask

process = SharedProcess(resolve("http:m", api_base=sys.argv[1]), Path(sys.argv[2]))
print(process._process.pid, flush=True)
asyncio.run(AskingShared(process.address, None).ask(picture_ask(), filing()))
"""


def test_the_process_ends_with_its_parent_files_what_was_under_way_and_leaves_no_folder(tmp_path: Path) -> None:
    passing = tmp_path / "t"
    passing.mkdir()
    with LoopbackServer(answer=lambda _: ANSWER, latency_s=1) as server:
        command = [sys.executable, "-c", PARENT, server.base, str(tmp_path / "r.sqlite")]
        environ = {**os.environ, "TMPDIR": str(passing)}
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environ) as parent:
            assert parent.stdout is not None
            child = int(parent.stdout.readline())
            until(lambda: bool(server.in_flight))
            assert len(list(passing.iterdir())) == 1
            parent.kill()
        until(lambda: not is_running(child))
    assert list(passing.iterdir()) == []
    with ReplyStore(tmp_path / "r.sqlite") as store:
        assert len(store) == 1


@pytest.mark.parametrize("obstacle", ["one core", "Windows", "no process", "no server", "one worker", "long path"])
def test_none_is_started_where_it_cannot_help(
    server: LoopbackServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, obstacle: str
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError("Resource temporarily unavailable")

    passing = tmp_path / ("a" * 120 if obstacle == "long path" else "t")
    passing.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(passing))
    if obstacle == "one core":
        monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0}, raising=False)
    elif obstacle == "Windows":
        monkeypatch.setattr("bench.asking_shared.helps", lambda: False)
    elif obstacle == "no process":
        monkeypatch.setattr(subprocess, "Popen", refuse)
    factory = ReaderFactory() if obstacle == "no server" else factory_for(server)
    process = share_asking(factory, tmp_path / "r.sqlite", workers=1 if obstacle == "one worker" else 2)
    assert process is None
    assert list(passing.iterdir()) == []


def test_a_worker_on_another_machine_asks_by_itself(server: LoopbackServer, tmp_path: Path) -> None:
    assert reach(factory_for(server), tmp_path / "asking") is None


# ---- whole runs


def run(bench: Bench, server: LoopbackServer, *options: str, **variables: str) -> BenchRun:
    """A short run of two workers, for which one process asks."""
    return bench(*live(server, *options), PYTHONPATH=str(ROOT), **variables)


def live(server: LoopbackServer, *options: str) -> tuple[str, ...]:
    model = ("--model", "http:fake", "--api-base", server.base)
    return ("-p", "tests.bench.always_apart", "-n", "2", "--limit", "10", *model, *options)


def test_a_run_gives_the_records_of_one_without_the_process_and_asks_nothing_twice(
    bench: Bench, server: LoopbackServer
) -> None:
    shared = run(bench, server, "--replies", "shared.sqlite")
    assert server.connections <= 2  # two workers' clients at most, of one process
    here = bench(*live(server)[2:], "--replies", "here.sqlite")
    assert shared.raw() == here.raw()
    for part in ("replies", "tokens", "cost_usd", "asked"):
        assert shared.manifest.get(part) == here.manifest.get(part)
    again = run(bench, server, "--replies", "shared.sqlite")
    assert len(server.requests) == 20
    assert again.raw() == shared.raw()
    assert again.manifest["replies"]["from_store"] == 10


WAITS_FOR_THE_NEXT = """
import time
from pathlib import Path

def pytest_runtest_call(item):
    '''Scoring takes until the server has seen the next request.'''
    deadline = time.monotonic() + 20
    number = int(item.name.partition("[")[2].rpartition("_")[2].rstrip("]"))
    while len(Path("seen").read_text()) < min(number + 2, 10):
        assert time.monotonic() < deadline, "the next request was not sent"
        time.sleep(0.01)
"""


def test_the_next_case_is_asked_while_one_is_scored(bench: Bench, tmp_path: Path) -> None:
    (tmp_path / "waits_for_next.py").write_text(WAITS_FOR_THE_NEXT)
    seen = bench.folder / "seen"
    seen.write_text("")

    def answer(_: str) -> str:
        with seen.open("a") as file:
            file.write(".")
        return ANSWER

    with LoopbackServer(answer=answer) as server:
        options = ("-p", "waits_for_next", "--dist", "loadfile")
        found = bench(*live(server), *options, PYTHONPATH=os.pathsep.join([str(tmp_path), str(ROOT)]))
        assert server.most_in_flight == 1  # loadfile gives all cases to one worker
    assert found.manifest["complete"] is True
    assert len(found.raw()) == 10


@pytest.mark.parametrize("models", [("http:fake",), ("http:fake", "http:other")], ids=["one model", "two models"])
def test_each_worker_has_one_request_in_flight(
    bench: Bench, server: LoopbackServer, models: tuple[str, ...]
) -> None:
    server.latency_s = 0.1
    named = [word for model in models[1:] for word in ("--model", model)]
    assert run(bench, server, *named, "--repeats", "2").manifest["complete"] is True
    assert server.most_in_flight == 2


def test_a_run_that_stops_at_the_first_failure_asks_nothing_ahead(bench: Bench, server: LoopbackServer) -> None:
    stopped = run(bench, server, "-x")
    assert stopped.manifest["complete"] is False
    assert len(server.requests) == len(stopped.raw())


def test_a_refused_key_stops_the_run_with_one_line(bench: Bench, server: LoopbackServer) -> None:
    server.always(json_answer({"error": {"message": f"bad key {KEY}", "code": "x"}}, status=401))
    stopped = run(bench, server, EYECHART_API_KEY=KEY)
    assert "fake: the server answered 401 (x): bad key [key]" in stopped.out
    assert KEY not in stopped.out + stopped.err
    assert len(server.requests) <= 4


@pytest.mark.skipif(not Path("/proc/self/environ").is_file(), reason="looks for processes in /proc")
def test_a_run_leaves_no_process_and_no_folder(bench: Bench, server: LoopbackServer, tmp_path: Path) -> None:
    passing = tmp_path / "passing"
    passing.mkdir()
    run(bench, server, EYECHART_MARK=str(tmp_path), TMPDIR=str(passing))
    assert marked(str(tmp_path)) == []
    assert [path.name for path in passing.glob("eyechart-*")] == []


@pytest.mark.skipif(not Path("/proc/self/environ").is_file(), reason="looks for processes in /proc")
def test_an_interrupted_run_keeps_what_was_answered_and_leaves_no_process(
    bench: Bench, server: LoopbackServer, tmp_path: Path
) -> None:
    server.latency_s = 4.0  # xdist's controller may notice Ctrl-C two seconds late
    process = bench.start(
        *live(server, "--out", "cut", "--replies", "cut.sqlite"), PYTHONPATH=str(ROOT), EYECHART_MARK=str(tmp_path)
    )
    until(lambda: len(server.requests) >= 2)
    asked = len(server.requests)
    os.killpg(process.pid, signal.SIGINT)
    cut = bench.finish(process, bench.folder / "cut")
    until(lambda: marked(str(tmp_path)) == [])
    assert cut.code == pytest.ExitCode.INTERRUPTED
    assert len(server.requests) == asked
    with ReplyStore(bench.folder / "cut.sqlite") as store:
        assert len(store) == asked
    server.latency_s = 0.0
    whole = run(bench, server, "--out", "cut", "--replies", "cut.sqlite")
    assert whole.manifest["complete"] is True


def test_where_no_process_gets_ready_workers_ask_themselves(
    bench: Bench, server: LoopbackServer, tmp_path: Path
) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import sys\nif any('asking_main' in word for word in sys.orig_argv):\n    sys.exit(3)\n"
    )
    server.latency_s = 0.1
    found = bench(*live(server), PYTHONPATH=os.pathsep.join([str(tmp_path), str(ROOT)]))
    assert found.manifest["complete"] is True
    assert len(server.requests) == 10
    assert server.most_in_flight == 2


@pytest.mark.skipif(not Path("/proc/self/environ").is_file(), reason="looks for processes in /proc")
def test_a_process_that_is_killed_ends_the_run_with_one_line(bench: Bench, server: LoopbackServer) -> None:
    server.always(deadly_to_askers(str(bench.folder)))
    stopped = run(bench, server, EYECHART_MARK=str(bench.folder))
    assert "the process that sends requests for all workers is gone: out of memory?" in stopped.out
    assert stopped.manifest["complete"] is False
