"""An API key appears in a request's header and nowhere else."""

from __future__ import annotations

import asyncio
import logging
import pickle
from typing import TYPE_CHECKING

import pytest

from bench.models.keys import Key, read_key
from bench.models.limits import ClientLimits
from bench.models.resolve import resolve
from tests.bench.models.asking import picture_ask
from tests.loopback.answers import Answer, ReceivedRequest, json_answer

if TYPE_CHECKING:
    from bench.models.types import Response
    from tests.loopback.server import LoopbackServer

SECRET = "sk-proj-Zx81hQ0tL5vW2nK7"
VARIABLES = {
    "openai:m": "OPENAI_API_KEY",
    "azure:m": "AZURE_OPENAI_API_KEY",
    "anthropic:m": "ANTHROPIC_API_KEY",
    "gemini:gemini-3-m": "GEMINI_API_KEY",
    "openrouter:v/m": "OPENROUTER_API_KEY",
    "http:m": "EYECHART_API_KEY",
    "ollama:m": "OLLAMA_API_KEY",
}


def echo(request: ReceivedRequest) -> Answer:
    """A careless server: its error repeats every header it was sent."""
    said = " ".join(f"{name}={value}" for name, value in request.headers.items())
    return json_answer({"error": {"message": f"no access: {said}", "code": "x"}}, status=401)


def echo_in_page(request: ReceivedRequest) -> Answer:
    said = " ".join(request.headers.values())
    return Answer(headers={"content-type": "text/html"}, body=f"<p>{said}</p>".encode())


def ask(server: LoopbackServer, spec: str, key: str = SECRET) -> tuple[Response, str]:
    factory = resolve(
        spec, api_base=server.url, client_limits=ClientLimits(retries=0), environ={VARIABLES[spec]: key}
    )

    async def run() -> tuple[Response, str]:
        model = factory()
        reply = await model.ask(picture_ask())
        shown = f"{model!r} {vars(model)!r} {model.identity!r} {model.adaptations!r} {factory!r}"
        await model.close()
        return reply, shown

    return asyncio.run(run())


@pytest.mark.parametrize("spec", VARIABLES)
@pytest.mark.parametrize("behave", [echo, echo_in_page])
def test_key_is_shown_by_nothing(
    server: LoopbackServer, caplog: pytest.LogCaptureFixture, spec: str, behave: object
) -> None:
    caplog.set_level(logging.DEBUG)
    server.always(behave)  # type: ignore[arg-type]
    reply, shown = ask(server, spec)
    assert SECRET in " ".join(server.requests[0].headers.values())
    assert reply.status == "failed"
    for text in (repr(reply), shown, caplog.text):
        assert SECRET not in text
        assert SECRET[:12] not in text


def test_the_key_is_taken_out_of_an_answer_that_holds_it(server: LoopbackServer) -> None:
    def tell(request: ReceivedRequest) -> Answer:
        said = request.headers["authorization"]
        choice = {"message": {"content": f"You sent {said}."}, "finish_reason": said}
        return json_answer({"choices": [choice], "model": said})

    server.always(tell)
    reply, _ = ask(server, "http:m")
    assert (reply.status, reply.text) == ("answered", "You sent Bearer [key].")
    assert SECRET not in repr(reply)


def test_an_answer_that_holds_a_key_which_is_none_stays_as_it_is(server: LoopbackServer) -> None:
    server.always(json_answer({"choices": [{"message": {"content": '{"a": 1.25, "b": "EMPTY"}'}}]}))
    for key in ("1", "EMPTY"):
        reply, _ = ask(server, "http:m", key)
        assert reply.text == '{"a": 1.25, "b": "EMPTY"}'


@pytest.mark.parametrize(
    "text",
    [SECRET, f"key {SECRET}.", f"Bearer {SECRET}", f"{{'k':'{SECRET}'}}", "sk-proj-****2nK7", "(sk-proj-Zx81…)"],
)
def test_redaction_finds_the_key_and_its_echo(text: str) -> None:
    hidden = Key(SECRET, variable="K").redact(text)
    assert "sk-proj" not in hidden
    assert "[key]" in hidden


def test_redaction_leaves_other_words() -> None:
    text = "Your organization must be verified to use the model `gpt-image-1`"
    assert Key(SECRET, variable="K").redact(text) == text


def test_a_key_cannot_be_written() -> None:
    with pytest.raises(TypeError, match="a key is not written anywhere"):
        pickle.dumps(Key(SECRET, variable="K"))


def test_an_optional_key_may_be_absent() -> None:
    assert read_key("K", {}, needed_by=None) is None
