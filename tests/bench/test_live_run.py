from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import os
import signal
import sqlite3
import subprocess
import threading
import time
from typing import TYPE_CHECKING

import pytest

from tests.bench.conftest import ANSWER
from tests.bench.waiting import marked, until
from tests.conftest import sampled
from tests.loopback.answers import Answer, ReceivedRequest, json_answer
from tests.loopback.formats import chat_answer
from tests.loopback.server import LoopbackServer

if TYPE_CHECKING:
    from pathlib import Path

    from tests.bench.conftest import Bench

TEN = ("--limit", "10")
KEY = "sk-test-1234567890abcdef"
WAYS = [pytest.param((), id="alone"), pytest.param(("-n", "2"), id="two workers", marks=pytest.mark.sweep)]


def live(server: LoopbackServer, *more: str) -> tuple[str, ...]:
    return ("--model", "http:fake", "--api-base", server.base, *more)


def stored(folder: Path) -> int:
    with sqlite3.connect(folder / "results" / "replies.sqlite") as connection:
        (count,) = connection.execute("SELECT count(*) FROM reply").fetchone()
    connection.close()
    return int(count)


@pytest.mark.parametrize("workers", WAYS)
def test_a_run_asks_each_item_once_and_a_second_run_asks_nothing(
    bench: Bench, server: LoopbackServer, workers: tuple[str, ...]
) -> None:
    first = bench(*live(server, *TEN, *workers))
    assert "9 failed, 1 passed" in first.counts
    assert len(server.requests) == 10
    second = bench(*live(server, *TEN, *workers))
    assert len(server.requests) == 10
    assert second.raw() == first.raw()
    assert "10 replies came from the store" in second.out
    assert second.manifest["replies"]["from_store"] == 10


def test_workers_and_concurrency_give_the_same_records(bench: Bench, server: LoopbackServer) -> None:
    runs = [
        bench(*live(server, *TEN, "--replies", f"r{at}.sqlite", *how))
        for at, how in enumerate([(), ("--concurrency", "1"), ("-n", "2"), ("-p", "tests.bench.shuffled")])
    ]
    assert len(server.requests) == 40
    assert all(run.raw() == runs[0].raw() for run in runs)
    assert len(runs[0].raw()) == 10


def test_fresh_asks_again_and_replaces(bench: Bench, server: LoopbackServer) -> None:
    bench(*live(server, "--limit", "3"))
    bench(*live(server, "--limit", "3", "--fresh"))
    assert len(server.requests) == 6
    assert stored(bench.folder) == 3
    server._answer = lambda _: '{"resonance_hz": 1}'
    assert {row["raw_text"] for row in bench(*live(server, "--limit", "3")).raw()} == {ANSWER}
    bench(*live(server, "--limit", "3", "--fresh"))
    assert {row["raw_text"] for row in bench(*live(server, "--limit", "3")).raw()} == {'{"resonance_hz": 1}'}
    assert len(server.requests) == 9


def test_other_settings_are_other_replies(bench: Bench, server: LoopbackServer) -> None:
    for extra in ([], ["--temperature", "1"], ["--max-tokens", "77"], ["--image-detail", "low"]):
        bench(*live(server, "--limit", "1", *extra))
    assert len(server.requests) == 4


def test_the_pictures_bytes_are_sent_as_they_are(bench: Bench, server: LoopbackServer) -> None:
    run = bench(*live(server, "--limit", "1"))
    (request,) = server.requests
    (url,) = [
        part["image_url"]["url"] for part in request.json["messages"][-1]["content"] if part["type"] == "image_url"
    ]
    picture = base64.b64decode(url.removeprefix("data:image/png;base64,"))
    assert hashlib.sha256(picture).hexdigest() == run.raw()[0]["picture_sha256"]


def test_concurrency_is_reached_and_not_exceeded(bench: Bench, server: LoopbackServer) -> None:
    server.latency_s = 0.1
    bench(*live(server, "--limit", "30", "--concurrency", "5"))
    assert server.most_in_flight == 5


