"""A server that allows five requests a second against eight askers: nothing is lost, and little time.

Four kinds of server: windows of a second or a bucket of tokens, each with Retry-After in whole seconds or with
nothing. Eight processes know nothing of each other. By a clock that jumps, then for real (slow).
"""

from __future__ import annotations

import asyncio
import multiprocessing
import random
import time
from typing import TYPE_CHECKING

import pytest

from bench.models.client import HttpModel
from bench.models.limits import ClientLimits
from tests.bench.models.adapters import adapter_for
from tests.bench.models.asking import picture_ask
from tests.bench.models.virtual_time import JumpingLoop, PretendServer
from tests.conftest import sampled
from tests.loopback.rate_limits import STYLES, limited

if TYPE_CHECKING:
    from collections.abc import Iterator
    from multiprocessing.sharedctypes import Synchronized

    from tests.bench.conftest import Bench
    from tests.loopback.server import LoopbackServer

PER_SECOND = 5
PROCESSES = 8
NUMBER = 100
LEAST_S = NUMBER / PER_SECOND
SLACK = 1.15
REQUESTS_PER_REPLY = 3.5
"""Of a hundred replies; the first round, in which nobody knows of the limit yet, is a tenth of it."""


def storm(
    style: str, *, processes: int, in_flight: int, seed: int, number: int = NUMBER, latency_s: float = 0.05
) -> tuple[float, float, list[str]]:
    """Return seconds taken, requests sent for each reply, and all texts, on the clock that jumps."""
    loop = JumpingLoop()
    phase_s = random.Random(seed).random()
    limit = limited(style, per_second=PER_SECOND, clock=lambda: loop.time() + phase_s)
    server = PretendServer(loop, limit, latency_s=latency_s, seed=seed)
    numbers = iter(range(number))

    async def prefetcher(model: HttpModel, place: int) -> list[str]:
        await asyncio.sleep(0.04 * random.Random(seed * 1000 + place).random())
        return [(await model.ask(picture_ask(str(n)))).text for n in numbers]

    async def run() -> list[str]:
        client_limits = ClientLimits(concurrency=in_flight)
        models = [server.model(client_limits, seed * 1000 + n) for n in range(processes)]
        texts = await asyncio.gather(*[prefetcher(model, at) for at, model in enumerate(models * in_flight)])
        return [text for some in texts for text in some]

    try:
        texts = loop.run_until_complete(run())
        return loop.time(), server.requests / number, texts
    finally:
        loop.close()


@pytest.mark.parametrize("seed", sampled(range(3)))
@pytest.mark.parametrize("style", sampled(STYLES, first=2))
@pytest.mark.parametrize(("processes", "in_flight"), [(PROCESSES, 1), (1, PROCESSES)])
def test_a_storm_loses_no_request_and_little_time(style: str, processes: int, in_flight: int, seed: int) -> None:
    took_s, requests, texts = storm(style, processes=processes, in_flight=in_flight, seed=seed)
    assert sorted(texts) == sorted(f"answer to {n}" for n in range(NUMBER))
    assert took_s <= LEAST_S * SLACK
    assert requests <= REQUESTS_PER_REPLY


@pytest.mark.parametrize("style", sampled(STYLES))
def test_a_long_storm_is_pressed_no_harder(style: str) -> None:
    took_s, requests, _ = storm(style, processes=PROCESSES, in_flight=1, seed=7, number=1000)
    assert took_s <= 1000 / PER_SECOND * 1.05
    assert requests <= 3


@pytest.mark.parametrize("style", sampled(STYLES))
def test_many_askers_lose_no_request(style: str) -> None:
    took_s, _, texts = storm(style, processes=8, in_flight=8, seed=1, number=320)
    assert sorted(texts) == sorted(f"answer to {n}" for n in range(320))
    assert took_s <= 320 / PER_SECOND * 1.25


@pytest.mark.parametrize("style", STYLES)
def test_one_asker_alone_waits_little_longer_than_told(style: str) -> None:
    took_s, requests, _ = storm(style, processes=1, in_flight=1, seed=3)
    assert took_s <= LEAST_S * 1.3
    assert requests <= 1.5


def ask_until_none_is_left(url: str, left: Synchronized[int], lost: Synchronized[int]) -> None:
    def numbers() -> Iterator[int]:
        while True:
            with left.get_lock():
                if left.value == 0:
                    return
                left.value -= 1
                number = left.value
            yield number

    async def run() -> int:
        model = HttpModel(adapter_for("http", url), key=None, client_limits=ClientLimits(concurrency=1))
        wrong = [n for n in numbers() if (await model.ask(picture_ask(str(n)))).text != f"answer to {n}"]
        await model.close()
        return len(wrong)

    wrong = asyncio.run(run())
    with lost.get_lock():
        lost.value += wrong


@pytest.mark.slow
@pytest.mark.parametrize("style", STYLES)
def test_eight_real_processes_lose_no_request_and_little_time(server: LoopbackServer, style: str) -> None:
    context = multiprocessing.get_context("spawn")
    left, lost = context.Value("i", NUMBER), context.Value("i", 0)
    server.latency_s = 0.05
    server.always(limited(style, per_second=PER_SECOND))
    arguments = (server.url, left, lost)
    askers = [context.Process(target=ask_until_none_is_left, args=arguments) for _ in range(PROCESSES)]
    for prefetcher in askers:
        prefetcher.start()
    for prefetcher in askers:
        prefetcher.join(10 * LEAST_S)
    took_s, requests = server.arrivals_s[-1] - server.arrivals_s[0], len(server.arrivals_s) / NUMBER
    print(f"\n{style}: {took_s:.1f} s for {LEAST_S:.1f} s, {requests:.2f} requests for each reply")
    assert ([prefetcher.exitcode for prefetcher in askers], lost.value) == ([0] * PROCESSES, 0)
    assert took_s <= LEAST_S * SLACK
    assert requests <= REQUESTS_PER_REPLY


@pytest.mark.slow
@pytest.mark.parametrize("style", STYLES)
def test_a_run_in_eight_workers_loses_no_reply_and_little_time(
    server: LoopbackServer, bench: Bench, style: str
) -> None:
    common = (
        "--model=http:fake",
        f"--api-base={server.base}",
        f"--limit={NUMBER}",
        "--fresh",
        "--exit-zero",
        "-mplotchain",
    )
    bench(*common, "--concurrency=2")  # draws the pictures
    server.arrivals_s.clear()
    server.latency_s = 0.05
    server.always(limited(style, per_second=PER_SECOND))
    began = time.monotonic()
    run = bench(*common, "-n", str(PROCESSES))
    whole_s = time.monotonic() - began
    took_s, requests = server.arrivals_s[-1] - server.arrivals_s[0], len(server.arrivals_s) / NUMBER
    print(f"\n{style}: {took_s:.1f} s of asking, {whole_s:.1f} s in all, {requests:.2f} requests for each reply")
    assert run.manifest["replies"]["answered"] + run.manifest["replies"]["unparsed"] == NUMBER
    assert took_s <= LEAST_S * SLACK
    assert requests <= REQUESTS_PER_REPLY
