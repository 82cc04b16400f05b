from __future__ import annotations

import asyncio
import threading
import time
from typing import TYPE_CHECKING

import pytest

from bench.models.prefetch import Prefetcher

if TYPE_CHECKING:
    from collections.abc import Iterator


class Work:
    """Attempts that finish when told to, and remember how they were run."""

    def __init__(self) -> None:
        self.started: list[int] = []
        self.running = self.most = 0
        self.release = threading.Event()
        self.release.set()

    async def attempt(self, key: int) -> int:
        self.started.append(key)
        self.running += 1
        self.most = max(self.most, self.running)
        try:
            await asyncio.to_thread(self.release.wait, 10)
            await asyncio.sleep(0.002)
            if key < 0:
                raise LookupError(f"no {key}")
            return key * 10
        finally:
            self.running -= 1


@pytest.fixture
def work() -> Work:
    return Work()


@pytest.fixture
def prefetcher(work: Work) -> Iterator[Prefetcher[int, int]]:
    prefetcher = Prefetcher(work.attempt, concurrency=3, look_ahead=5)
    yield prefetcher
    prefetcher.stop()


def wait_until(condition: object) -> None:
    deadline = time.monotonic() + 10
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.002)


def test_each_result_belongs_to_its_key_in_any_order(prefetcher: Prefetcher[int, int]) -> None:
    prefetcher.plan(range(20))
    assert [prefetcher.result(key) for key in reversed(range(20))] == [key * 10 for key in reversed(range(20))]


def test_no_more_run_at_once_than_allowed_and_as_many_as_allowed(
    work: Work, prefetcher: Prefetcher[int, int]
) -> None:
    prefetcher.plan(range(30))
    for key in range(30):
        prefetcher.result(key)
    assert work.most == 3
    assert sorted(work.started) == list(range(30))


def test_what_nobody_takes_is_asked_only_as_far_as_the_look_ahead(
    work: Work, prefetcher: Prefetcher[int, int]
) -> None:
    prefetcher.plan(range(100))
    wait_until(lambda: len(work.started) == 5 and work.running == 0)
    time.sleep(0.05)
    assert work.started == [0, 1, 2, 3, 4]


def test_a_result_that_was_not_planned_is_asked_at_once(work: Work, prefetcher: Prefetcher[int, int]) -> None:
    assert prefetcher.result(77) == 770
    assert work.started == [77]


def test_a_result_taken_twice_is_attempted_twice(work: Work, prefetcher: Prefetcher[int, int]) -> None:
    prefetcher.plan([1])
    assert (prefetcher.result(1), prefetcher.result(1)) == (10, 10)
    assert work.started == [1, 1]


def test_a_result_that_is_there_is_taken_without_the_loop_and_makes_room(
    work: Work, prefetcher: Prefetcher[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    prefetcher.plan(range(10))
    wait_until(lambda: len(work.started) == 5 and work.running == 0)
    monkeypatch.setattr(asyncio, "run_coroutine_threadsafe", None)
    assert [prefetcher.result(0), prefetcher.result(1)] == [0, 10]
    wait_until(lambda: len(work.started) == 7)


def test_a_key_taken_before_the_plan_reaches_it_is_not_asked_again(
    work: Work, prefetcher: Prefetcher[int, int]
) -> None:
    work.release.clear()
    prefetcher.plan(range(10))
    wait_until(lambda: len(work.started) == 3)
    work.release.set()
    assert prefetcher.result(9) == 90
    for key in range(9):
        prefetcher.result(key)
    assert sorted(work.started) == list(range(10))


def test_an_attempt_is_on_its_way_before_the_next_one_starts() -> None:
    seen: list[tuple[str, int]] = []

    async def attempt(key: int) -> int:
        seen.append(("starts", key))
        await asyncio.sleep(0)
        seen.append(("goes on", key))
        return key

    prefetcher = Prefetcher(attempt, concurrency=3, look_ahead=3)
    prefetcher.plan(range(3))
    assert [prefetcher.result(key) for key in range(3)] == [0, 1, 2]
    prefetcher.stop()
    assert seen.index(("goes on", 0)) < seen.index(("starts", 1))


def test_an_attempts_exception_reaches_who_asks_and_nobody_else(prefetcher: Prefetcher[int, int]) -> None:
    prefetcher.plan([1, -1, 2])
    with pytest.raises(LookupError, match="no -1"):
        prefetcher.result(-1)
    assert (prefetcher.result(1), prefetcher.result(2)) == (10, 20)


def test_what_is_planned_is_not_started_once_no_more_is_wanted(
    work: Work, prefetcher: Prefetcher[int, int]
) -> None:
    work.release.clear()
    prefetcher.plan(range(10))
    wait_until(lambda: work.running == 3)
    said = threading.Event()
    prefetcher.start_no_more(said.set)
    assert said.wait(10)
    work.release.set()
    assert [prefetcher.result(key) for key in range(3)] == [0, 10, 20]
    assert work.started == [0, 1, 2]
    prefetcher.stop()
    prefetcher.start_no_more(said.clear)
    assert said.is_set()


def test_an_attempt_that_ends_the_program_ends_not_the_others() -> None:
    async def attempt(key: int) -> int:
        await asyncio.sleep(0.02)
        if key == 1:
            raise SystemExit(3)
        return key

    prefetcher = Prefetcher(attempt, concurrency=3, look_ahead=3)
    prefetcher.plan(range(3))
    with pytest.raises(SystemExit):
        prefetcher.result(1)
    assert (prefetcher.result(0), prefetcher.result(2), prefetcher.result(3)) == (0, 2, 3)
    prefetcher.stop()
    assert not prefetcher._thread.is_alive()


def test_stopping_cancels_what_is_in_flight_and_closes(work: Work) -> None:
    prefetcher = Prefetcher(work.attempt, concurrency=2, look_ahead=4)
    work.release.clear()
    prefetcher.plan(range(10))
    wait_until(lambda: work.running == 2)
    closed = []

    async def close() -> None:
        closed.append(True)

    prefetcher.stop(close)
    assert closed == [True]
    assert work.running == 0
    assert len(work.started) == 2
    assert not prefetcher._thread.is_alive()
    prefetcher.stop(close)
    assert closed == [True]
