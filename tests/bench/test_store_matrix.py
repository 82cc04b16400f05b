"""Each provider, each kind of ending, with the store and with --fresh: what is kept and what is asked again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pytest

from bench.models.limits import ClientLimits
from bench.models.resolve import ModelFactory, ResolvedModel
from bench.models.types import Message, Request, Response, SamplingParams
from bench.options import OPTIONS, Settings
from bench.session import Session
from bench.suites.base import Case, CaseName, ReadsValues
from bench.suites.image_cache import Pictures
from generators.items import Item
from scorers.score import Score
from tests.bench.models.adapters import SHAPES, adapter_for
from tests.bench.models.asking import png
from tests.conftest import sampled
from tests.loopback.answers import Answer, json_answer
from tests.loopback.server import LoopbackServer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

CASE = Case(id="gauge_000", suite="gauges", item_id="gauge_000", difficulty="clean", model="m")


class FixedPicture:
    key = None

    def png(self) -> bytes:
        return png(10, 10)


class Gauges(ReadsValues):
    """A suite of one item."""

    name = about = policy = "gauges"

    def cases(self, limit: int | None) -> Iterable[CaseName]:
        return [CaseName(id=CASE.id, item_id=CASE.item_id, difficulty="clean")]

    def item(self, item_id: str, task: str | None) -> Item:
        return Item(
            id=item_id, suite=self.name, family="gauge", index=0, difficulty="clean", prompt="How much?",
            truth={"bar": 1.0}, final_fields=("bar",), checkpoint_fields=(), params={}, picture=FixedPicture(),
        )  # fmt: skip

    def ask(self, item: Item, pictures: Sequence[bytes], sampling: SamplingParams, repeat: int) -> Request:
        message = Message(role="user", text=item.prompt, pictures=tuple(pictures))
        return Request(messages=(message,), sampling=sampling, repeat=repeat)

    def schema(self, item: Item) -> dict[str, Any] | None:
        return None

    def score(self, item: Item, reply: Response, stored_answer: object) -> Score:
        return Score(fields=(), parsed=True, answer=None, rule="")

    def oracle_text(self, item: Item) -> str:
        return "{}"

    blind_text = oracle_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a request ends: what the server says, the reply's status, and whether that is kept."""

    answer: Answer | None
    status: str
    kept: bool


def endings(provider: str) -> dict[str, Ending]:
    shapes = SHAPES[provider]
    found = {
        "answered": Ending(answer=None, status="answered", kept=True),
        "cut off": Ending(answer=json_answer(shapes.cut), status="truncated", kept=True),
        "key refused": Ending(
            answer=json_answer({"error": {"message": "no"}}, status=401), status="failed", kept=False
        ),
        "overloaded": Ending(answer=Answer(status=503), status="failed", kept=False),
        "bad request": Ending(
            answer=json_answer({"error": {"message": "no"}}, status=400), status="failed", kept=False
        ),
        "cut connection": Ending(answer=Answer(body=b"{}", cut_after=0), status="failed", kept=False),
        "garbage": Ending(answer=Answer(body=b"<html>"), status="failed", kept=False),
        "empty": Ending(answer=json_answer(shapes.null), status="failed", kept=False),
    }
    if shapes.refusal is not None:
        found["refused"] = Ending(answer=json_answer(shapes.refusal), status="refused", kept=True)
    return found


MATRIX = [(provider, name) for provider in SHAPES for name in endings(provider)]


@pytest.fixture(scope="module")
def server() -> Iterator[LoopbackServer]:
    with LoopbackServer(answer=lambda _: "1 bar") as running:
        yield running


def settings(folder: Path, *, fresh: bool) -> Settings:
    defaults = Settings(**{option.name: option.default for option in OPTIONS})
    return replace(defaults, replies=folder / "replies.sqlite", fresh=fresh, temperature=None, image_detail=None)


def ask_in_a_new_session(provider: str, server: LoopbackServer, chosen: Settings, folder: Path) -> Response:
    adapter = adapter_for(provider, server.url)
    factory = ModelFactory(
        provider=provider,
        name="m",
        adapter=adapter,
        key=None,
        client_limits=ClientLimits(retries=0, request_timeout_s=5),
    )
    model = ResolvedModel(label="m", provider=provider, name="m", about="", factory=factory)
    session = Session(chosen, [Gauges()], [model], Pictures(folder, drawing=folder / "none"))
    try:
        (answer,) = session.answers(CASE)
    finally:
        session.close()
    return answer.reply


@pytest.mark.parametrize("fresh", [False, True], ids=["stored", "fresh"])
@pytest.mark.parametrize(("provider", "name"), sampled(MATRIX, first=len(endings(MATRIX[0][0]))))
def test_what_was_answered_is_asked_once_and_what_failed_is_asked_again(
    server: LoopbackServer, tmp_path: Path, provider: str, name: str, fresh: bool
) -> None:
    ending = endings(provider)[name]
    server.requests.clear()
    server.always(ending.answer)
    chosen = settings(tmp_path, fresh=fresh)
    first = ask_in_a_new_session(provider, server, chosen, tmp_path)
    asked_first = len(server.requests)
    second = ask_in_a_new_session(provider, server, chosen, tmp_path)
    assert (first.status, second.status) == (ending.status, ending.status)
    assert asked_first >= 1
    asked_again = len(server.requests) - asked_first
    assert asked_again == (0 if ending.kept and not fresh else asked_first)
    if ending.kept and not fresh:
        assert second == first
