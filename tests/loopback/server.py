"""The loopback server: 127.0.0.1, a free port, a thread of its own, standard library only.

As a context manager in tests, or by itself for performance runs:
`python -m tests.loopback.server --latency 0.2 --port-file F --max-seconds 300`.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import threading
import time
from collections import deque
from pathlib import Path
from typing import Self

from tests.loopback.answers import Answer, Behaviour, ReceivedRequest
from tests.loopback.formats import TextFor, ordinary_answer

__all__ = ["LoopbackServer"]

LARGEST_BODY = 256 * 1024 * 1024
HEADER_LIMIT = 64 * 1024


class LoopbackServer:
    """A model server that answers `answer(prompt)` after `latency_s`, unless told to misbehave."""

    def __init__(
        self, *, answer: TextFor = lambda _: "{}", latency_s: float = 0.0, keep_requests: bool = True
    ) -> None:
        self.requests: list[ReceivedRequest] = []
        self.arrivals_s: list[float] = []
        self.in_flight = 0
        self.most_in_flight = 0
        self.connections = 0
        self._answer = answer
        self.latency_s = latency_s
        self._keep_requests = keep_requests
        self._script: deque[Behaviour | Answer] = deque()
        self._always: Behaviour | Answer | None = None
        self._held: set[asyncio.Task[None] | None] = set()
        self._loop = asyncio.new_event_loop()
        self._server: asyncio.Server | None = None
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True, name="loopback")

    def __enter__(self) -> Self:
        self._thread.start()
        self._server = asyncio.run_coroutine_threadsafe(self._listen(), self._loop).result(10)
        return self

    def __exit__(self, *exception: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Close every connection and end the thread."""
        asyncio.run_coroutine_threadsafe(self._shut(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    @property
    def port(self) -> int:
        if self._server is None:
            raise RuntimeError("the loopback server has not been started: use it in a with statement")
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    @property
    def url(self) -> str:
        """Address without a path."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def base(self) -> str:
        """What `--api-base` takes."""
        return f"{self.url}/v1"

    def script(self, *answers: Behaviour | Answer) -> None:
        """Give the next requests these answers, one each; what follows is answered as usual."""
        self._script.extend(answers)

    def always(self, answer: Behaviour | Answer | None) -> None:
        """Give every request this answer, where the script has none; None ends it."""
        self._always = answer

    async def _listen(self) -> asyncio.Server:
        return await asyncio.start_server(self._converse, "127.0.0.1", 0, limit=HEADER_LIMIT, backlog=512)

    async def _shut(self) -> None:
        if self._server is not None:
            self._server.close()
        await asyncio.sleep(0)
        while tasks := [t for t in asyncio.all_tasks() if t is not asyncio.current_task()]:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks, timeout=1)
            await asyncio.sleep(0)

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.current_task()
        self._held.add(task)  # nothing else refers to a conversation whose client went away
        try:
            while (request := await _read_request(reader)) is not None:
                if not await self._serve(request, writer):
                    break
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            self._held.discard(task)
            with contextlib.suppress(ConnectionError):
                writer.close()

    async def _serve(self, request: ReceivedRequest, writer: asyncio.StreamWriter) -> bool:
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        self.arrivals_s.append(time.monotonic())
        if self._keep_requests:
            self.requests.append(request)
        try:
            answer = self._decide(request)
            if self.latency_s:
                await asyncio.sleep(self.latency_s)
        finally:
            self.in_flight -= 1
        return await _send(answer, writer)

    def _decide(self, request: ReceivedRequest) -> Answer:
        chosen = self._script.popleft() if self._script else self._always
        answer = chosen(request) if callable(chosen) else chosen
        return answer or ordinary_answer(request, self._answer)


async def _read_request(reader: asyncio.StreamReader) -> ReceivedRequest | None:
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except asyncio.IncompleteReadError:
        return None
    first, *lines = head.split("\r\n")
    method, path, _ = first.split(" ")
    pairs = (line.partition(":") for line in lines if line)
    headers = {name.lower(): value.strip() for name, _, value in pairs}
    length = min(int(headers.get("content-length", "0")), LARGEST_BODY)
    return ReceivedRequest(method=method, path=path, headers=headers, body=await reader.readexactly(length))


async def _send(answer: Answer, writer: asyncio.StreamWriter) -> bool:
    if answer.hang:
        await asyncio.Event().wait()
    length = len(answer.body) if answer.declared_length is None else answer.declared_length
    headers = {"content-length": str(length), **answer.headers}
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    writer.write(f"HTTP/1.1 {answer.status} X\r\n{head}\r\n".encode("latin-1"))
    if answer.drip_s is not None:
        await _drip(answer.body, answer.drip_s, writer)
    elif answer.cut_after is not None:
        writer.write(answer.body[: answer.cut_after])
        await writer.drain()
        await asyncio.sleep(0.02)
        writer.transport.abort()
        return False
    else:
        writer.write(answer.body)
    await writer.drain()
    return answer.declared_length is None


async def _drip(body: bytes, pause_s: float, writer: asyncio.StreamWriter) -> None:
    for index in range(len(body)):
        writer.write(body[index : index + 1])
        await writer.drain()
        await asyncio.sleep(pause_s)


def main() -> None:
    """Serve until stopped or until `--max-seconds` are over."""
    parser = argparse.ArgumentParser(description="a model server on 127.0.0.1 for performance runs")
    parser.add_argument("--latency", type=float, default=0.0, metavar="S")
    parser.add_argument("--text", default="{}", help="what every prompt is answered with")
    parser.add_argument("--port-file", type=Path, metavar="F", help="the base address is written here")
    parser.add_argument("--max-seconds", type=float, default=300.0, metavar="S")
    options = parser.parse_args()
    gc.freeze()
    server = LoopbackServer(answer=lambda _: options.text, latency_s=options.latency, keep_requests=False)
    with server:
        print(server.base, flush=True)
        if options.port_file:
            options.port_file.write_text(server.base, encoding="utf-8")
        with contextlib.suppress(KeyboardInterrupt):
            time.sleep(options.max_seconds)


if __name__ == "__main__":
    main()