def test_a_failing_server_is_an_error_not_a_wrong_answer(bench: Bench, server: LoopbackServer) -> None:
    server.script(*[Answer(status=400, body=b'{"error": {"message": "bad picture"}}')])
    run = bench(*live(server, "--limit", "3", "--concurrency", "1", "--exit-zero"))
    assert "1 error" in run.counts
    assert run.code == 1
    assert "bandpass_response_000: protocol:" in run.out
    assert "bad picture" in run.out
    assert [row["status"] for row in run.raw()].count("failed") == 1
    assert "3 replies, counted as wrong: 1 failed (protocol)" in run.out
    assert stored(bench.folder) == 2


def test_a_failure_is_asked_again_by_the_next_run_and_by_nothing_else(
    bench: Bench, server: LoopbackServer
) -> None:
    server.script(Answer(status=400, body=b"{}"))
    bench(*live(server, "--limit", "3", "--concurrency", "1"))
    run = bench(*live(server, "--limit", "3"))
    assert len(server.requests) == 4
    assert [row["status"] for row in run.raw()] == ["answered"] * 3


def test_a_server_that_recovers_costs_attempts_and_nothing_else(bench: Bench, server: LoopbackServer) -> None:
    server.script(Answer(status=503), Answer(status=429, headers={"retry-after": "0"}))
    run = bench(*live(server, "--limit", "1"))
    assert "error" not in run.counts
    assert run.raw()[0]["attempts"] == 3


@pytest.mark.parametrize("workers", WAYS)
def test_a_refused_key_stops_the_run_with_one_line_and_shows_the_key_nowhere(
    bench: Bench, server: LoopbackServer, workers: tuple[str, ...]
) -> None:
    server.always(json_answer({"error": {"message": f"Incorrect API key provided: {KEY}"}}, status=401))
    reports = (
        "--junitxml=j.xml",
        "--json-report",
        "--json-report-file=r.json",
        "-rA",
        "--showlocals",
        "--tb=long",
    )
    run = bench(*live(server, *workers, *reports), EYECHART_API_KEY=KEY)
    assert run.code == 2
    assert "fake: " in run.out
    assert "401" in run.out or "Incorrect API key" in run.out
    assert len(server.requests) < 60
    assert (bench.folder / "j.xml").is_file()
    assert (bench.folder / "r.json").is_file()
    written = "".join(path.read_text("utf-8", "replace") for path in bench.folder.rglob("*") if path.is_file())
    assert KEY not in run.out + run.err + written
    assert KEY[:12] not in run.out + run.err + written


def test_an_unreachable_server_stops_the_run_early(bench: Bench) -> None:
    with LoopbackServer() as gone:
        address = gone.base
    run = bench("--model", "http:fake", "--api-base", address, "--ask-retries", "0", "--concurrency", "2")
    assert run.code == 2
    assert "cases not run; the same command goes on from there" in " ".join(run.out.split())
    assert len([line for line in run.out.splitlines() if line.startswith("ERROR ")]) < 20


@pytest.mark.parametrize("reply", sampled(["", "I cannot see a plot.", "{", "[1, 2]", "null"]))
def test_an_answer_without_an_object_is_unparsed_and_wrong(
    bench: Bench, server: LoopbackServer, reply: str
) -> None:
    server._answer = lambda _: reply
    run = bench(*live(server, "--limit", "1"))
    assert run.code == 1
    assert run.raw()[0]["status"] == "unparsed"
    assert run.table("leaderboard.csv")[0]["field_pass_rate"] == "0.0"


def interrupt(process: subprocess.Popen[str], server: LoopbackServer, after: int, number: int) -> None:
    deadline = time.monotonic() + 60
    while len(server.requests) < after:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    os.killpg(process.pid, number)


@pytest.mark.parametrize("workers", WAYS)
def test_ctrl_c_keeps_what_was_answered_and_the_same_command_goes_on(
    bench: Bench, server: LoopbackServer, workers: tuple[str, ...]
) -> None:
    server.latency_s = 0.3  # the first test has ended when the twentieth request comes, also on a busy machine
    command = live(server, "--limit", "30", *workers)
    process = bench.start(*command, "--out", "stopped")
    stopper = threading.Thread(target=interrupt, args=(process, server, 20, signal.SIGINT))
    stopper.start()
    stopped = bench.finish(process, bench.folder / "stopped")
    stopper.join()
    assert stopped.code == 2
    assert "the same command goes on from there" in " ".join(stopped.out.split())
    assert stopped.manifest["complete"] is False
    kept, asked = stored(bench.folder), len(server.requests)
    assert 4 <= kept <= asked
    assert 0 < len(stopped.raw()) <= 30
    server.latency_s = 0
    whole = bench(*command)
    assert whole.manifest["complete"] is True
    assert len(server.requests) == asked + 30 - kept
    undisturbed = bench(*live(server, "--limit", "30", "--replies", "other.sqlite"))
    assert whole.raw() == undisturbed.raw()


