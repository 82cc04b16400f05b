"""."""

from __future__ import annotations

import asyncio
import multiprocessing
import time
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from bench.errors import UserError
from bench.models.client import HttpModel
from bench.models.limits import ClientLimits, SharedLimits
from bench.models.prices import Price
from bench.models.retry import Throttle
from tests.bench.models.adapters import adapter_for
from tests.bench.models.asking import Naps, picture_ask
from tests.bench.waiting import soon
from tests.loopback.answers import Answer, json_answer

if TYPE_CHECKING:
    from pathlib import Path

    from bench.models.types import Response
    from tests.loopback.server import LoopbackServer


DEAR = Price(input=0.0, output=1_000_000.0)
"""One USD for each output token; the loopback server reports 50 of them."""


def take_slots(path: Path, number: int) -> None:
    limits = SharedLimits(path)
    for _ in range(number):
        time.sleep(limits.next_slot_s("m", per_minute=3000))
    limits.close()


def spend(path: Path, number: int) -> None:
    limits = SharedLimits(path)
    for _ in range(number):
        if limits.reserve(1.0, most_usd=30.0).granted:
            limits.settle(1.0, spent_usd=1.0)
    limits.close()


def in_processes(target: object, path: Path, number: int) -> float:
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=target, args=(path, number)) for _ in range(3)]  # type: ignore[arg-type]
    started = time.monotonic()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(30)
    assert [worker.exitcode for worker in workers] == [0, 0, 0]
    return time.monotonic() - started


def test_slots_are_evenly_spaced(tmp_path: Path) -> None:
    limits = SharedLimits(tmp_path / "limits.sqlite", clock=lambda: 1000.0)
    assert [limits.next_slot_s("m", per_minute=60) for _ in range(4)] == [0.0, 1.0, 2.0, 3.0]
    assert limits.next_slot_s("another model", per_minute=60) == 0.0


def test_a_pause_earns_no_burst(tmp_path: Path) -> None:
    now = [1000.0]
    limits = SharedLimits(tmp_path / "limits.sqlite", clock=lambda: now[0])
    limits.next_slot_s("m", per_minute=60)
    now[0] += 100
    assert [limits.next_slot_s("m", per_minute=60) for _ in range(3)] == [0.0, 1.0, 2.0]


def test_a_clock_set_back_does_not_stop_the_run(tmp_path: Path) -> None:
    now = [1e9]
    limits = SharedLimits(tmp_path / "limits.sqlite", clock=lambda: now[0])
    limits.next_slot_s("m", per_minute=60)
    now[0] = 1000.0
    assert limits.next_slot_s("m", per_minute=60) == 0.0


def test_rpm_holds_for_all_processes_together(tmp_path: Path) -> None:
    assert in_processes(take_slots, tmp_path / "limits.sqlite", 20) >= 59 * 0.02


def test_max_cost_holds_for_all_processes_together(tmp_path: Path) -> None:
    path = tmp_path / "limits.sqlite"
    in_processes(spend, path, 20)
    assert SharedLimits(path).spent_usd == pytest.approx(30.0)


def test_a_budget_held_by_others_may_be_had_later(tmp_path: Path) -> None:
    limits = SharedLimits(tmp_path / "limits.sqlite")
    assert limits.reserve(0.6, most_usd=1.0).granted
    second = limits.reserve(0.6, most_usd=1.0)
    assert (second.granted, second.later) == (False, True)
    limits.settle(0.6, spent_usd=0.1)
    assert limits.reserve(0.6, most_usd=1.0).granted
    limits.settle(0.6, spent_usd=0.6)
    last = limits.reserve(0.6, most_usd=1.0)
    assert (last.granted, last.later) == (False, False)
    assert last.spent_usd == pytest.approx(0.7)


def test_an_unusable_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"shared limits .* cannot be used"):
        SharedLimits(tmp_path / "absent" / "limits.sqlite").reserve(1, most_usd=1)


