"""What is no plot is null or refused, never a fault; what stops the process that reads costs one answer."""

from __future__ import annotations

import asyncio
import io
import json
import os
import struct
import zlib
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from bench.models.reader.reading import ReadingFailedError, ReadingProcess, read, serve
from generators.plotchain.source import PlotChainSource
from tests.bench.models.reader.sweep import sweep

if TYPE_CHECKING:
    from collections.abc import Callable

    from generators.items import Item


PROOF = "Prove that AB is perpendicular to CD."
"""A question that is refused before any library is loaded: enough where the process itself is tested."""
PICTURE = b"whatever it is"


@pytest.fixture(scope="module", params=["v4", pytest.param("v5", marks=pytest.mark.sweep)])
def item(request: pytest.FixtureRequest) -> Item:
    source = PlotChainSource(edition=request.param)
    return source.item(source.case("bode_magnitude_000"))


@pytest.fixture(scope="module")
def plot(item: Item) -> Image.Image:
    return Image.open(io.BytesIO(item.picture.png())).convert("RGB")


def png(image: Image.Image) -> bytes:
    content = io.BytesIO()
    image.save(content, format="PNG")
    return content.getvalue()


def noise(height: int, width: int) -> Image.Image:
    return Image.fromarray(np.random.default_rng(0).integers(0, 256, (height, width, 3), dtype=np.uint8))