def test_nothing_is_sent_while_pytest_describes_where_it_was_interrupted(
    bench: Bench, server: LoopbackServer
) -> None:
    server.latency_s = 0.8
    command = live(server, "--limit", "100", "--concurrency", "2", "-p", "tests.bench.describes_slowly")
    process = bench.start(*command, "--out", "stopped")
    interrupt(process, server, 2, signal.SIGINT)
    bench.finish(process, bench.folder / "stopped")
    described_s = float((bench.folder / "described.txt").read_text())
    assert [arrived_s for arrived_s in server.arrivals_s if arrived_s > described_s] == []
    assert stored(bench.folder) == len(server.requests)


def test_two_interrupts_at_once_do_not_wait_for_slow_replies(bench: Bench, server: LoopbackServer) -> None:
    server.latency_s = 60
    process = bench.start(*live(server, *TEN), "--out", "stopped")
    while not server.requests:
        time.sleep(0.01)
    for _ in range(2):
        os.killpg(process.pid, signal.SIGINT)
        time.sleep(0.05)
    started = time.monotonic()
    bench.finish(process, bench.folder / "stopped")
    assert time.monotonic() - started < 20  # five seconds of patience, not thirty


def test_nothing_is_asked_where_an_error_of_collection_lets_no_test_run(
    bench: Bench, server: LoopbackServer, tmp_path: Path
) -> None:
    broken = tmp_path / "test_broken.py"
    broken.write_text("import no_such_module\n")
    stopped = bench(*live(server, *TEN, str(broken)))
    assert stopped.code == pytest.ExitCode.INTERRUPTED
    assert server.requests == []
    going_on = bench(*live(server, *TEN, str(broken), "--continue-on-collection-errors"))
    assert going_on.code == pytest.ExitCode.TESTS_FAILED
    assert len(server.requests) == 10


@pytest.mark.parametrize("workers", WAYS)
def test_a_killed_run_loses_at_most_what_was_in_flight(
    bench: Bench, server: LoopbackServer, workers: tuple[str, ...]
) -> None:
    server.latency_s = 0.1
    command = live(server, "--limit", "30", *workers)
    process = bench.start(*command, "--out", "killed", EYECHART_MARK=str(bench.folder))
    interrupt(process, server, 12, signal.SIGKILL)
    process.communicate(timeout=60)
    until(lambda: not marked(str(bench.folder)))  # workers end when they notice
    time.sleep(0.2)
    kept, asked = stored(bench.folder), len(server.requests)
    assert asked - kept <= 8
    server.latency_s = 0
    whole = bench(*command, "--out", "killed")
    assert len(server.requests) == asked + 30 - kept
    assert len(whole.raw()) == 30
    assert whole.manifest["replies"]["from_store"] == kept


@pytest.fixture
def prices(bench: Bench) -> str:
    path = bench.folder / "prices.json"
    path.write_text('{"http:fake": {"input": 1, "output": 10}}')
    return str(path)


@pytest.mark.parametrize("workers", WAYS)
def test_stopping_early_loses_no_reply_and_counts_what_was_paid(
    bench: Bench, server: LoopbackServer, prices: str, workers: tuple[str, ...]
) -> None:
    server.latency_s = 0.1
    run = bench(*live(server, "--limit", "30", "-x", "--prices", prices, *workers))
    asked = len(server.requests)
    assert stored(bench.folder) == asked
    assert run.manifest["asked"]["fake"]["asks"] == asked
    assert run.manifest["complete"] is False