def ask_with_budget(
    server: LoopbackServer, path: Path, *, most_usd: float, number: int, max_tokens: int = 50
) -> tuple[list[Response], float]:
    async def run() -> list[Response]:
        client_limits = ClientLimits(max_cost_usd=most_usd, shared_limits=path, retries=0)
        model = HttpModel(
            adapter_for("http", server.url),
            key=None,
            client_limits=client_limits,
            price=DEAR,
            clock=Naps().clock(),
        )
        asks = [picture_ask(str(i), max_tokens=max_tokens) for i in range(number)]
        try:
            return list(await asyncio.gather(*[model.ask(ask) for ask in asks]))
        finally:
            await model.close()

    replies = asyncio.run(run())
    limits = SharedLimits(path)
    spent = limits.spent_usd
    limits.close()
    return replies, spent


def test_asking_stops_before_max_cost_is_exceeded(server: LoopbackServer, tmp_path: Path) -> None:
    replies, spent = ask_with_budget(server, tmp_path / "l.sqlite", most_usd=260.0, number=8)
    assert sum(reply.status == "answered" for reply in replies) == 5
    stopped = [reply for reply in replies if reply.status != "answered"]
    assert {reply.failure for reply in stopped} == {"quota"}
    assert "--max-cost 260 would be exceeded" in str(stopped[0].error)
    assert stopped[0].attempts == 0
    assert spent == pytest.approx(250.0)
    assert len(server.requests) == 5


def test_a_generous_estimate_does_not_stop_a_cheap_run(server: LoopbackServer, tmp_path: Path) -> None:
    replies, spent = ask_with_budget(server, tmp_path / "l.sqlite", most_usd=700.0, number=8, max_tokens=300)
    assert {reply.status for reply in replies} == {"answered"}
    assert spent == pytest.approx(400.0)


@pytest.mark.parametrize(("status", "usd"), [(401, 0.0), (402, 0.0), (429, 0.0), (400, 50.0), (500, 50.0)])
def test_only_failures_that_were_not_worked_on_are_free(
    server: LoopbackServer, tmp_path: Path, status: int, usd: float
) -> None:
    server.always(json_answer({"error": {"message": "m"}}, status=status))
    _, spent = ask_with_budget(server, tmp_path / "l.sqlite", most_usd=60.0, number=1)
    assert spent == pytest.approx(usd)


def test_an_ask_that_is_cancelled_costs_nothing_unless_it_was_sent(server: LoopbackServer, tmp_path: Path) -> None:
    server.latency_s = 3.0

    async def run() -> float:
        client_limits = ClientLimits(max_cost_usd=1000.0, shared_limits=tmp_path / "l.sqlite", concurrency=1)
        model = HttpModel(adapter_for("http", server.url), key=None, client_limits=client_limits, price=DEAR)
        asks = [asyncio.create_task(model.ask(picture_ask(str(i), max_tokens=50))) for i in range(4)]
        await soon(lambda: bool(server.requests))
        for ask in asks:
            ask.cancel()
        await asyncio.gather(*asks, return_exceptions=True)
        limits = SharedLimits(tmp_path / "l.sqlite")
        spent, held_none = limits.spent_usd, limits.reserve(900.0, most_usd=1000.0).granted
        limits.close()
        await model.close()
        assert held_none
        return spent

    assert asyncio.run(run()) == pytest.approx(50.0)


@pytest.mark.parametrize("wrong", ["refused", "proxy"])
def test_what_no_server_saw_costs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: str) -> None:
    if wrong == "proxy":
        monkeypatch.setenv("ALL_PROXY", "foo://nowhere")

    async def run() -> None:
        client_limits = ClientLimits(max_cost_usd=1000.0, shared_limits=tmp_path / "l.sqlite", retries=0)
        model = HttpModel(
            adapter_for("http", "http://127.0.0.1:9"), key=None, client_limits=client_limits, price=DEAR
        )
        with suppress(UserError):
            assert (await model.ask(picture_ask(max_tokens=50))).failure == "network"
        await model.close()

    asyncio.run(run())
    limits = SharedLimits(tmp_path / "l.sqlite")
    assert (limits.spent_usd, limits.reserve(1000.0, most_usd=1000.0).granted) == (0.0, True)
    limits.close()


