"""Asking from a process of its own: the same replies, stored there, and nobody waits for one that is gone."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bench import asking_process
from bench.asking_process import AskingError, AskingProcess, start_asking
from bench.models.protocol import Ask, Reply, Turn
from bench.models.reader.model import ReaderFactory
from bench.models.registry import resolve
from bench.models.traffic import Traffic
from bench.results.store import Filed, Filing, ReplyStore
from tests.bench.models.asking import PICTURE, picture_ask
from tests.conftest import ROOT
from tests.loopback.answers import Answer, Request, json_answer
from tests.loopback.server import LoopbackServer

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from bench.models.registry import ModelFactory
    from tests.bench.conftest import Bench, BenchRun

pytestmark = pytest.mark.skipif(os.name != "posix", reason="no process asks on Windows")

KEY = "sk-test-1234567890abcdef"
ANSWER = '{"resonance_hz": 154.1, "bandwidth_hz": 19.3}'
QUICK = Traffic(retries=0, request_timeout_s=30)


@pytest.fixture
def server() -> Iterator[LoopbackServer]:
    with LoopbackServer(answer=lambda _: ANSWER) as running:
        yield running


def factory_for(server: LoopbackServer, *, key: str | None = None, traffic: Traffic = QUICK) -> ModelFactory:
    environ = {} if key is None else {"EYECHART_API_KEY": key}
    return resolve("http:m", api_base=server.base, traffic=traffic, environ=environ)


def filing(key: str = "k", *, replace: bool = False) -> Filing:
    return Filing(key=key, identity={"provider": "http", "name": "m"}, case_id="c", repeat=0, replace=replace)


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
    server: LoopbackServer, store: Path, ask: Ask | None = None, given: Filing | None = None, **how: Any
) -> Filed:
    async def work(process: AskingProcess) -> Filed:
        return await process.ask(ask or picture_ask(), given)

    filed, _ = with_process(factory_for(server, **how), store, work)
    assert isinstance(filed, Filed)
    return filed


def test_replies_are_those_of_a_model_asked_here(server: LoopbackServer, tmp_path: Path) -> None:
    factory = factory_for(server)

    async def here() -> Reply:
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
    older = Reply(status="answered", text="older")
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

    async def work(process: AskingProcess) -> tuple[Reply, list[dict[str, str]]]:
        filed = await process.ask(picture_ask(), None)
        return filed.reply, process.adaptations

    (reply, adaptations), _ = with_process(
        factory_for(server, traffic=Traffic(retries=1)), tmp_path / "r.sqlite", work
    )
    assert (reply.status, reply.attempts) == ("answered", 3)
    assert [adaptation["field"] for adaptation in adaptations] == ["temperature"]


def test_the_key_is_sent_and_echoes_of_it_are_hidden(server: LoopbackServer, tmp_path: Path) -> None:
    def echo(request: Request) -> Answer:
        return json_answer({"error": {"message": f"no: {request.headers['authorization']}"}}, status=401)

    server.always(echo)
    filed = ask_once(server, tmp_path / "r.sqlite", key=KEY)
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert KEY not in repr(filed)
    assert "[key]" in str(filed.reply.error)


def test_texts_of_any_kind_and_megabytes_cross(server: LoopbackServer, tmp_path: Path) -> None:
    text = "\ud800 é \x00 \u2028 " + "x" * 3_000_000
    server.always(json_answer({"choices": [{"message": {"content": text}, "finish_reason": "stop"}]}))
    turn = Turn(role="user", text="q" * 3_000_000, pictures=(PICTURE * 10_000,))
    reply = ask_once(server, tmp_path / "r.sqlite", replace(picture_ask(), turns=(turn,))).reply
    assert reply.text == text
    assert len(server.requests[0].body) > 6_000_000


def test_many_asks_at_once_each_get_their_own_reply(tmp_path: Path) -> None:
    with LoopbackServer(answer=lambda prompt: f"answer to {prompt}", latency_s=0.05) as server:

        async def work(process: AskingProcess) -> list[Filed]:
            return await asyncio.gather(*(process.ask(picture_ask(f"q{n}"), filing(f"k{n}")) for n in range(100)))

        factory = factory_for(server, traffic=Traffic(concurrency=32))
        filed, exit_code = with_process(factory, tmp_path / "r.sqlite", work)
        assert server.most_in_flight == 32
    assert [one.reply.text for one in filed] == [f"answer to q{n}" for n in range(100)]
    assert exit_code == 0
    with ReplyStore(tmp_path / "r.sqlite") as store:
        assert len(store) == 100


def test_a_fault_of_the_client_is_raised_where_the_ask_was_made(server: LoopbackServer, tmp_path: Path) -> None:
    async def work(process: AskingProcess) -> Filed:
        with pytest.raises(AskingError, match="TypeError: Object of type set is not JSON serializable"):
            await process.ask(replace(picture_ask(), schema={"no JSON": {1, 2}}), None)
        return await process.ask(picture_ask(), None)

    filed, _ = with_process(factory_for(server), tmp_path / "r.sqlite", work)
    assert filed.reply.text == ANSWER


def test_who_waits_for_a_process_that_is_killed_is_told(tmp_path: Path) -> None:
    with LoopbackServer(latency_s=30) as server:

        async def work(process: AskingProcess) -> tuple[Filed, Filed]:
            waiting = asyncio.create_task(process.ask(picture_ask(), filing()))
            await soon(lambda: bool(server.requests))
            process._process.send_signal(signal.SIGKILL)
            return await waiting, await process.ask(picture_ask(), filing())

        both, exit_code = with_process(factory_for(server), tmp_path / "r.sqlite", work)
    for filed in both:
        assert (filed.reply.status, filed.reply.failure) == ("failed", "network")
        assert filed.reply.error == "the process that sends requests ended by signal 9: out of memory?"
    assert exit_code == -signal.SIGKILL


def test_a_process_that_cannot_work_says_why(
    server: LoopbackServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "httpx.py").write_text(f"raise ImportError('no httpx for {KEY}')\n")
    (tmp_path / "sitecustomize.py").write_text("import sys; sys.path.insert(0, sys.path.pop())\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(asking_process, "ROOT", tmp_path)
    (tmp_path / "bench").symlink_to(ROOT / "bench")
    (tmp_path / "scorers").symlink_to(ROOT / "scorers")
    (tmp_path / "generators").symlink_to(ROOT / "generators")
    filed = ask_once(server, tmp_path / "r.sqlite", key=KEY)
    assert (filed.reply.status, filed.reply.failure) == ("failed", "network")
    assert filed.reply.error == (
        "the process that sends requests ended with exit code 1: ImportError: no httpx for [key]"
    )


def test_what_start_up_files_print_is_no_message(
    server: LoopbackServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sitecustomize.py").write_text("print('welcome to this machine' * 9)\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert ask_once(server, tmp_path / "r.sqlite").reply.text == ANSWER


def test_a_process_that_only_talks_is_given_up(
    server: LoopbackServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import sys\nif '-m' in sys.orig_argv:\n    while True: print('talk ' * 9999)\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(asking_process, "ENDING_S", 0.2)
    filed = ask_once(server, tmp_path / "r.sqlite")
    assert "the process that sends requests ended by signal 9" in str(filed.reply.error)


def test_a_cancelled_ask_is_cancelled_there(tmp_path: Path) -> None:
    with LoopbackServer(answer=lambda _: ANSWER, latency_s=30) as server:

        async def work(process: AskingProcess) -> Filed:
            asking = asyncio.create_task(process.ask(picture_ask(), filing()))
            await soon(lambda: bool(server.in_flight))
            asking.cancel()
            await asyncio.wait([asking])
            assert asking.cancelled()
            server.latency_s = 0.0
            return await asyncio.wait_for(process.ask(picture_ask(), filing()), 20)

        factory = factory_for(server, traffic=Traffic(concurrency=1, request_timeout_s=60))
        filed, _ = with_process(factory, tmp_path / "r.sqlite", work)
    assert filed.reply.text == ANSWER


def test_closing_ends_the_process_at_any_time(server: LoopbackServer, tmp_path: Path) -> None:
    async def at_once(process: AskingProcess) -> None:
        await process.close()

    async def while_connecting(process: AskingProcess) -> None:
        asking = asyncio.create_task(process.ask(picture_ask(), None))
        await asyncio.sleep(0)
        await process.close()
        asking.cancel()

    async def in_flight(process: AskingProcess) -> None:
        server.latency_s = 30
        asking = asyncio.create_task(process.ask(picture_ask(), None))
        await soon(lambda: bool(server.in_flight))
        await process.close()
        asking.cancel()

    for work in (at_once, while_connecting, in_flight):
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
from bench.models.registry import resolve
from tests.bench.models.asking import picture_ask

async def main():
    process = AskingProcess(resolve("http:m", api_base=sys.argv[1]), Path(sys.argv[2]))
    print(process._process.pid, flush=True)
    await process.ask(picture_ask(), None)

asyncio.run(main())
"""


