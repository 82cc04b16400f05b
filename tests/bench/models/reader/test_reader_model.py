"""The reader as a model: what reaches it, what it does with faults, and that its processes end."""

from __future__ import annotations

import asyncio
import dataclasses
import io
import os
import struct
from typing import TYPE_CHECKING, Any

import pytest

from bench.models.reader import worker
from bench.models.reader.model import Reader, ReaderFactory
from bench.models.reader.processes import ReadingFault, ReadingProcess
from bench.models.reader.reader import read
from bench.models.types import Message, Request, SamplingParams
from generators.plotchain.source import PlotChainSource
from scorers.json_extraction import extract_object

if TYPE_CHECKING:
    from bench.models.types import Response
    from generators.items import Item


PROOF = "Prove that AB is perpendicular to CD."
"""A question that is refused before any library is loaded: enough where the process itself is tested."""


@pytest.fixture(scope="module")
def item() -> Item:
    source = PlotChainSource()
    return next(source.item(ref) for ref in source.cases if ref.id == "iv_resistor_000")


@pytest.fixture(scope="module")
def picture(item: Item) -> bytes:
    return item.picture.png()


def ask_of(picture: bytes, prompt: str, **others: Any) -> Request:
    turn = Message(role="user", text=prompt, pictures=(picture,))
    return dataclasses.replace(Request(turns=(turn,), sampling=SamplingParams()), **others)


def asked(*asks: Request, processes: int = 1) -> list[Response]:
    async def all_of_them() -> list[Response]:
        reader = ReaderFactory(processes=processes)()
        replies = await asyncio.gather(*(reader.ask(ask) for ask in asks))
        await reader.close()
        return list(replies)

    return asyncio.run(all_of_them())


def test_a_plot_is_answered_with_every_field_asked_for(item: Item, picture: bytes) -> None:
    (reply,) = asked(ask_of(picture, item.prompt))
    assert reply.status == "answered"
    found = extract_object(reply.text, ["resistance_ohm", "cp_slope_ohm"])
    assert found.answer is not None
    assert list(found.answer) == ["resistance_ohm", "cp_slope_ohm"]
    assert reply.text.splitlines()[0].startswith("resistance_ohm: fit, a straight line, median distance 0.")


def test_what_else_an_ask_holds_changes_no_answer(item: Item, picture: bytes) -> None:
    plain = ask_of(picture, item.prompt)
    earlier = Message(role="user", text="Truth: resistance_ohm = 7", pictures=(b"no picture",))
    dressed = ask_of(
        picture,
        item.prompt,
        turns=(earlier, Message(role="assistant", text='{"resistance_ohm": 7}'), *plain.turns),
        sampling=SamplingParams(temperature=1.0, max_tokens=1),
        schema={"title": "iv_resistor_000"},
        repeat=5,
    )
    one, other = asked(plain, dressed)
    assert one.text == other.text


def test_only_the_last_turn_reaches_the_reading(
    item: Item, picture: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[bytes, str]] = []

    async def kept(self: ReadingProcess, picture: bytes, prompt: str) -> None:
        seen.append((picture, prompt))
        raise ReadingFault("enough")

    monkeypatch.setattr(ReadingProcess, "read", kept)
    (reply,) = asked(ask_of(picture, item.prompt, repeat=3))
    assert seen == [(picture, item.prompt)]
    assert (reply.status, reply.failure, reply.error) == ("failed", "data", "reader: enough")


def test_more_asks_than_processes_wait_for_a_free_one(picture: bytes) -> None:
    replies = asked(*[ask_of(picture, PROOF)] * 5, processes=2)
    assert [reply.status for reply in replies] == ["refused"] * 5
    assert len({reply.text for reply in replies}) == 1


def test_without_a_picture_there_is_a_refusal(item: Item) -> None:
    turn = Message(role="user", text=item.prompt)
    (reply,) = asked(Request(turns=(turn,), sampling=SamplingParams()))
    assert (reply.status, reply.text) == ("refused", "There is no picture to read.")


@pytest.mark.parametrize("prompt", ["", PROOF, '"volume": 3', "\ud800"])
def test_other_questions_are_refused_in_one_sentence(prompt: str, picture: bytes) -> None:
    outcome = read(picture, prompt)
    assert not outcome.answered
    assert "does not reason" in outcome.text


def test_a_picture_that_takes_too_long_is_a_failed_reply_and_the_next_one_is_read(
    picture: bytes,
) -> None:
    async def hurried() -> str:
        process = ReadingProcess(longest_read_s=0.0001)
        with pytest.raises(ReadingFault, match=r"gave up on a picture after 0\.0001 s"):
            await process.read(picture, PROOF)
        process._longest_read_s = 60.0
        text = (await process.read(picture, PROOF)).text
        await process.close()
        return text

    assert "does not reason" in asyncio.run(hurried())


def test_a_process_that_dies_is_a_failed_reply_and_is_replaced(picture: bytes) -> None:
    async def killed() -> str:
        process = ReadingProcess()
        await process.read(picture, PROOF)
        assert process._process is not None
        os.kill(process._process.pid, 9)
        with pytest.raises(ReadingFault, match="its process ended while reading"):
            await process.read(picture, PROOF)
        text = (await process.read(picture, PROOF)).text
        await process.close()
        return text

    assert "does not reason" in asyncio.run(killed())


def test_closing_ends_the_process(picture: bytes) -> None:
    async def closed() -> int | None:
        process = ReadingProcess()
        await process.read(picture, PROOF)
        inner = process._process
        await process.close()
        await process.close()
        assert inner is not None
        return inner.returncode

    assert asyncio.run(closed()) == 0


def test_a_fault_of_the_reader_crosses_as_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(picture: bytes, prompt: str) -> None:
        raise ZeroDivisionError("on the\nsecond line")

    monkeypatch.setattr("bench.models.reader.reader.read", broken)
    replies = io.BytesIO()
    worker.serve(io.BytesIO(struct.pack(">II", 1, 1) + b"pq" + b"cut"), replies)
    assert replies.getvalue()[4:] == b'{"fault": "ZeroDivisionError while reading a picture: on the"}'


def test_a_reader_needs_a_process() -> None:
    with pytest.raises(ValueError, match="processes: expected at least 1, got 0"):
        ReaderFactory(processes=0)


def test_the_reader_says_who_it_is() -> None:
    factory = ReaderFactory()
    assert isinstance(factory(), Reader)
    assert (factory.provider, factory.name, factory.remote, factory.price) == ("offline", "reader", False, None)
    assert factory().identity == factory.identity
    assert factory().adaptations == []
