"""The wire format against a parser nobody here wrote: `transformers serve` with a tiny model of random weights.

Needs an interpreter that has the serving packages, in an environment of its own (the CPU build of torch does):

    python -m venv SERVING
    SERVING/bin/pip install torch "transformers[serving]" pillow
    EYECHART_SERVING_PYTHON=SERVING/bin/python pytest tests/bench/models/test_real_server.py -m slow

The same by hand, in a folder of its own:

    SERVING/bin/python tests/bench/models/tiny_vision_model.py tiny
    HF_HUB_OFFLINE=1 SERVING/bin/transformers serve tiny --host 127.0.0.1 --port 8765 --device cpu
    pytest bench/ --model=http:tiny --api-base=http://127.0.0.1:8765/v1 --limit 3 --max-tokens 16

Answers are noise. What counts: requests are accepted, pictures arrive, replies are read. Written against
transformers 5.24.0, fastapi 0.165.0 and uvicorn 0.54.0.
"""

from __future__ import annotations

import os
import random
import socket
import subprocess
import sys
import time
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from PIL import Image

from bench.models.limits import ClientLimits
from bench.models.providers.openai import OpenAIChat
from bench.models.types import Message, Request, SamplingParams
from tests.bench.models import tiny_vision_model as tiny
from tests.bench.models.asking import ask_once

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bench.models.types import Response
    from tests.bench.conftest import Bench

pytestmark = pytest.mark.slow

MAKER = Path(tiny.__file__)
NAME = "tiny"
NEEDED = ("torch", "transformers", "fastapi", "uvicorn", "openai", "PIL")
START_S = 120.0
OFFLINE = {"HF_HUB_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1"}


@pytest.fixture(scope="module")
def serving_python() -> str:
    """An interpreter with the serving packages; the tests are skipped where there is none."""
    python = os.environ.get("EYECHART_SERVING_PYTHON", sys.executable)
    look = f"import importlib.util as u; print(*[n for n in {NEEDED!r} if u.find_spec(n) is None])"
    try:
        done = subprocess.run([python, "-c", look], capture_output=True, text=True, check=True, timeout=60)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.fail(f"EYECHART_SERVING_PYTHON must name a Python interpreter, got {python!r}: {error}")
    if missing := done.stdout.split():
        pytest.skip(f"{python} lacks {', '.join(missing)}; EYECHART_SERVING_PYTHON can name another interpreter")
    return python