def test_the_process_ends_with_its_parent(tmp_path: Path) -> None:
    with LoopbackServer(latency_s=60) as server:
        command = [sys.executable, "-c", PARENT, server.base, str(tmp_path / "r.sqlite")]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as parent:
            assert parent.stdout is not None
            child = int(parent.stdout.readline())
            until(lambda: bool(server.in_flight))
            parent.kill()
        until(lambda: not is_running(child))


async def soon(holds: Callable[[], bool]) -> None:
    await asyncio.to_thread(until, holds)


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text("utf-8").rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("obstacle", ["one core", "Windows", "no process", "no server"])
def test_none_is_started_where_it_cannot_help(
    server: LoopbackServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, obstacle: str
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError("Resource temporarily unavailable")

    if obstacle == "one core":
        monkeypatch.setattr(os, "cpu_count", lambda: 1)
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


def test_an_interrupted_run_keeps_what_was_answered_and_leaves_no_process(
    bench: Bench, server: LoopbackServer
) -> None:
    server.latency_s = 0.5
    process = bench.start(
        *live(server, "--concurrency", "1", "--out", "cut", "--replies", "cut.sqlite"), PYTHONPATH=str(ROOT)
    )
    until(lambda: len(server.requests) >= 3)
    os.killpg(process.pid, signal.SIGINT)
    cut = bench.finish(process, bench.folder / "cut")
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
