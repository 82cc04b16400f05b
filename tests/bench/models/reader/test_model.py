"""The reader as a model: what reaches it, and what becomes of faults."""

from __future__ import annotations

import asyncio
import dataclasses
from typing import TYPE_CHECKING, Any

import pytest

from bench.models.reader.model import Reader, ReaderFactory
from bench.models.reader.reading import ReadingFailedError, ReadingProcess
from bench.models.types import Message, Request, SamplingParams
from generators.plotchain.source import PlotChainSource
from scorers.json_extraction import extract_object
from tests.bench.models.reader.test_reading import PROOF

if TYPE_CHECKING:
    from bench.models.types import Response
    from generators.items import Item


@pytest.fixture(scope="module")
def item() -> Item:
    source = PlotChainSource()
    return source.item(source.case("iv_resistor_000"))


@pytest.fixture(scope="module")
def picture(item: Item) -> bytes:
    return item.picture.png()


def ask_of(picture: bytes, prompt: str, **others: Any) -> Request:
    message = Message(role="user", text=prompt, pictures=(picture,))
    return dataclasses.replace(Request(messages=(message,), sampling=SamplingParams()), **others)


def asked(*asks: Request, processes: int = 1) -> list[Response]:
    async def all_of_them() -> list[Response]:
        reader = ReaderFactory(processes=processes)()
        replies = await asyncio.gather(*(reader.ask(ask) for ask in asks))
        await reader.close()
        return list(replies)

    return asyncio.run(all_of_them())


def test_a_plot_is_answered_with_every_field_asked_for_and_what_else_an_ask_holds_changes_nothing(
    item: Item, picture: bytes
) -> None:
    plain = ask_of(picture, item.prompt)
    earlier = Message(role="user", text="Truth: resistance_ohm = 7", pictures=(b"no picture",))
    dressed = ask_of(
        picture,
        item.prompt,
        messages=(earlier, Message(role="assistant", text='{"resistance_ohm": 7}'), *plain.messages),
        sampling=SamplingParams(temperature=1.0, max_tokens=1),
        schema={"title": "iv_resistor_000"},
        repeat=5,
    )
    one, other = asked(plain, dressed)
    assert one.status == "answered"
    found = extract_object(one.text, ["resistance_ohm", "cp_slope_ohm"])
    assert found.answer is not None
    assert list(found.answer) == ["resistance_ohm", "cp_slope_ohm"]
    assert one.text.splitlines()[0].startswith("resistance_ohm: fit, a straight line, median distance 0.")
    assert one.text == other.text


def test_only_the_last_turn_reaches_the_reading(
    item: Item, picture: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[bytes, str]] = []

    async def kept(self: ReadingProcess, picture: bytes, prompt: str) -> None:
        seen.append((picture, prompt))
        raise ReadingFailedError("enough")

    monkeypatch.setattr(ReadingProcess, "read", kept)
    (reply,) = asked(ask_of(picture, item.prompt, repeat=3))
    assert seen == [(picture, item.prompt)]
    assert (reply.status, reply.failure, reply.error) == ("failed", "data", "reader: enough")


def test_more_asks_than_processes_wait_for_a_free_one(picture: bytes) -> None:
    replies = asked(*[ask_of(picture, PROOF)] * 5, processes=2)
    assert [reply.status for reply in replies] == ["refused"] * 5
    assert len({reply.text for reply in replies}) == 1


def test_without_a_picture_there_is_a_refusal(item: Item) -> None:
    message = Message(role="user", text=item.prompt)
    (reply,) = asked(Request(messages=(message,), sampling=SamplingParams()))
    assert (reply.status, reply.text) == ("refused", "There is no picture to read.")


def test_a_reader_needs_a_process() -> None:
    with pytest.raises(ValueError, match="processes: expected at least 1, got 0"):
        ReaderFactory(processes=0)


def test_the_reader_says_who_it_is() -> None:
    factory = ReaderFactory()
    assert isinstance(factory(), Reader)
    assert (factory.provider, factory.name, factory.remote, factory.price) == ("offline", "reader", False, None)
    assert factory().identity == factory.identity
    assert factory().adaptations == []