@pytest.fixture(scope="module")
def base(serving_python: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """What `--api-base` takes, of a running `transformers serve`."""
    folder = tmp_path_factory.mktemp("serving")
    environment = {**os.environ, **OFFLINE, "HF_HOME": str(folder / "hub")}
    subprocess.run([serving_python, str(MAKER), NAME], cwd=folder, env=environment, check=True, timeout=START_S)
    port = _free_port()
    program = [serving_python, "-c", "from transformers.cli.transformers import app; app()"]
    options = ["serve", NAME, "--host", "127.0.0.1", "--port", str(port), "--device", "cpu"]
    log = folder / "server.log"
    with log.open("w", encoding="utf-8") as file:
        server = subprocess.Popen(
            [*program, *options], cwd=folder, env=environment, stdout=file, stderr=subprocess.STDOUT
        )
    try:
        _wait_until_healthy(f"http://127.0.0.1:{port}/health", server, log)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        server.terminate()
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait(10)


def test_a_run_is_asked_answered_and_recorded(base: str, bench: Bench) -> None:
    run = bench(f"--model=http:{NAME}", f"--api-base={base}", "--limit=3", "--max-tokens=16")
    assert run.code == 1, run.out + run.err
    rows = run.raw()
    assert len(rows) == 3
    for row in rows:
        assert (row["status"], row["finish_reason"], row["failure"]) == ("truncated", "length", None)
        assert row["served_model"] == NAME
        assert row["usage"]["output_tokens"] == 16
        assert row["usage"]["input_tokens"] > len(row["prompt"].encode()) + tiny.PICTURE_TOKENS
        assert (row["attempts"], row["error"]) == (1, None)
        assert row["request_id"]
    assert run.manifest["models"][0]["adaptations"] == []
    assert "3 replies were cut off by the token limit: raise --max-tokens" in run.out


@pytest.mark.parametrize("workers", ["0", "2"])
def test_a_run_from_the_store_asks_nothing_again(base: str, bench: Bench, workers: str) -> None:
    arguments = (f"--model=http:{NAME}", f"--api-base={base}", "--limit=4", "--max-tokens=4", f"-n{workers}")
    first, second = bench(*arguments), bench(*arguments)
    assert second.manifest["replies"]["from_store"] == 4
    assert [row["raw_text"] for row in first.raw()] == [row["raw_text"] for row in second.raw()]


@pytest.mark.parametrize("size_px", [(128, 128), (128, 64), (640, 480), (97, 301)])
def test_the_picture_that_arrives_has_the_size_that_was_sent(base: str, size_px: tuple[int, int]) -> None:
    without, shown = ask(base), ask(base, noise(*size_px))
    assert shown.usage.input_tokens == (without.usage.input_tokens or 0) + tokens_of(*size_px)


def test_the_answer_depends_on_what_the_picture_shows(base: str) -> None:
    texts = [ask(base, noise(64, 64, seed=seed)).text for seed in (1, 2, 3, 1, 2, 3)]
    assert texts[:3] == texts[3:]
    assert len(set(texts)) == 3


def test_several_pictures_earlier_turns_and_a_system_prompt_arrive(base: str) -> None:
    messages = (
        Message(role="system", text="Be brief."),
        Message(role="user", text="First.", pictures=(noise(64, 64, seed=1),)),
        Message(role="assistant", text="4"),
        Message(role="user", text="Second.", pictures=(noise(64, 128, seed=2), noise(128, 64, seed=3))),
    )
    texts = tuple(Message(role=message.role, text=message.text) for message in messages)
    expected = tokens_of(64, 64) + tokens_of(64, 128) + tokens_of(128, 64)
    shown, plain = ask(base, messages=messages), ask(base, messages=texts)
    assert shown.usage.input_tokens == (plain.usage.input_tokens or 0) + expected
    assert shown.text != ask(base, messages=(*messages[1:],)).text


def test_a_model_that_stops_by_itself_has_answered(base: str) -> None:
    replies = [ask(base, text="x" * length, max_tokens=200) for length in range(12)]
    for reply in replies:
        produced = reply.usage.output_tokens or 0
        assert (reply.status, reply.finish_reason) == (
            ("truncated", "length") if produced == 200 else ("answered", "stop")
        )
    assert {reply.status for reply in replies} == {"truncated", "answered"}


@pytest.mark.parametrize(
    "sampling",
    [{"image_detail": "high"}, {"temperature": None}, {"temperature": 1.0}, {"reasoning_effort": "low"}],
)
def test_every_setting_is_accepted(base: str, sampling: dict[str, Any]) -> None:
    reply = ask(base, noise(64, 64), **sampling)
    assert (reply.failure, reply.usage.output_tokens) == (None, 16)


def test_either_name_of_the_token_limit_is_obeyed(base: str) -> None:
    fields = ("max_tokens", "max_completion_tokens")
    adapters = [OpenAIChat(provider="http", name=NAME, base=base, token_limit_field=field) for field in fields]
    assert [ask(base, adapter=adapter).usage.output_tokens for adapter in adapters] == [16, 16]


def test_a_schema_is_accepted(base: str) -> None:
    schema = {"type": "object", "properties": {"count": {"type": "integer"}}, "required": ["count"]}
    adapter = OpenAIChat(provider="http", name=NAME, base=base)
    message = Message(role="user", text="How many?", pictures=(noise(64, 64),))
    reply = ask_once(adapter, Request(messages=(message,), sampling=SamplingParams(max_tokens=4), schema=schema))
    assert (reply.status, reply.usage.output_tokens) == ("truncated", 4)


def test_its_errors_are_read(base: str) -> None:
    reply = ask(base, adapter=OpenAIChat(provider="http", name="another", base=base))
    assert (reply.status, reply.failure, reply.attempts) == ("failed", "protocol", 1)
    assert reply.error == f"the server answered 400: Server is pinned to '{NAME}'; requested 'another'."
    damaged = ask(base, b"\x89PNG\r\n\x1a\n" + bytes(100))
    assert (damaged.status, damaged.failure, damaged.attempts) == ("failed", "server", 1)


def test_a_field_it_does_not_know_is_refused_by_name(base: str) -> None:
    adapter = OpenAIChat(provider="http", name=NAME, base=base, token_limit_field="most_tokens")
    reply = ask(base, adapter=adapter)
    assert (reply.status, reply.failure, reply.attempts) == ("failed", "protocol", 1)
    assert reply.error == "the server answered 422: Unexpected fields in the request: {'most_tokens'}"


def ask(
    base: str,
    *pictures: bytes,
    text: str = "How many?",
    messages: tuple[Message, ...] = (),
    adapter: OpenAIChat | None = None,
    **sampling: Any,
) -> Response:
    """Ask the tiny model for at most 16 tokens at temperature 0, unless `sampling` says otherwise."""
    messages = messages or (Message(role="user", text=text, pictures=pictures),)
    settings = SamplingParams(**{"temperature": 0.0, "max_tokens": 16, **sampling})
    adapter = adapter or OpenAIChat(provider="http", name=NAME, base=base)
    return ask_once(adapter, Request(messages=messages, sampling=settings), client_limits=ClientLimits(retries=0))


def noise(width: int, height: int, *, seed: int = 0) -> bytes:
    """A PNG of random bytes."""
    picture = Image.frombytes("RGB", (width, height), random.Random(seed).randbytes(3 * width * height))
    file = BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()


def tokens_of(width: int, height: int) -> int:
    """What the tiny model's processor makes of a picture: the longer side resized, then tiles and the whole.

    A tile is a marker, a place and its picture tokens; a row of tiles ends with a line feed; the whole has
    a line feed and three markers.
    """
    columns, rows = (_tiles(side, max(width, height)) for side in (width, height))
    return rows * (columns * (2 + tiny.PICTURE_TOKENS) + 1) + 1 + 3 + tiny.PICTURE_TOKENS


def _tiles(side: int, longer: int) -> int:
    return max(1, -(-side * tiny.LONGEST_SIDE_PX // (longer * tiny.TILE_PX)))


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def _wait_until_healthy(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    give_up = time.monotonic() + START_S
    while time.monotonic() < give_up and server.poll() is None:
        try:
            if httpx.get(url, timeout=5).is_success:
                return
        except httpx.HTTPError:
            time.sleep(0.2)
    pytest.fail(f"transformers serve did not start; it printed:\n{log.read_text('utf-8', 'replace')[-4000:]}")