def test_a_response_counts_where_its_cost_cannot_be_booked_and_no_other_is_sent(
    server: LoopbackServer, tmp_path: Path
) -> None:
    server.latency_s = 0.2

    async def run() -> Response:
        client_limits = ClientLimits(max_cost_usd=1000.0, shared_limits=tmp_path / "l.sqlite", retries=0)
        model = HttpModel(adapter_for("http", server.url), key=None, client_limits=client_limits, price=DEAR)
        ask = asyncio.create_task(model.ask(picture_ask(max_tokens=50)))
        await soon(lambda: bool(server.requests))
        assert model._limits is not None
        assert model._limits._connection is not None
        model._limits._connection.execute("PRAGMA query_only=ON")  # as on a full disk
        reply = await ask
        with pytest.raises(UserError, match=r"the file of shared limits .* cannot be used"):
            await model.ask(picture_ask("another", max_tokens=50))
        await model.close()
        return reply

    assert asyncio.run(run()).status == "answered"
    assert len(server.requests) == 1


def test_rpm_spaces_the_requests_of_a_model(server: LoopbackServer, tmp_path: Path) -> None:
    async def run() -> None:
        client_limits = ClientLimits(rpm=1200, shared_limits=tmp_path / "l.sqlite")
        model = HttpModel(adapter_for("http", server.url), key=None, client_limits=client_limits)
        await asyncio.gather(*[model.ask(picture_ask(str(i))) for i in range(6)])
        await model.close()

    started = time.monotonic()
    asyncio.run(run())
    assert len(server.arrivals_s) == 6
    assert max(server.arrivals_s) - started >= 5 * 0.05


def throttle_of(concurrency: int) -> tuple[Throttle, Naps]:
    naps = Naps()
    return Throttle(concurrency=concurrency, clock=naps.clock()), naps


def test_a_429_halves_the_width() -> None:
    throttle, naps = throttle_of(8)
    widths = []
    for _ in range(5):
        naps.now_s += 1
        throttle.throttled(naps.now_s)
        widths.append(throttle.width)
    assert widths == [4, 2, 1, 1, 1]


def test_requests_under_way_together_halve_it_once() -> None:
    throttle, naps = throttle_of(8)
    naps.now_s = 10.0
    throttle.throttled(5.0)
    throttle.throttled(6.0)
    throttle.throttled(9.9)
    assert throttle.width == 4


def test_answers_widen_it_again_up_to_the_concurrency() -> None:
    throttle, _ = throttle_of(4)
    throttle.throttled(0.0)
    assert throttle.width == 2
    for _ in range(100):
        throttle.answered()
    assert throttle.width == 4


def test_no_more_are_inside_than_the_width() -> None:
    async def run() -> tuple[int, int]:
        throttle, _ = throttle_of(8)
        throttle.throttled(0.0)
        inside = most = done = 0

        async def one() -> None:
            nonlocal inside, most, done
            await throttle.enter()
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0)
            inside -= 1
            done += 1
            throttle.leave()

        await asyncio.gather(*[one() for _ in range(50)])
        return most, done

    assert asyncio.run(run()) == (4, 50)


@pytest.mark.parametrize("granted", [False, True])
def test_a_cancelled_wait_loses_no_place(*, granted: bool) -> None:
    async def run() -> bool:
        throttle, _ = throttle_of(1)
        await throttle.enter()
        waiting = asyncio.create_task(throttle.enter())
        await asyncio.sleep(0)
        if granted:
            throttle.leave()
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        if not granted:
            throttle.leave()
        await asyncio.wait_for(throttle.enter(), 1)
        return True

    assert asyncio.run(run())


def test_a_throttling_server_sees_fewer_at_once_and_loses_nothing(server: LoopbackServer) -> None:
    server.latency_s = 0.005

    def two_at_once(_: object) -> Answer | None:
        busy = server.in_flight > 2
        return json_answer({"error": {"message": "slow down"}}, status=429) if busy else None

    async def run() -> list[str]:
        client_limits = ClientLimits(concurrency=16)
        model = HttpModel(
            adapter_for("http", server.url), key=None, client_limits=client_limits, clock=Naps().clock()
        )
        replies = await asyncio.gather(*[model.ask(picture_ask(str(i))) for i in range(60)])
        await model.close()
        return [reply.status for reply in replies]

    server.always(two_at_once)
    assert asyncio.run(run()) == ["answered"] * 60