def test_the_budget_stops_the_run_and_the_summary_says_what_was_paid(
    bench: Bench, server: LoopbackServer, prices: str
) -> None:
    run = bench(*live(server, "--limit", "30", "--prices", prices, "--max-cost", "0.06", "--concurrency", "2"))
    spent = run.manifest["asked"]["fake"]
    assert run.code == 2
    assert "30 asks to fake cost at most" in run.out
    assert f"fake: {spent['asks']} asks sent, cost 0.0" in run.out
    assert run.table("leaderboard.csv")[0]["failed_n"] == "0"
    assert "--max-cost 0.06 would be exceeded" in " ".join(run.out.split())
    assert 0 < spent["cost_usd"] <= 0.06
    assert len(server.requests) < 30


def test_prices_that_name_another_model_are_told_before_anything_is_asked(
    bench: Bench, server: LoopbackServer, tmp_path: Path
) -> None:
    prices = tmp_path / "prices.json"
    prices.write_text('{"http:fakes": {"input": 1, "output": 2}}')
    run = bench(*live(server, "--limit", "2", "--prices", str(prices)))
    said = f"2 asks to fake; cost unknown, --prices {prices} has none for it"
    assert said in run.out
    assert "cost unknown" not in bench(*live(server, "--limit", "2")).out


def test_a_case_that_the_budget_does_not_allow_is_not_run_and_no_wrong_answer(
    bench: Bench, server: LoopbackServer, prices: str
) -> None:
    run = bench(*live(server, "--limit", "3", "--prices", prices, "--max-cost", "0.0001"))
    assert run.code == 2
    assert ": not sent: --max-cost 0.0001 would be exceeded" in " ".join(run.out.split())
    assert "3 of 3 cases not run" in run.out
    assert "nothing was measured" in run.out
    assert server.requests == []


def test_a_cost_that_nobody_knows_is_null_and_never_zero(
    bench: Bench, server: LoopbackServer, prices: str
) -> None:
    unknown = bench(*live(server, "--limit", "2"))
    assert unknown.manifest["cost_usd"] is None
    assert unknown.table("leaderboard.csv")[0]["cost_usd"] == ""
    server.always(Answer(body=b"garbage"))
    garbage = bench(*live(server, "--limit", "2", "--prices", prices, "--fresh"))
    assert garbage.manifest["cost_usd"] is None
    assert garbage.manifest["asked"]["fake"]["cost_usd"] is None
    assert garbage.table("leaderboard.csv")[0]["cost_usd"] == ""
    assert garbage.manifest["complete"] is False


def test_a_reply_of_no_use_costs_what_the_server_counted(
    bench: Bench, server: LoopbackServer, prices: str
) -> None:
    server.always(json_answer(chat_answer(None)))
    run = bench(*live(server, "--limit", "2", "--prices", prices, "--max-cost", "1"))
    assert run.manifest["replies"]["failed"] == 2
    used = chat_answer(None)["usage"]
    expected = 2 * (used["prompt_tokens"] * 1 + used["completion_tokens"] * 10) / 1e6
    assert run.manifest["asked"]["fake"]["cost_usd"] == pytest.approx(expected)
    assert run.manifest["cost_usd"] == pytest.approx(expected)


def test_an_interrupt_while_the_end_is_waited_for_costs_no_table(bench: Bench, server: LoopbackServer) -> None:
    run = bench(*live(server, "--limit", "3", "-p", "tests.bench.interrupts_closing"))
    assert run.manifest["cases_selected"] == 3
    assert len((run.folder / "records.jsonl").read_text("utf-8").splitlines()) == 3
    assert (run.folder / "report.html").exists()
    assert "Traceback" not in run.out


@pytest.mark.parametrize("workers", WAYS)
def test_reports_are_fit_for_plugins_that_write_them_as_json(
    bench: Bench, server: LoopbackServer, workers: tuple[str, ...]
) -> None:
    run = bench(*live(server, "--limit", "3", "-p", "tests.bench.reports_as_json", *workers))
    assert run.manifest["complete"] is True
    reports = [json.loads(line) for line in (bench.folder / "reports.jsonl").read_text("utf-8").splitlines()]
    kept = [report["eyechart"] for report in reports if "eyechart" in report]
    assert sorted(json.loads(line)["case_id"] for of_case in kept for line in of_case["lines"]) == sorted(
        row["id"] for row in run.table("plotchain/item_level.csv")
    )


