from __future__ import annotations

import asyncio
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from bench.models.http_model import HttpModel
from bench.models.retry import Pacing
from bench.models.throttle import Throttle
from bench.models.traffic import Traffic
from tests.bench.models.asking import Naps, picture_ask
from tests.bench.models.wires import wire_for
from tests.loopback.answers import Answer, json_answer

if TYPE_CHECKING:
    from tests.loopback.server import LoopbackServer


def throttle_of(concurrency: int) -> tuple[Throttle, Naps]:
    naps = Naps()
    return Throttle(concurrency=concurrency, pacing=naps.pacing()), naps


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
        throttle.answered(1.0)
    assert throttle.width == 4


def gaps_s(latencies_s: list[float], *, concurrency: int = 8) -> list[float]:
    """Enter as often as there is room, after answers that took so long; return the times between."""
    throttle, naps = throttle_of(concurrency)
    naps.now_s = 100.0
    for latency_s in latencies_s:
        throttle.answered(latency_s)

    async def enter() -> list[float]:
        moments = []
        for _ in range(concurrency):
            await throttle.enter()
            moments.append(naps.now_s)
        return moments

    return [after - before for before, after in pairwise(asyncio.run(enter()))]


def test_requests_leave_evenly_when_answers_take_the_same_time() -> None:
    assert gaps_s([0.2] * 5) == pytest.approx([0.95 * 0.2 / 8] * 7)


def test_the_first_requests_leave_at_once() -> None:
    assert gaps_s([]) == [0.0] * 7


@pytest.mark.parametrize("latencies_s", [[0.1, 0.3], [0.15, 0.2, 0.25], [0.0, 0.2], [0.0, 0.0]])
def test_requests_whose_answers_differ_wait_for_no_gap(latencies_s: list[float]) -> None:
    assert gaps_s(latencies_s) == [0.0] * 7


def test_slow_answers_spread_requests_over_no_more_than_a_moment() -> None:
    assert sum(gaps_s([30.0] * 5, concurrency=64)) <= 0.2


def test_only_the_latest_answers_count() -> None:
    assert gaps_s([9.0] * 50 + [0.2] * 32) == pytest.approx([0.95 * 0.2 / 8] * 7)


def test_a_burst_that_is_refused_halves_the_width_once_and_goes_on_at_that_width() -> None:
    """Those that wait for a gap when the first is refused had their place before it, and do not keep it all."""

    async def run() -> tuple[list[int], int]:
        throttle, naps = throttle_of(8)
        naps.now_s = 100.0
        throttle.answered(0.2)
        widths: list[int] = []
        inside = most = 0

        async def one() -> None:
            nonlocal inside, most
            entered = await throttle.enter()
            inside += 1
            if widths:
                most = max(most, inside)
            await asyncio.sleep(0)
            if entered == 100.0:
                naps.now_s += 0.005
                throttle.throttled(entered)
                widths.append(throttle.width)
            inside -= 1
            throttle.leave()

        await asyncio.gather(*[one() for _ in range(8)])
        return widths, most

    widths, most = asyncio.run(run())
    assert set(widths) == {4}
    assert most <= 4


def test_a_cancelled_wait_for_a_gap_loses_no_place() -> None:
    async def run() -> None:
        throttle = Throttle(concurrency=2, pacing=Pacing())
        throttle.answered(60.0)
        await throttle.enter()
        waiting = asyncio.create_task(throttle.enter())
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        assert waiting.cancelled()
        await asyncio.wait_for(throttle.enter(), 5)

    asyncio.run(run())


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
        traffic = Traffic(concurrency=16)
        model = HttpModel(wire_for("http", server.url), key=None, traffic=traffic, pacing=Naps().pacing())
        replies = await asyncio.gather(*[model.ask(picture_ask(str(i))) for i in range(60)])
        await model.close()
        return [reply.status for reply in replies]

    server.always(two_at_once)
    assert asyncio.run(run()) == ["answered"] * 60