def claimed(width: int, height: int) -> bytes:
    """A PNG whose header claims a size that its few bytes do not hold."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(b"\0" * 99))
        + chunk(b"IEND", b"")
    )


def twice(plot: Image.Image) -> Image.Image:
    page = Image.new("RGB", (2 * plot.width, plot.height), "white")
    page.paste(plot, (0, 0))
    page.paste(plot, (plot.width, 0))
    return page


def scribbled(plot: Image.Image) -> Image.Image:
    noisy = plot.copy()
    noisy.paste(noise(420, 720), (115, 60))
    return noisy


UNDECODABLE: dict[str, bytes] = {
    "empty": b"",
    "text": b"no picture at all",
    "cut off": claimed(800, 600),
    "ten thousand square": claimed(10_000, 10_000),
    "one pixel": png(Image.new("RGB", (1, 1))),
    "another format": b"GIF89a" + bytes(100),
}
CHANGES: dict[str, Callable[[Image.Image], Image.Image]] = {
    "blank": lambda plot: Image.new("RGB", plot.size, "white"),
    "black": lambda plot: Image.new("RGB", plot.size),
    "transparent": lambda plot: Image.new("RGBA", plot.size, (0, 0, 0, 0)),
    "noise": lambda plot: noise(plot.height, plot.width),
    "sixteen bits": lambda plot: Image.fromarray(np.asarray(plot.convert("L")).astype(np.uint16) * 257),
    "faded": lambda plot: Image.merge("RGBA", (*plot.split(), Image.new("L", plot.size, 100))),
    "turned a little": lambda plot: plot.rotate(3, fillcolor="white"),
    "lying": lambda plot: plot.rotate(90, expand=True),
    "upside down": lambda plot: plot.rotate(180),
    "mirrored": lambda plot: plot.transpose(Image.Transpose.FLIP_LEFT_RIGHT),
    "two axes": twice,
    "without colour": lambda plot: plot.convert("L"),
    "noise in the box": scribbled,
}


@pytest.mark.parametrize("name", UNDECODABLE)
def test_what_is_no_picture_is_refused_in_one_sentence(name: str, item: Item) -> None:
    outcome = read(UNDECODABLE[name], item.prompt)
    assert not outcome.answered
    assert outcome.text.startswith("The picture cannot be read: ")
    assert "0x" not in outcome.text


def test_a_cut_off_plot_is_refused(item: Item) -> None:
    assert not read(item.picture.png()[:3000], item.prompt).answered


@pytest.mark.parametrize("name", sweep(CHANGES, default=list(CHANGES)[:-1:2]))
def test_a_picture_that_is_no_plot_gives_nulls_with_the_reason(name: str, plot: Image.Image, item: Item) -> None:
    outcome = read(png(CHANGES[name](plot)), item.prompt)
    assert outcome.answered
    *lines, answer = outcome.text.splitlines()
    assert set(json.loads(answer).values()) == {None}
    assert all("cannot be seen: " in line for line in lines)


def test_a_palette_or_an_opaque_alpha_channel_changes_no_answer(plot: Image.Image, item: Item) -> None:
    answers = {read(png(picture), item.prompt).text for picture in (plot, plot.convert("RGBA"))}
    assert len(answers) == 1
    palette = plot.convert("P", palette=Image.Palette.ADAPTIVE, colors=256)
    read_back = json.loads(read(png(palette), item.prompt).text.splitlines()[-1])
    exact = json.loads(answers.pop().splitlines()[-1])
    assert read_back["dc_gain_db"] is None or read_back["dc_gain_db"] == pytest.approx(
        exact["dc_gain_db"], abs=0.1
    )


@settings(max_examples=20, deadline=None)
@given(content=st.binary(max_size=300), prompt=st.text(max_size=200))
def test_any_bytes_and_any_text_get_an_outcome(content: bytes, prompt: str) -> None:
    assert read(content, prompt).text
    asked = '"resistance_ohm": <number or null>'
    assert read(content, f"{prompt}\n{asked}\n").text


def test_fields_that_no_plot_has_are_null(item: Item) -> None:
    outcome = read(item.picture.png(), '{\n"depth_m": <number or null>,\n"cutoff_hz": <number or null>\n}')
    assert json.loads(outcome.text.splitlines()[-1]) == {"depth_m": None, "cutoff_hz": None}


@pytest.mark.parametrize("prompt", ["", PROOF, '"volume": 3', "\ud800"])
def test_other_questions_are_refused_in_one_sentence(prompt: str) -> None:
    outcome = read(PICTURE, prompt)
    assert not outcome.answered
    assert "does not reason" in outcome.text


def test_a_picture_that_takes_too_long_is_a_failed_reply_and_the_next_one_is_read() -> None:
    async def hurried() -> str:
        process = ReadingProcess(longest_read_s=0.0001)
        with pytest.raises(ReadingFailedError, match=r"gave up on a picture after 0\.0001 s"):
            await process.read(PICTURE, PROOF)
        process._longest_read_s = 60.0
        text = (await process.read(PICTURE, PROOF)).text
        await process.close()
        return text

    assert "does not reason" in asyncio.run(hurried())


def test_a_process_that_dies_is_a_failed_reply_and_is_replaced() -> None:
    async def killed() -> str:
        process = ReadingProcess()
        await process.read(PICTURE, PROOF)
        assert process._process is not None
        os.kill(process._process.pid, 9)
        with pytest.raises(ReadingFailedError, match="its process ended while reading"):
            await process.read(PICTURE, PROOF)
        text = (await process.read(PICTURE, PROOF)).text
        await process.close()
        return text

    assert "does not reason" in asyncio.run(killed())


def test_closing_ends_the_process() -> None:
    async def closed() -> int | None:
        process = ReadingProcess()
        await process.read(PICTURE, PROOF)
        inner = process._process
        await process.close()
        await process.close()
        assert inner is not None
        return inner.returncode

    assert asyncio.run(closed()) == 0


def test_a_fault_of_the_reader_crosses_as_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(picture: bytes, prompt: str) -> None:
        raise ZeroDivisionError("on the\nsecond line")

    monkeypatch.setattr("bench.models.reader.reading.read", broken)
    answers = io.BytesIO()
    serve(io.BytesIO(b'{"picture": "cGljdHVyZQ==", "prompt": "prompt"}\n'), answers)
    assert answers.getvalue() == b'{"fault": "ZeroDivisionError while reading a picture: on the"}\n'