def test_planning_and_setting_up_ask_nothing(bench: Bench, server: LoopbackServer) -> None:
    for flag in ("--setup-plan", "--setup-only", "--co"):
        bench(*live(server, "--limit", "5", flag))
    assert server.requests == []


def test_one_address_is_not_shared_by_two_providers(bench: Bench, server: LoopbackServer) -> None:
    run = bench("--model", "openai:gpt-4o", *live(server, "--limit", "1"), OPENAI_API_KEY=KEY)
    assert run.code == 4
    assert "--api-base is one provider's address, and the models are of http, openai" in run.error_line
    assert server.requests == []


def test_two_runs_at_once_agree_on_each_reply(bench: Bench, server: LoopbackServer) -> None:
    server.latency_s = 0.1
    counter = iter(range(1000))
    server._answer = lambda _: f'{{"resonance_hz": {next(counter)}}}'
    processes = [bench.start(*live(server, "--limit", "10", "--out", f"twin{at}")) for at in range(2)]
    twins = [bench.finish(process, bench.folder / f"twin{at}") for at, process in enumerate(processes)]
    assert [row["raw_text"] for row in twins[0].raw()] == [row["raw_text"] for row in twins[1].raw()]


def test_a_dead_model_beside_a_good_one_stops_the_run(bench: Bench, server: LoopbackServer) -> None:
    def cut_the_dead(request: ReceivedRequest) -> Answer | None:
        return Answer(body=b"{", cut_after=0) if request.json["model"] == "dead" else None

    server.always(cut_the_dead)
    run = bench(*live(server, "--model", "http:dead", "--ask-retries", "0", "--concurrency", "1"))
    assert run.code == 2
    assert len(server.requests) < 40


def test_every_provider_that_keeps_failing_stops_the_run(bench: Bench, server: LoopbackServer) -> None:
    server.always(Answer(status=500))
    run = bench(*live(server, "--ask-retries", "0"))
    assert run.code == 2
    assert 10 <= len(server.requests) < 40


def test_a_full_disk_at_the_end_is_one_line_and_replies_are_kept(bench: Bench, server: LoopbackServer) -> None:
    command = bench.command(*live(server, "--limit", "30", "--out", "out", "--tb=no"))
    limit = "ulimit -f 48"  # blocks of 1,024 bytes: less than the raw file, more than the store's index
    limited = ["bash", "-c", f'{limit}; exec "$@"', "-", *command]
    bench(*live(server, "--limit", "30"))
    done = subprocess.run(limited, cwd=bench.folder, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 3, done.stdout[-2000:]
    assert "out cannot be written (File too large); stored replies are kept in results/replies.sqlite" in (
        " ".join(done.stdout.split())
    )
    assert "Traceback" not in done.stdout + done.stderr
    assert len(server.requests) == 30
    again = bench(*live(server, "--limit", "30", "--out", "out"))
    assert again.manifest["complete"] is True
    assert len(server.requests) == 30


def test_a_full_disk_while_asking_stops_asking_and_keeps_every_reply_in_the_tables(
    bench: Bench, server: LoopbackServer
) -> None:
    bench(*live(server, "--limit", "1"))
    command = bench.command(*live(server, "--limit", "30", "--out", "out", "--tb=no", "--concurrency", "2"))
    limited = [
        "bash",
        "-c",
        'ulimit -f 512; exec "$@"',
        "-",
        *command,
    ]  # KiB: enough for the report, not the store
    with contextlib.closing(sqlite3.connect(bench.folder / "results" / "replies.sqlite")) as other:
        other.execute("PRAGMA wal_autocheckpoint = 0")
        other.execute("CREATE TABLE filler (data BLOB)")
        other.execute("INSERT INTO filler VALUES (zeroblob(450 * 1024))")
        other.commit()  # while this connection is open, its log stays as long as that
        done = subprocess.run(limited, cwd=bench.folder, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 2, done.stdout[-2000:]
    assert "reply store results/replies.sqlite: cannot be written" in " ".join(done.stdout.split())
    assert "Traceback" not in done.stdout + done.stderr
    assert len(server.requests) < 30
