"""Workers of xdist: one request in flight for each, the next one ready, none ahead of a run that may stop."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tests.bench.conftest import ANSWER
from tests.conftest import ROOT
from tests.loopback.server import LoopbackServer

if TYPE_CHECKING:
    from pathlib import Path

    from tests.bench.conftest import Bench

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


def live(server: LoopbackServer, *options: str) -> tuple[str, ...]:
    return ("-n", "2", "--limit", "10", "--model", "http:fake", "--api-base", server.base, *options)


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
        found = bench(*live(server, *options), PYTHONPATH=os.pathsep.join([str(tmp_path), str(ROOT)]))
        assert server.most_in_flight == 1  # loadfile gives all cases to one worker
    assert found.manifest["complete"] is True
    assert len(found.raw()) == 10


@pytest.mark.parametrize("models", [("http:fake",), ("http:fake", "http:other")], ids=["one model", "two models"])
def test_each_worker_has_one_request_in_flight(
    bench: Bench, server: LoopbackServer, models: tuple[str, ...]
) -> None:
    server.latency_s = 0.1
    named = [word for model in models[1:] for word in ("--model", model)]
    assert bench(*live(server, *named, "--repeats", "2")).manifest["complete"] is True
    assert server.most_in_flight == 2


def test_a_run_that_stops_at_the_first_failure_asks_nothing_ahead(bench: Bench, server: LoopbackServer) -> None:
    stopped = bench(*live(server, "-x"))
    assert stopped.manifest["complete"] is False
    assert len(server.requests) == len(stopped.raw())
