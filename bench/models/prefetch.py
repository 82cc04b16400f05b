"""The event loop that asks while tests wait: keeps asks in flight ahead of the test that is running."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine, Hashable, Iterable

__all__ = ["Prefetcher"]

KeyT = TypeVar("KeyT", bound="Hashable")
ResultT = TypeVar("ResultT")

STOP_GRACE_S = 5.0


class Prefetcher(Generic[KeyT, ResultT]):
    """Runs `attempt(key)` for planned keys in a background thread's event loop.

    Up to `concurrency` attempts run at once, in the order planned. At most `look_ahead` attempts are
    started before anyone asked for their result, so that a run that stops early has asked little in vain.
    A result can be taken once; taking it again attempts again.
    """

    def __init__(
        self, attempt: Callable[[KeyT], Awaitable[ResultT]], *, concurrency: int, look_ahead: int
    ) -> None:
        self._attempt = attempt
        self._concurrency = concurrency
        self._look_ahead = look_ahead
        self._planned: deque[KeyT] = deque()
        self._tasks: dict[KeyT, asyncio.Task[ResultT]] = {}
        self._taken: set[KeyT] = set()
        self._running = 0
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run_loop, name="eyechart-requests", daemon=True)
        self._thread.start()

    def plan(self, keys: Iterable[KeyT]) -> None:
        """Start working through `keys`, which will be asked for in about this order."""
        self._loop.call_soon_threadsafe(self._extend_plan, list(keys))

    def result(self, key: KeyT) -> ResultT:
        """Wait for the result of `key`, starting it now when it was not planned or not reached.

        Raises:
            Exception: whatever the attempt raised.
        """
        task = self._tasks.get(key)
        if task is None or not task.done() or task.cancelled():
            return asyncio.run_coroutine_threadsafe(self._take(key), self._loop).result()
        self._forget(key)  # not by the loop: waiting for it costs a switch of threads
        if self._running < self._concurrency:  # else the next attempt that ends makes use of the room
            self._loop.call_soon_threadsafe(self._fill)
        return task.result()

    def start_no_more(self, stopping: Callable[[], object] = lambda: None) -> None:
        """Start nothing that was planned, and call `stopping` in the event loop; waits for neither."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._end_plan, stopping)

    def stop(
        self,
        closing: Callable[[], Awaitable[None]] | None = None,
        *,
        stopping: Callable[[], object] = lambda: None,
        patience_s: float = 0.0,
    ) -> None:
        """Start nothing more, wait for what is in flight, await `closing`, and end the thread; repeatable.

        `stopping` is called in the event loop before the wait. What is still in flight after `patience_s`
        seconds, or at a KeyboardInterrupt while waiting, is cancelled.
        """
        if not self._thread.is_alive():
            return
        try:
            self._call(self._drain(stopping, patience_s), patience_s + STOP_GRACE_S)
        finally:
            self._call(self._shut_down(closing), STOP_GRACE_S)
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(timeout=STOP_GRACE_S)

    def _call(self, work: Coroutine[None, None, None], timeout_s: float) -> None:
        done = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            done.result(timeout=timeout_s)
        except TimeoutError:
            done.cancel()

    def _run_loop(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            while True:
                with suppress(SystemExit, KeyboardInterrupt):  # the attempt's result; others are still waited for
                    self._loop.run_forever()
                    break
        finally:
            self._loop.close()

    def _extend_plan(self, keys: list[KeyT]) -> None:
        self._planned.extend(keys)
        self._fill()

    def _end_plan(self, stopping: Callable[[], object]) -> None:
        self._planned.clear()
        stopping()

    def _fill(self) -> None:
        """Start one attempt, and the next in the loop's next turn: what the first waits for goes on meanwhile."""
        while self._planned and self._running < self._concurrency and len(self._tasks) < self._look_ahead:
            key = self._planned.popleft()
            if key not in self._tasks and key not in self._taken:
                self._start(key)
                self._loop.call_soon(self._fill)
                return

    def _start(self, key: KeyT) -> asyncio.Task[ResultT]:
        task = self._loop.create_task(self._count(key))
        self._tasks[key] = task
        self._running += 1
        return task

    async def _count(self, key: KeyT) -> ResultT:
        try:
            return await self._attempt(key)
        finally:
            self._running -= 1
            self._loop.call_soon(self._fill)

    async def _take(self, key: KeyT) -> ResultT:
        task = self._tasks.get(key) or self._start(key)
        try:
            return await asyncio.shield(task)
        finally:
            self._forget(key)
            self._fill()

    def _forget(self, key: KeyT) -> None:
        self._taken.add(key)
        self._tasks.pop(key, None)

    async def _drain(self, stopping: Callable[[], object], patience_s: float) -> None:
        self._end_plan(stopping)
        running = [task for task in self._tasks.values() if not task.done()]
        if running and patience_s > 0:
            await asyncio.wait(running, timeout=patience_s)

    async def _shut_down(self, closing: Callable[[], Awaitable[None]] | None) -> None:
        in_flight = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in in_flight:
            task.cancel()
        await asyncio.gather(*in_flight, return_exceptions=True)
        if closing is not None:
            await closing()
